"""How far a measured quantity is from its reference: one figure from two arrays of equal shape."""

import numpy as np

from flexwheel.numerics.spectra import level_difference


def largest(measured, reference):
    """Largest difference."""
    return np.abs(measured - reference).max()


def relative(measured, reference):
    """Largest difference over the largest reference."""
    return np.abs(measured - reference).max() / np.abs(reference).max()


def each(measured, reference):
    """Largest of the relative differences, each over its own reference."""
    return np.abs(measured / reference - 1.0).max()


def median(measured, reference):
    """Median of the relative differences, each over its own reference."""
    return np.median(np.abs(measured / reference - 1.0))


def mean(measured, reference):
    """Mean difference of the rows, each by its largest component."""
    return np.abs(measured - reference).reshape(len(reference), -1).max(axis=1).mean()


def rms(measured, reference):
    """rms of the difference."""
    return np.sqrt(np.mean(np.abs(measured - reference) ** 2))


def rms_relative(measured, reference):
    """rms of the difference over that of the reference."""
    return rms(measured, reference) / np.sqrt(np.mean(np.abs(reference) ** 2))


def rms_fluctuation(measured, reference):
    """rms of the difference over that of the reference about its first sample."""
    return rms(measured, reference) / np.sqrt(np.mean(np.abs(reference - reference[0]) ** 2))


def final(measured, reference):
    """Relative difference of the norms of whole vectors."""
    return np.linalg.norm(measured - reference) / np.linalg.norm(reference)


def levels(measured, reference, within=slice(None)):
    """Largest difference [dB] of third octaves, rms (B, ...), in the bands `within` that level_difference compares.

    Bands are left out for the reference's sake alone: what is no number in `measured` makes it nan, and so does a
    reference without a band.
    """
    kept = ~np.isnan(level_difference(reference, reference)[within])
    difference = np.abs(level_difference(measured, reference)[within][kept])
    return np.max(difference) if difference.size else np.nan
