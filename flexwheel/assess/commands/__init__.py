"""Commands that evaluate results or a scenario, one file each."""
