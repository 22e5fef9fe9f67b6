"""Force elements of a vehicle, one file each, and how a vehicle file states them."""
