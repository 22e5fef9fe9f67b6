"""Vehicle of the face."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from flexwheel.assess.figures.notebook_pages import html_table, svg_of
from flexwheel.base.errors import ScenarioError
from flexwheel.base.output_files import write_whole
from flexwheel.face.display import Displayed, counted
from flexwheel.face.kept import kept_file, plain
from flexwheel.run.keys.toml_text import toml_text
from flexwheel.vehicle.build_vehicle import vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.vehicle_file import BODY_KEYS, VehicleFile, read_vehicle, vehicle_of


@dataclass(frozen=True, repr=False)
class Body(Displayed):
    """A rigid body of a vehicle: SI units, position of its centre from the leading wheelset, z from the rails.

    Example
    -------
    >>> frame = fw.Body(2615.0, 1722.0, 1476.0, 3067.0, (-1.28, 0.0, 0.6))
    >>> frame.moved(-19.0).position_m
    (-20.28, 0.0, 0.6)
    """

    mass_kg: float
    roll_inertia_kg_m2: float
    pitch_inertia_kg_m2: float
    yaw_inertia_kg_m2: float
    position_m: Sequence[float]  # x forward, y left, z up

    def __post_init__(self):
        for key, (wanted, holds) in BODY_KEYS.items():
            if not holds(plain(getattr(self, key))):
                raise ScenarioError(f"Body: {key} must be {wanted}, got {getattr(self, key)!r}")

    def moved(self, along_m: float) -> Body:
        """The same body elsewhere along the track, forward positive.

        Example
        -------
        >>> rear = front.moved(-19.0)
        """
        x, *rest = self.position_m
        return replace(self, position_m=(x + along_m, *rest))

    def table(self) -> dict[str, Any]:
        """Its table in a vehicle file.

        Example
        -------
        >>> frame.table()["mass_kg"]
        """
        return asdict(self)

    def _head(self):
        inertia = f"{self.roll_inertia_kg_m2:g}, {self.pitch_inertia_kg_m2:g}, {self.yaw_inertia_kg_m2:g} kg m2"
        return f"of {self.mass_kg:g} kg", f"{inertia}, at {tuple(self.position_m)} m"


@dataclass(frozen=True, init=False, repr=False)
class Vehicle(Displayed):
    """A vehicle: bodies, wheelsets, force elements, and what is assumed of them.

    Example
    -------
    >>> vehicle = fw.Vehicle.read("as4")
    >>> list(vehicle.bodies), list(vehicle.wheelsets)
    (['car_body'], ['front', 'rear'])
    """

    file: VehicleFile

    def __init__(
        self,
        name: str = "vehicle",
        *,
        wheel: Mapping[str, float],
        wheelsets: Mapping[str, Mapping[str, Any]],
        bodies: Mapping[str, Body | Mapping[str, Any]] | None = None,
        elements: Mapping[str, Mapping[str, Any]] | None = None,
        axle_box: Mapping[str, Any] | None = None,
        kind: str | None = None,
    ):
        """A vehicle of tables, keys as in docs/vehicles.md; a value may have a label: {"value": .., "confidence": ..}.

        Raises
        ------
        ScenarioError       naming key, what came and what was expected
        """
        given = dict(
            name=name, kind=kind, wheel=wheel, bodies=bodies or {}, wheelsets=wheelsets, axle_box=axle_box,
            elements=elements,
        )  # fmt: skip
        tables = plain({key: value for key, value in given.items() if value is not None})
        file = vehicle_of(tables, Path(f"Vehicle {name}"))
        vehicle_elements(
            file, assemble_vehicle(vehicle_bodies(file), vehicle_wheelsets(file, 0.75))
        )  # refuses what is wrong
        self._set(read_vehicle(kept_file(name, ".toml", toml_text(tables))))

    def _set(self, file: VehicleFile) -> Vehicle:
        object.__setattr__(self, "file", file)
        return self

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
        return object.__new__(cls)._set(read_vehicle(name_or_path))

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

    def to_toml(self, path: str | Path) -> Path:
        """Write its file, which `Vehicle.read` and `vehicle.file` of a scenario take; returns the path.

        Example
        -------
        >>> fw.Vehicle.read(vehicle.to_toml("coach.toml")) == vehicle
        True
        """
        text = Path(self.file.path).read_text(encoding="utf-8")
        write_whole(Path(path), lambda target: target.write_text(text, encoding="utf-8"))
        return Path(path)

    def _head(self):
        bodies = counted(len(self.bodies), "body", "bodies")
        wheelsets = counted(len(self.wheelsets), "wheelset", "wheelsets")
        groups = counted(len(self.file.elements), "group", "groups")
        return self.name, f"{bodies}, {wheelsets}, {groups} of elements"

    def _parts(self):
        from flexwheel.assess.figures.notebook_figures import vehicle_figure

        parts = (*self.bodies.items(), *self.wheelsets.items())
        rows = [(name, part["mass_kg"], str(part["position_m"])) for name, part in parts]
        words = f" {self.mass_kg / 1e3:.2f} t, {len(self.assumed)} values assumed"
        return words, svg_of(vehicle_figure(self.file)), html_table(("body", "mass [kg]", "position [m]"), rows)
