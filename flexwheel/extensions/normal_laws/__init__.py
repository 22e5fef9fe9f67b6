"""Laws of normal contact beside those of the core, one file each."""
