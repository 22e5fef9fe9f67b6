"""The running vehicle in frequency: linear contact, rails, modes, excitation, spectra without a step in time."""
