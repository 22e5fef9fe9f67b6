"""Stress of all nodes of a section of the surface as constant rows times coefficients that move with time.

A material point of a mesh of revolution lies, at a time, m whole sections and a fraction of one ahead of its own. Its
stress is that of the fixed section there under modal coordinates turned back by the fraction, with Fourier's series
of the residual tables written in powers of the fraction. So one matrix a section serves the points that turn and those
that stand (m = 0, no fraction), and what depends on time does not depend on the node.

The recovery is that of the control nodes (post.control_nodes), quantity by quantity.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.fe.control_rings import STRESS_PAIRS
from flexwheel.post.control_nodes import load_terms
from flexwheel.post.mode_turning import mode_turning, turned

POWERS = 6  # of the angle beyond a section


@dataclass(frozen=True)
class StressRows:
    """Rows of S sections with C nodes each, section axes, [Pa] per coefficient."""

    rows: np.ndarray  # (S, 6, C, K) float32, components xx yy zz xy yz zx
    turning: bool  # whether nodes pass from section to section as they turn

    @property
    def count(self):
        """Coefficients K."""
        return self.rows.shape[3]


def ring_stress_rows(body, point, modal_only=False):
    """StressRows of the rings of a body of revolution.

    Parameters
    ----------
    body : ReducedBody      its control rings are those of the surface, each at home in section 0
    point : str             rotating or fixed
    modal_only : bool       without the residual
    """
    control = body.control
    count, sections = control.stress_rows.shape[:2]
    parts = [np.moveaxis(control.stress_rows, 0, 2)]  # (S, 6, C, H)
    if not modal_only:
        parts.append(np.moveaxis(control.centrifugal_stress, 0, 2)[..., None])
        tables = [control.tread_stress, control.interface_stress]
        for term in range(2):
            tables += [control.tread_stress_dynamic[term], control.interface_stress_dynamic[term]]
        tables = np.concatenate([table.reshape(count, sections, 6, -1) for table in tables], axis=-1)
        if point == "fixed":
            parts.append(np.moveaxis(tables, 0, 2))
        else:
            parts += _powers(tables)
    return StressRows(np.concatenate([part.astype(np.float32) for part in parts], axis=-1), point == "rotating")


def _powers(table):
    """Coefficients (S, 6, C, k) of the powers of the part of a section beyond it, from tables (C, S, 6, k).

    Of the polynomial through POWERS values of Fourier's series between two sections: 0.1 % of the highest order, which
    alternates from section to section, and far less of those that carry the stress.
    """
    sections = table.shape[1]
    places = 0.5 - 0.5 * np.cos(np.pi * np.arange(POWERS) / (POWERS - 1))
    spectrum = np.fft.rfft(table, axis=1)
    order = np.arange(spectrum.shape[1])[:, None, None]
    turn = np.exp(2j * np.pi * order[..., None] / sections * places)
    if sections % 2 == 0:
        turn[-1] = turn[-1].real
    values = [np.fft.irfft(spectrum * turn[..., k], sections, axis=1) for k in range(POWERS)]
    inverse = np.linalg.inv(places[:, None] ** np.arange(POWERS))
    return [np.moveaxis(np.tensordot(row, values, axes=1), 0, 2) for row in inverse]


def node_stress_rows(stress_rows):
    """StressRows of nodes without rings, from (n, 6, H) of their modes alone: one section."""
    return StressRows(np.moveaxis(stress_rows, 1, 0)[None].astype(np.float32), False)


def stress_coefficients(body, history, point, modal_only=False):
    """Section by which nodes have turned, and coefficients.

    Parameters
    ----------
    body : ReducedBody
    history : WheelsetHistory
    point : str             rotating or fixed; a mesh that is not of revolution has rotating ones alone
    modal_only : bool

    Returns
    -------
    shift : (T,) int        whole sections that a material point lies ahead of its own; 0 for fixed points
    coefficients : (T, K) float64
    """
    modal, spin = history.modal_position, history.spin
    shift, ahead = np.zeros(len(spin), dtype=np.int64), np.zeros(len(spin))  # ahead in sections
    if np.all(np.asarray(body.order) >= 0):
        if point == "rotating":
            shift = np.floor(spin / body.sector_angle).astype(np.int64)
            ahead = spin / body.sector_angle - shift
        angle = (spin if history.mode == "lagrangian" else 0.0) - ahead * body.sector_angle
        if np.any(angle):
            modal = turned(mode_turning(body.generator), modal, angle)
    parts = [modal]
    if not modal_only:
        loads = np.concatenate(load_terms(history), axis=1)
        parts.append(history.body_velocity[:, 5:] ** 2)
        parts += [loads * ahead[:, None] ** power for power in range(POWERS if point == "rotating" else 1)]
    return shift, np.concatenate(parts, axis=1)


def principal_stresses(stress):
    """Principal stresses (..., 3), smallest first, of (..., 6) components xx yy zz xy yz zx."""
    tensor = np.zeros((*np.shape(stress)[:-1], 3, 3))
    for k, (a, b) in enumerate(STRESS_PAIRS):
        tensor[..., a, b] = tensor[..., b, a] = np.asarray(stress)[..., k]
    return np.linalg.eigvalsh(tensor)
