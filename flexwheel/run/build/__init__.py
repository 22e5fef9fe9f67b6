"""From keys to the values that a time loop takes: track, profiles, contact tables, drive, the whole simulation."""
