"""Files of histories for other programs, one format a file; found through EXPORTS of `channels.py`."""
