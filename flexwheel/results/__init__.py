"""Result files of all kinds of run: recorded, streamed to the disk, written, read and checked by one table."""
