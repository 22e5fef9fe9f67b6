"""Keys of flexible bodies: their mesh, what stands in or on it, and those of a body that does not spin."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from flexwheel.run.keys.section import (
    Finite,
    Modulus,
    NamesFile,
    NonNegative,
    Number,
    Positive,
    Section,
    Usual,
    Whole,
)


def _short_forms(schema):
    """JSON schema of a control node with its short forms."""
    table = dict(schema)
    numbers = {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}
    schema.clear()
    schema["anyOf"] = [{"type": "string"}, {"type": "integer"}, numbers, table]


class ControlNodeKeys(Section):
    """A node of the mesh at which stress and motion are wanted: by id, by name of a node set, or by place."""

    model_config = ConfigDict(json_schema_extra=_short_forms)

    name: str | None = Field(None, description="what the node is called in results; also a preset name")
    id: Whole | None = Field(None, description="node id in the mesh file")
    position_m: tuple[Finite, Finite, Finite] | None = Field(
        None,
        description="x, y, z in the mesh as placed: axle along y, its middle at the origin; the nearest node is taken",
    )

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, int) and not isinstance(value, bool):
            return {"id": value}
        if isinstance(value, list | tuple):
            return {"position_m": value}
        return value


class PressFitKeys(Section):
    """Two surfaces of the mesh file that overlapped before they were pressed onto one another."""

    pair: str = Field(
        description="name of a `*TIE` of the mesh file, or the two surfaces of one or of a `*CONTACT PAIR` as "
        "FIRST/SECOND; the first surface is the finer one"
    )
    interference_mm: Annotated[NonNegative, Usual(0.0, 0.5, "wheels and discs on their seats")] = Field(
        le=10.0,
        description="by how much each of the two surfaces passes the other: half the difference of the diameters",
    )


class MeshKeys(Section):
    """The mesh of a flexible body."""

    mesh: Annotated[str | None, NamesFile()] = Field(
        None, description="FE mesh file (.inp, .msh, .bdf), relative to this scenario file"
    )
    mesh_unit: Literal["m", "mm"] = Field("m", description="length unit of the mesh file")
    ignore: tuple[str, ...] = Field(
        (),
        description="cards of the mesh file that carry mass, stiffness or a constraint, are not read, and are left out "
        "on purpose; names as in the message that refuses them",
    )
    element: Literal["default", "full"] = Field(
        "default",
        description="default: incompatible modes for 8-node hexahedra and 6-node wedges, reduced integration for "
        "20-node hexahedra; full: plain",
    )
    mass: Literal["consistent", "lumped"] = Field("consistent", description="FE mass matrix")


class BodySection(MeshKeys):
    """A flexible body of the vehicle that is no wheelset; its mass centre stands at the body's position_m."""

    youngs_modulus_pa: Modulus | None = Field(None, description="overrides the mesh file")
    poissons_ratio: Number | None = Field(None, gt=-1.0, lt=0.5, description="overrides the mesh file")
    density_kg_m3: Positive | None = Field(None, le=1e5, description="overrides the mesh file")
    attachments: dict[str, str] = Field(
        {},
        description="name -> node set of the mesh (three nodes or more) at which force elements take hold; axes of the "
        "mesh: x forward, y left, z up",
    )
    attachment_reach_mm: Positive = Field(
        50.0,
        le=2e4,
        description="largest distance from the end of a force element of the vehicle to the attachment that takes it; "
        "an arm from the attachment makes up for it",
    )
    coupling: Literal["rigid", "averaging"] = Field(
        "averaging", description="how the nodes of an attachment are tied to it (RBE2 or RBE3)"
    )
    modes_up_to_hz: Annotated[Positive, Usual(10.0, 1e3, "range of a car body or frame")] = Field(
        100.0,
        le=1e5,
        description="free modes up to here; beside them six static responses for each attachment",
    )
    damping_ratio: Annotated[Number, Field(ge=0.0, lt=1.0), Usual(0.0, 0.1, "material of a structure")] = Field(
        0.01, description="ratio of critical damping of every flexible mode"
    )
    control_nodes: tuple[ControlNodeKeys, ...] = Field(
        (), description="nodes whose motion is stored beside that of the attachments: node id, or x, y, z of the mesh"
    )

    @model_validator(mode="after")
    def _whole(self):
        if self.mesh is None:
            raise ValueError("mesh must be given for a flexible body")
        if not self.attachments:
            raise ValueError("attachments must name at least one node set")
        return self
