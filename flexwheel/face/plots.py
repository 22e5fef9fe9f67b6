"""`results.fw.plot`: the figures of the commands, as pictures that a notebook shows and that can be saved."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from flexwheel.assess.figures.notebook_pages import Picture
from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import PICTURES, VEHICLE
from flexwheel.results.check_results import require_variables


def require_vehicle(dataset: xr.Dataset, what: str) -> None:
    """Refuse results of another kind of run."""
    if dataset.attrs.get("kind") != VEHICLE:
        raise ScenarioError(f"{what}: results must be of kind {VEHICLE!r}, got {dataset.attrs.get('kind')!r}")


def known_node(dataset: xr.Dataset, variable: str, node: str | None) -> str:
    """A control node, by default the first one, of results that have the variable for it."""
    if "control_node" not in dataset.coords:
        raise ScenarioError("results must be of a run with a flexible wheelset: they have no control node")
    require_variables(dataset, variable, [variable])
    known = [str(name) for name in dataset.control_node.values]
    if node is not None and node not in known:
        raise ScenarioError(f"control node must be one of {', '.join(known)}, got {node!r}")
    return known[0] if node is None else node


def of_elements(dataset: xr.Dataset) -> xr.Dataset:
    """Variables of the force elements, by their names without `element_`."""
    require_vehicle(dataset, "elements")
    names = [str(name) for name in dataset.data_vars if "element" in dataset[name].dims]
    if not names:
        raise ScenarioError("results must be of a run with output.also = ['elements']: they have no force elements")
    return dataset[names].rename({name: name.removeprefix("element_") for name in names})


def of_energy(dataset: xr.Dataset) -> xr.Dataset:
    """Terms of the energy ledger, by their names without `energy_`."""
    require_vehicle(dataset, "energy")
    names = [str(name) for name in dataset.data_vars if str(name).startswith("energy_")]
    if not names:
        raise ScenarioError("results must be of a run with output.also = ['energy']: they have no energy ledger")
    return dataset[names].rename({name: name.removeprefix("energy_") for name in names})


class Plots:
    """Figures of results.

    Example
    -------
    >>> results.fw.plot.safety().save("safety.png")
    """

    def __init__(self, dataset: xr.Dataset) -> None:
        self._dataset = dataset

    def forces(self) -> Picture:
        """Q, Y and longitudinal force of every wheel along the track; of a response: its third octaves.

        Example
        -------
        >>> results.fw.plot.forces()
        """
        from flexwheel.assess.figures import force_figures, response_figures

        of_response = "contact_force_band" in self._dataset
        if not of_response:
            self._require_forces("forces")
        return self._picture((response_figures if of_response else force_figures).force_figure(self._dataset))

    def safety(self) -> Picture:
        """Y/Q and sum Y with their limits.

        Example
        -------
        >>> results.fw.plot.safety()
        """
        from flexwheel.assess.figures.force_figures import safety_figure

        self._require_forces("safety")
        return self._picture(safety_figure(self._dataset))

    def element(self, name: str) -> Picture:
        """Force and moment of a force element against time, and against its stroke and turn.

        Example
        -------
        >>> results.fw.plot.element("secondary_lateral_damper front_bogie left")
        """
        from flexwheel.assess.figures.element_figures import element_figure

        found = of_elements(self._dataset)
        known = [str(label) for label in found.element.values]
        if name not in known:
            raise ScenarioError(f"element must be one of {', '.join(known)}, got {name!r}")
        return self._picture(element_figure(found.sel(element=name)))

    def energy(self) -> Picture:
        """Energy ledger over time: change of what is stored, lost, put in, left over.

        Example
        -------
        >>> results.fw.plot.energy()
        """
        from flexwheel.assess.figures.element_figures import energy_figure

        return self._picture(energy_figure(of_energy(self._dataset)))

    def force_spectrum(self) -> Picture:
        """Third octaves of Q and Y of every wheel.

        Example
        -------
        >>> results.fw.plot.force_spectrum()
        """
        from flexwheel.assess.figures.force_figures import force_spectrum_figure

        self._require_forces("force spectrum")
        return self._picture(force_spectrum_figure(self._dataset))

    def stress(self, node: str | None = None) -> Picture:
        """Von Mises stress of a control node (the first one by default) over the run, turning and fixed point.

        Example
        -------
        >>> results.fw.plot.stress("front web_fillet_right")
        """
        from flexwheel.assess.figures.control_node_figures import stress_figure

        return self._picture(stress_figure({"": self._dataset}, self._node(node, "von_mises")))

    def displacement(self, node: str | None = None) -> Picture:
        """Radial displacement of a control node over the run.

        Example
        -------
        >>> results.fw.plot.displacement()
        """
        from flexwheel.assess.figures.control_node_figures import displacement_figure

        return self._picture(displacement_figure({"": self._dataset}, self._node(node, "radial_displacement")))

    def acceleration_spectrum(self, node: str | None = None) -> Picture:
        """Density and third octaves of a control node's acceleration.

        Example
        -------
        >>> results.fw.plot.acceleration_spectrum()
        """
        from flexwheel.assess.figures.control_node_figures import acceleration_spectrum_figure

        return self._picture(
            acceleration_spectrum_figure({"": self._dataset}, self._node(node, "absolute_acceleration"))
        )

    def third_octaves(self, variable: str, **where: Any) -> Picture:
        """Third octaves of a variable, one curve for each of its labels.

        Example
        -------
        >>> results.fw.plot.third_octaves("wheel_force", force="Q")
        """
        from flexwheel.assess.figures.notebook_figures import band_figure

        words = " ".join(map(str, (variable, *where.values())))
        title = f"{words}: third octaves after settling"
        return self._picture(band_figure(self._dataset.fw.third_octaves(variable, **where), title))

    def study(self, figure: str, kind: str = "") -> Picture:
        """A figure of a study: lines, map, tornado, points or bands, as its plan asks for.

        Example
        -------
        >>> fw.open_results("out/study").fw.plot.study("sum Y", "map")
        """
        pictures = PICTURES.get(str(self._dataset.attrs.get("kind")))
        if pictures is None or pictures.figures is None or figure not in self._dataset:
            known = ", ".join(map(str, self._dataset.data_vars))
            raise ScenarioError(f"study figure must be one of {known}, of results of fw.sweep, got {figure!r}")
        if not np.isfinite(self._dataset[figure].values).any():
            raise ScenarioError(f"study figure {figure!r}: no run has it")
        made = pictures.figures(self._dataset, figure)
        if kind and kind not in made:
            raise ScenarioError(f"study figure {figure!r}: kind must be one of {', '.join(made)}, got {kind!r}")
        return self._picture(made[kind] if kind else next(iter(made.values())))

    def _picture(self, figure: Any) -> Picture:
        from flexwheel.assess.figures.style import footer_of

        return Picture(figure, footer_of(self._dataset.attrs))

    def _require_forces(self, what: str) -> None:
        require_vehicle(self._dataset, what)
        require_variables(self._dataset, what, ["wheel_force"])

    def _node(self, node: str | None, variable: str) -> str:
        return known_node(self._dataset, variable, node)
