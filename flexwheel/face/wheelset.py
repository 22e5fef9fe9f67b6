"""Flexible wheelset of the face: a mesh, what it is reduced with, and the reduced body."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import numpy.typing as npt
import xarray as xr

from flexwheel.assess.figures.notebook_pages import Shown, html_table, svg_of
from flexwheel.assess.wheelset_matrices import wheelset_matrices, wheelset_modes
from flexwheel.base.errors import MeshError, ScenarioError
from flexwheel.base.input_files import exists, expanded, regular_file
from flexwheel.base.shipped import MESHES
from flexwheel.body.mesh import Mesh
from flexwheel.body.reduced_body import ReducedBody
from flexwheel.face.display import OfSection
from flexwheel.run.keys.reader import Places, validated
from flexwheel.run.keys.vehicle_keys import WheelsetSection
from flexwheel.run.reduced_bodies import body_and_surface, flexible_wheelsets
from flexwheel.run.wheelset_mesh import wheelset_mesh


@dataclass(frozen=True, repr=False)
class Wheelset(OfSection):
    """A flexible wheelset; its mesh is imported and reduced, or taken from the cache, when that is asked for.

    Example
    -------
    >>> wheelset = fw.Wheelset.from_mesh("meshes/wheelset.inp")
    >>> results = fw.run(fw.Scenario.example("as4_curve", {"wheelset.front": wheelset}))
    """

    section: WheelsetSection  # keys of [wheelset.NAME]
    name: str = "wheelset"

    @classmethod
    def from_mesh(cls, path: str | Path, **keys: Any) -> Wheelset:
        """Wheelset of a mesh file (.inp, .bdf, .msh, .vtk).

        Parameters
        ----------
        path : str or Path  a file, or the name of a shipped mesh (wheelset.inp, ..) where there is no such file
        **keys              of [wheelset.NAME] in docs/scenario.md: control_nodes, modes_up_to_hz [Hz], damping_ratio,
                            mesh_unit, axle_axis, youngs_modulus_pa with poissons_ratio and density_kg_m3, mode ..

        Raises
        ------
        ScenarioError       an unknown key, a wrong value
        MeshError           no such file

        Example
        -------
        >>> fw.Wheelset.from_mesh("own.inp", mesh_unit="mm", control_nodes=["web_fillet_right", 4711])
        """
        given = expanded(path, MeshError)
        found = MESHES / given if exists(MESHES / given) and not exists(given) else given
        file = regular_file(found, "a mesh of a wheelset", MeshError).resolve()
        data = {"formulation": "flexible", **keys, "mesh": str(file)}
        return cls(validated(WheelsetSection, data, Places(Path("Wheelset.from_mesh"))), Path(path).stem)

    @cached_property
    def mesh(self) -> Mesh:
        """The mesh as imported and placed: axle along y, middle at the origin [m].

        Example
        -------
        >>> wheelset.mesh.nodes.shape
        (56021, 3)
        """
        return wheelset_mesh(self.name, self.section)[0]

    @cached_property
    def _reduced(self) -> Any:
        one = SimpleNamespace(wheelset={self.name: self.section}, accept=())
        return flexible_wheelsets(one)[self.name]

    @property
    def body(self) -> ReducedBody:
        """The reduced body: modes, mass, invariants, rows of treads and control nodes.

        Example
        -------
        >>> wheelset.body.mass
        """
        return self._reduced.body

    @property
    def frequencies_hz(self) -> npt.NDArray[np.float64]:
        """Frequencies (H,) [Hz] of the flexible modes of the reduced body, free, without the rigid ones.

        Example
        -------
        >>> wheelset.frequencies_hz[0]
        """
        return self.body.frequency_hz

    @property
    def modes(self) -> xr.Dataset:
        """frequency [Hz], order (circumferential; -1 where the mesh is not of revolution) and damping_ratio by mode.

        shape: translation [kg-1/2] and rotation [kg-1/2 m-1] by place and axis of a mode of unit modal mass.

        Example
        -------
        >>> wheelset.modes.shape.sel(place="wheel_left", axis="z")
        """
        return wheelset_modes(self.body)

    @cached_property
    def _matrices(self) -> xr.Dataset:
        return wheelset_matrices(self.body)

    @property
    def stiffness(self) -> xr.DataArray:
        """Stiffness (row, column) of the free reduced wheelset; rows are named: journals, wheels, modes between them.

        SI units: displacements m and rad, forces N and N m; amplitudes of modes kg1/2 m, which have unit mass.

        Example
        -------
        >>> scipy.linalg.eigh(wheelset.stiffness, wheelset.mass, eigvals_only=True)
        """
        return self._matrices.stiffness

    @property
    def mass(self) -> xr.DataArray:
        """Mass (row, column), rows as of `stiffness`.

        Example
        -------
        >>> wheelset.mass.sel(row="wheel_left z", column="wheel_left z")
        """
        return self._matrices.mass

    def write(self, file: str | Path) -> None:
        """Write the reduced wheelset for another code (.nc, .pch, .op4, .inp): docs/reduced_bodies.md.

        Example
        -------
        >>> wheelset.write("wheelset.pch")
        """
        from flexwheel.body.matrix_format import write_matrices
        from flexwheel.body.superelement import superelement_of
        from flexwheel.body.wheelset_places import wheelset_with_places

        write_matrices(file, superelement_of(wheelset_with_places(self.body)))

    def view(self, path: str | Path | None = None, *, mode: int | None = None) -> Shown:
        """The page of what was found in the mesh, as `flexwheel reduce --view`, and a picture of it; or of a mode.

        Parameters
        ----------
        path : str or Path      file to write: .html, which a notebook links, or .png; default: only shown
        mode : int              number of a mode, from 1, in place of what was found

        Example
        -------
        >>> wheelset.view(mode=1)
        """
        from flexwheel.assess.figures.found_page import shown_mesh

        count = len(self.frequencies_hz)
        if mode is not None and not 1 <= mode <= count:
            raise ScenarioError(f"mode must be a number from 1 to {count}, got {mode!r}")
        surface = body_and_surface(self.name, self.section)[1]
        return shown_mesh(self.mesh, self.body, Path(self.section.mesh or "").name, path, surface, mode)

    def _head(self):
        body = self.__dict__.get("_reduced")
        words = "not yet reduced" if body is None else f"{body.body.mass:.0f} kg, {len(self.frequencies_hz)} modes"
        return f"of {Path(self.section.mesh or '').name}", words

    def _parts(self):
        from flexwheel.assess.figures.notebook_figures import wheelset_figure

        nodes = self.mesh.nodes
        rows: list[tuple[object, ...]] = [("nodes", len(nodes)), ("elements", self.mesh.element_count)]
        if "_reduced" in self.__dict__:
            rows += [("lowest mode [Hz]", float(self.frequencies_hz.min()))]
        return svg_of(wheelset_figure(nodes, self._head()[0])), html_table(("", ""), rows)
