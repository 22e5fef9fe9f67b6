"""Stress of all nodes of a section of the surface as constant rows times coefficients that move with time.

A material point of a mesh of revolution lies, at a time, m whole sections and a fraction of one ahead of its own. Its
stress is that of the fixed section there under modal coordinates turned back by the fraction, with Fourier's series
of the residual tables written in powers of the fraction. So one matrix a section serves all points that pass it, and
what depends on time does not depend on the node.

The recovery is that of the control nodes (control_nodes), quantity by quantity.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.body.stress import STRESS_PAIRS
from flexwheel.results.evaluate.control_nodes import load_terms
from flexwheel.results.evaluate.mode_turning import mode_turning, turned
from flexwheel.results.evaluate.valid_band import series_holds

POWERS = 6  # of the angle beyond a section


@dataclass(frozen=True)
class StressRows:
    """Rows of C rings with S nodes each, section axes, [Pa] per coefficient, components xx yy zz xy yz zx."""

    material: np.ndarray  # (C, S, 6, K) float32, of the nodes
    standing: np.ndarray  # (C, k, 6 S) float32, of places that stand at the sections
    turning: bool  # whether nodes pass from section to section as they turn


@dataclass(frozen=True)
class StressCoefficients:
    """What goes with StressRows over T samples."""

    shift: np.ndarray  # (T,) int, whole sections that a node lies ahead of its own
    material: np.ndarray  # (T, K) float32
    standing: np.ndarray  # (T, k) float32

    def part(self, rows):
        """The same for some samples."""
        return StressCoefficients(self.shift[rows], self.material[rows], self.standing[rows])


def joined(parts):
    """StressCoefficients of samples that follow each other."""
    columns = ("shift", "material", "standing")
    return StressCoefficients(*(np.concatenate([getattr(part, name) for part in parts]) for name in columns))


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
    tables = [control.stress_rows]  # (C, S, 6, H)
    if not modal_only:
        tables.append(control.centrifugal_stress[..., None])
        tables += [control.tread_stress, control.interface_stress]
        for term in range(2):
            dynamic = control.tread_stress_dynamic[term], control.interface_stress_dynamic[term]
            tables += [series_holds(body) * table for table in dynamic]
    tables = np.concatenate([np.reshape(table, (count, sections, 6, -1)) for table in tables], axis=-1)
    standing = np.ascontiguousarray(tables.transpose(0, 3, 2, 1), dtype=np.float32).reshape(count, -1, 6 * sections)
    if point == "fixed" or modal_only:
        return StressRows(np.ascontiguousarray(tables, dtype=np.float32), standing, point == "rotating")
    same = control.stress_rows.shape[3] + 1
    loads = tables.shape[3] - same
    material = np.empty((count, sections, 6, same + POWERS * loads), dtype=np.float32)
    material[..., :same] = tables[..., :same]
    powers = _powers(sections).reshape(POWERS * sections, sections)
    for ring in range(count):
        series = (powers @ tables[ring, ..., same:].reshape(sections, -1)).reshape(POWERS, sections, 6, loads)
        material[ring, ..., same:] = series.transpose(1, 2, 0, 3).reshape(sections, 6, -1)
    return StressRows(material, standing, True)


def _powers(sections):
    """(POWERS, S, S) from a table over the sections to the coefficients of the powers of the part of a section beyond.

    Of the polynomial through POWERS values of Fourier's series between two sections: 0.1 % of the highest order, which
    alternates from section to section, and far less of those that carry the stress.
    """
    places = 0.5 - 0.5 * np.cos(np.pi * np.arange(POWERS) / (POWERS - 1))
    spectrum = np.fft.rfft(np.eye(sections), axis=0)
    order = np.arange(len(spectrum))[:, None]
    turn = np.exp(2j * np.pi * order / sections * places)
    if sections % 2 == 0:
        turn[-1] = turn[-1].real
    values = np.array([np.fft.irfft(spectrum * turn[:, k, None], sections, axis=0) for k in range(POWERS)])
    return np.tensordot(np.linalg.inv(places[:, None] ** np.arange(POWERS)), values, axes=1)


def node_stress_rows(stress_rows):
    """StressRows of nodes without rings, from (n, 6, H) of their modes alone: one section."""
    rows = np.ascontiguousarray(stress_rows, dtype=np.float32)
    return StressRows(rows[:, None], np.ascontiguousarray(rows.transpose(0, 2, 1)), False)


def stress_coefficients(body, history, point, modal_only=False):
    """StressCoefficients of a history.

    Parameters
    ----------
    body : ReducedBody
    history : WheelsetHistory
    point : str             rotating or fixed; a mesh that is not of revolution has rotating ones alone
    modal_only : bool
    """
    spin = history.spin
    shift, ahead = np.zeros(len(spin), dtype=np.int64), None
    standing = history.modal_position
    if np.all(np.asarray(body.order) >= 0):
        turning = mode_turning(body.generator)
        if history.mode == "lagrangian":
            standing = turned(turning, standing, spin)
        if point == "rotating":
            shift = np.floor(spin / body.sector_angle).astype(np.int64)
            ahead = spin / body.sector_angle - shift  # in sections
    material = [standing] if ahead is None else [turned(turning, standing, -ahead * body.sector_angle)]
    standing = [standing]
    if not modal_only:
        loads = np.concatenate(load_terms(history), axis=1)
        square = history.body_velocity[:, 5:] ** 2
        standing += [square, loads]
        material += [square, loads]
        if ahead is not None:
            material += [loads * ahead[:, None] ** power for power in range(1, POWERS)]
    parts = [np.ascontiguousarray(np.concatenate(part, axis=1), dtype=np.float32) for part in (material, standing)]
    return StressCoefficients(shift, *parts)


def principal_stresses(stress):
    """Principal stresses (..., 3), smallest first, of (..., 6) components xx yy zz xy yz zx."""
    tensor = np.zeros((*np.shape(stress)[:-1], 3, 3))
    for k, (a, b) in enumerate(STRESS_PAIRS):
        tensor[..., a, b] = tensor[..., b, a] = np.asarray(stress)[..., k]
    return np.linalg.eigvalsh(tensor)
