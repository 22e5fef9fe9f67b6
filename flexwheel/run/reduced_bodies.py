"""Reduced bodies of the flexible wheelsets, from the cache or made anew."""

from __future__ import annotations


def reduced_body_of(name, section, report=None):
    """ReducedBody of one [wheelset.NAME] section."""
    raise NotImplementedError
