"""The linearised running vehicle in the frequency domain: rails exact, inputs by their spectra."""
