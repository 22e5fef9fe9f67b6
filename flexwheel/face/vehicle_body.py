"""Flexible body of the face that is no wheelset: a mesh, matrices of another code, or arrays of numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from flexwheel.assess.figures.notebook_pages import Shown
from flexwheel.base.errors import MeshError
from flexwheel.body.reduced_body import FlexibleBody
from flexwheel.face.display import OfSection
from flexwheel.run.flexible_bodies import flexible_unit
from flexwheel.run.keys.mesh_keys import BodySection
from flexwheel.run.keys.reader import Places, validated
from flexwheel.run.wheelset_mesh import mesh_of


@dataclass(frozen=True, repr=False)
class VehicleBody(OfSection):
    """A flexible body of a vehicle, a car body or bogie frame; reduced when that is asked for.

    Example
    -------
    >>> body = fw.VehicleBody.from_files("car.pch", attachments={"front": 101, "rear": 102})
    >>> results = fw.run(scenario.changed({"body.car_body": body}))
    """

    section: BodySection  # keys of [body.NAME]

    def _head(self):
        files = self.section.matrices if self.section.mesh is None else [self.section.mesh]
        of = ", ".join(Path(file).name for file in files)
        return f"of {of}", f"attachments {', '.join(self.section.attachments) or 'none'}"

    @classmethod
    def from_mesh(cls, path: str | Path, **keys: Any) -> VehicleBody:
        """Body of a mesh file.

        Parameters
        ----------
        path : str or Path
        **keys              of [body.NAME] in docs/scenario.md: attachments, modes_up_to_hz [Hz], control_nodes ..

        Example
        -------
        >>> fw.VehicleBody.from_mesh("frame.inp", attachments={"left": "SEAT_LEFT", "right": "SEAT_RIGHT"})
        """
        return cls._of("VehicleBody.from_mesh", mesh=str(Path(path).resolve()), **keys)

    @classmethod
    def from_files(cls, *files: str | Path, **keys: Any) -> VehicleBody:
        """Body reduced elsewhere, of the files that hold it.

        Parameters
        ----------
        *files              as `matrices` of [body.NAME]
        **keys              of [body.NAME] in docs/scenario.md: attachments, modes_up_to_hz [Hz], control_nodes ..

        Raises
        ------
        ScenarioError       an unknown key, a wrong value
        MeshError           when the body is asked for: what is wrong with a file

        Example
        -------
        >>> fw.VehicleBody.from_files("frame.op4", "frame.pch", attachments={"left": 11, "right": 12}, mesh_unit="mm")
        """
        return cls._of("VehicleBody.from_files", matrices=[str(Path(file).resolve()) for file in files], **keys)

    @classmethod
    def _of(cls, called: str, **keys: Any) -> VehicleBody:
        return cls(validated(BodySection, keys, Places(Path(called))))

    @classmethod
    def from_arrays(
        cls,
        file: str | Path,
        stiffness: npt.ArrayLike,
        mass: npt.ArrayLike,
        nodes: Mapping[int, Sequence[float]],
        coordinates: npt.ArrayLike | None = None,
        *,
        damping: npt.ArrayLike | None = None,
        attachments: Mapping[str, int],
        points: Mapping[str, tuple[Any, Any, Any]] | None = None,
        **keys: Any,
    ) -> VehicleBody:
        """Body of matrices, kept in a file of the package's own that a scenario names.

        Parameters
        ----------
        file : str or Path              .nc to write
        stiffness, mass, damping : (D, D)   SI, of the free body; without damping: `damping_ratio` of every mode
        nodes : dict                    id -> x, y, z [m]: x forward, y left, z up
        coordinates : (D, 2) int        node and component (1-3 translations, 4-6 rotations) of each row; component 0:
                                        a further coordinate, such as the amplitude of a mode; default: six of each
                                        node in their order, then further ones
        attachments : dict              name -> id of a node with six components
        points : dict                   name -> x, y, z; motion (3, D); stress (6, D) xx yy zz xy yz zx [Pa], or None
        **keys                          of [body.NAME]: modes_up_to_hz, damping_ratio, control_nodes ..

        Raises
        ------
        MeshError           matrices that are not square, symmetric, finite, or not of a free body

        Example
        -------
        >>> body = fw.VehicleBody.from_arrays("beam.nc", k, m, {1: (0, 0, 0), 2: (9, 0, 0)}, attachments={"a": 1})
        """
        from flexwheel.body.superelement import RecoveryPoint, Superelement

        k, m = _matrix(stiffness, "stiffness"), _matrix(mass, "mass")
        c = None if damping is None else _matrix(damping, "damping")
        size, ids = len(k), [int(node) for node in nodes]
        if coordinates is None:
            pairs = [(node, component) for node in ids for component in range(1, 7)]
            pairs += [(0, 0)] * (size - len(pairs))
            coordinates = np.array(pairs[:size] if len(pairs) <= size else pairs).reshape(-1, 2)
        node, component = _matrix(coordinates, "coordinates").astype(np.int64).T
        nothing = np.full((6, size), np.nan)
        superelement = Superelement(
            k,
            m,
            node,
            component,
            {int(n): np.asarray(x, dtype=float) for n, x in nodes.items()},
            c,
            attachments={str(name): int(n) for name, n in attachments.items()},
            points=tuple(
                RecoveryPoint(name, np.asarray(x, dtype=float), np.asarray(u, dtype=float), nothing if s is None else s)
                for name, (x, u, s) in (points or {}).items()
            ),
        )
        _write(file, superelement)
        body = cls.from_files(file, **keys)
        _ = body.body
        return body

    @cached_property
    def body(self) -> FlexibleBody:
        """The reduced body: modes, mass, rows of attachments and points.

        Example
        -------
        >>> body.body.mass
        """
        return flexible_unit("body", self.section).body

    @property
    def frequencies_hz(self) -> npt.NDArray[np.float64]:
        """Frequencies (H,) [Hz] of its modes, free, without the rigid ones.

        Example
        -------
        >>> body.frequencies_hz[0]
        """
        return self.body.frequency_hz

    def write(self, file: str | Path) -> None:
        """Write the reduced body for another code: .nc, .pch, .op4, .inp.

        Example
        -------
        >>> scenario.bodies["car_body"].write("car.pch")
        """
        from flexwheel.body.superelement import superelement_of

        _write(file, superelement_of(self.body))

    def view(self, path: str | Path | None = None) -> Shown:
        """The page of the mesh with attachments, ties, point masses and points, and a picture; path: .html or .png.

        Raises MeshError for a body of matrices.

        Example
        -------
        >>> scenario.bodies["car_body"].view("found.png")
        """
        from flexwheel.assess.figures.found_page import shown_mesh

        if self.section.matrices:
            raise MeshError("a body of matrices has no mesh to draw")
        mesh = mesh_of(self.section, "body.{}".format)[0]
        return shown_mesh(mesh, self.body, Path(self.section.mesh or "").name, path)


def _write(file: str | Path, superelement: Any) -> None:
    from flexwheel.body.matrix_format import write_matrices

    write_matrices(file, superelement)


def _matrix(values: npt.ArrayLike, name: str) -> npt.NDArray[np.float64]:
    try:
        found = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        raise MeshError(f"{name} must be a matrix of numbers, got {type(values).__name__}") from None
    if found.ndim != 2:
        raise MeshError(f"{name} must be a matrix of numbers, got {found.ndim} dimensions")
    return found
