"""Commands that ask something of results or of a scenario, one file each."""
