"""Force elements beside springs and rods, one file each."""
