"""The real-time locomotive as a functional mock-up unit; it goes where the system `locomotive` goes."""
