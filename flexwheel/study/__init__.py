"""Studies: many runs of one scenario with some of its keys varied; chosen figures of each in one file."""
