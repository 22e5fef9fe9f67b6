"""Laws of the creep force beside FASTSIM and the linear theory."""
