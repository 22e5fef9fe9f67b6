"""Methods of contact detection compared, explained and trained (paper 003)."""
