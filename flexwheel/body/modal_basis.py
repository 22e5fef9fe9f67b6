"""Flexible modes of the whole mesh, as either route of the reduction hands them on."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ModalBasis:
    """M-orthonormal flexible modes, ascending in frequency; body frame."""

    shapes: np.ndarray  # (N, 3, H) [1/sqrt(kg)]
    frequency: np.ndarray  # (H,) [Hz]
    order: np.ndarray  # (H,) circumferential order, -1 where not known
    generator: np.ndarray  # (H, H) J, see reduced_body.py; zero where not known
    fixed_frequency: np.ndarray  # (k,) of the fixed-interface modes taken [Hz]
    constraint_shapes: np.ndarray  # (N, 3, C) constraint modes, for pictures
    fixed_shapes: np.ndarray  # (N, 3, k) fixed-interface modes, for pictures
