"""Vehicle of the face."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flexwheel.face.display import html_page, html_table, svg_of
from flexwheel.vehicle.vehicle_file import VehicleFile, read_vehicle


@dataclass(frozen=True)
class Vehicle:
    """A vehicle as its file states it: bodies, wheelsets, force elements, and what is assumed of them.

    Example
    -------
    >>> vehicle = fw.Vehicle.read("as4")
    >>> list(vehicle.bodies), list(vehicle.wheelsets)
    (['car_body'], ['front', 'rear'])
    """

    file: VehicleFile

    @classmethod
    def read(cls, name_or_path: str | Path) -> Vehicle:
        """Vehicle of a shipped name (as4, manchester_v1, ..) or of a TOML file.

        Raises
        ------
        ScenarioError       naming file and key

        Example
        -------
        >>> fw.Vehicle.read("manchester_v1").kind
        'coach'
        """
        return cls(read_vehicle(name_or_path))

    @property
    def name(self) -> str:
        """What the file calls it.

        Example
        -------
        >>> fw.Vehicle.read("as4").name
        """
        return self.file.name

    @property
    def kind(self) -> str:
        """locomotive, railcar, coach, freight_wagon, or empty.

        Example
        -------
        >>> fw.Vehicle.read("as4").kind
        'railcar'
        """
        return self.file.kind

    @property
    def bodies(self) -> dict[str, dict[str, Any]]:
        """Bodies but for the wheelsets, under the keys of the file, SI units.

        Example
        -------
        >>> vehicle.bodies["car_body"]["mass_kg"]
        """
        return self.file.bodies

    @property
    def wheelsets(self) -> dict[str, dict[str, Any]]:
        """Wheelsets, the leading one first, under the keys of the file.

        Example
        -------
        >>> vehicle.wheelsets["front"]["position_m"]
        """
        return self.file.wheelsets

    @property
    def mass_kg(self) -> float:
        """Mass of bodies, wheelsets and axle boxes [kg]; of a flexible wheelset that of the file, not of its mesh.

        Example
        -------
        >>> fw.Vehicle.read("as4").mass_kg
        """
        boxes = 2 * len(self.wheelsets) * (self.file.axle_box or {}).get("mass_kg", 0.0)
        return float(sum(part["mass_kg"] for part in (*self.bodies.values(), *self.wheelsets.values())) + boxes)

    @property
    def assumed(self) -> tuple[str, ...]:
        """Keys whose values are placeholders or memory, not data.

        Example
        -------
        >>> len(fw.Vehicle.read("as4").assumed)
        """
        return tuple(label.key for label in self.file.assumed)

    def table(self) -> dict[str, Any]:
        """The section [vehicle] of a scenario with it.

        Example
        -------
        >>> scenario.changed({"vehicle": fw.Vehicle.read("free_wheelset")})
        """
        return {"file": self.file.path}

    def _repr_html_(self) -> str:
        from flexwheel.assess.figures.notebook_figures import vehicle_figure

        parts = (*self.bodies.items(), *self.wheelsets.items())
        rows = [(name, part["mass_kg"], str(part["position_m"])) for name, part in parts]
        words = f"{self.mass_kg / 1e3:.2f} t, {len(self.assumed)} values assumed"
        drawing = svg_of(vehicle_figure(self.file))
        return html_page(self.name, words, drawing, html_table(("body", "mass [kg]", "position [m]"), rows))
