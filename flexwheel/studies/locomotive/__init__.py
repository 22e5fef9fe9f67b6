"""The real-time locomotive as a functional mock-up unit; removed with the system `locomotive`."""
