"""Keys of flexible bodies: their mesh, what stands in or on it, and those of a body that does not spin."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from flexwheel.body.mesh_format import LENGTH_UNITS
from flexwheel.run.keys.section import Finite, Modulus, NamesFile, NonNegative, Number, Positive, Section, Usual, Whole


def _or_short(numbers):
    """Change of a JSON schema of a table that may be a word, a whole number or some numbers instead."""

    def change(schema):
        table = dict(schema)
        schema.clear()
        schema["anyOf"] = [{"type": "string"}, {"type": "integer"}, {"type": "array"} | numbers, table]

    return change


class ControlNodeKeys(Section):
    """A node of the mesh at which stress and motion are wanted: by id, by name of a node set, or by place."""

    model_config = ConfigDict(json_schema_extra=_or_short({"items": {"type": "number"}, "minItems": 3, "maxItems": 3}))

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


class AttachmentKeys(Section):
    """Where force elements take hold of a flexible body: by name, or by nodes of its matrices."""

    model_config = ConfigDict(json_schema_extra=_or_short({"items": {"type": "integer"}, "minItems": 1}))

    set: str | None = Field(
        None, description="node set of the mesh, best of three nodes or more; of matrices an attachment of the file"
    )
    nodes: tuple[Whole, ...] = Field(
        (),
        description="of matrices: id of a node with translations and rotations, or ids of three nodes and more whose "
        "motion is averaged",
    )
    position_m: tuple[Finite, Finite, Finite] | None = Field(
        None, description="place of the one node of matrices, where no file has it"
    )

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"set": value}
        if isinstance(value, int) and not isinstance(value, bool):
            return {"nodes": (value,)}
        return {"nodes": value} if isinstance(value, list | tuple) else value

    @model_validator(mode="after")
    def _one(self):
        if (self.set is None) == (not self.nodes):
            raise ValueError("give exactly one of set and nodes")
        if self.position_m is not None and len(self.nodes) != 1:
            raise ValueError("position_m is the place of one node")
        return self


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
    mesh_unit: Literal[*LENGTH_UNITS] = Field("m", description="length unit of the mesh file")
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


OF_A_MESH = ("youngs_modulus_pa", "poissons_ratio", "density_kg_m3", "ignore", "element", "mass", "coupling")
"""Keys of a body that say nothing beside matrices."""


class BodySection(MeshKeys):
    """A flexible body of the vehicle that is no wheelset; its mass centre stands at the body's position_m."""

    matrices: Annotated[tuple[str, ...], NamesFile()] = Field(
        (),
        description="in place of a mesh: files of a body reduced elsewhere (docs/reduced_bodies.md): one netCDF file, "
        "or what holds stiffness, mass, places of nodes; mesh_unit mm: in N, t, mm, s",
    )
    youngs_modulus_pa: Modulus | None = Field(None, description="overrides the mesh file")
    poissons_ratio: Number | None = Field(None, gt=-1.0, lt=0.5, description="overrides the mesh file")
    density_kg_m3: Positive | None = Field(None, le=1e5, description="overrides the mesh file")
    attachments: dict[str, AttachmentKeys] = Field(
        {},
        description="name -> node set of the mesh, or node of the matrices, at which force elements take hold; "
        "x forward, y left, z up. Left out beside a netCDF file: all attachments it names",
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
        100.0, le=1e5, description="free modes up to here; beside them six static responses for each attachment"
    )
    damping_ratio: Annotated[Number, Field(ge=0.0, lt=1.0), Usual(0.0, 0.1, "material of a structure")] = Field(
        0.01,
        description="ratio of critical damping of every flexible mode, where matrices hold no damping of their own",
    )
    control_nodes: tuple[ControlNodeKeys, ...] = Field(
        (),
        description="nodes whose motion is stored beside that of the attachments: node id, or x, y, z of the mesh; of "
        "matrices a node id, or the name of a point that the file recovers",
    )

    @model_validator(mode="after")
    def _whole(self):
        if (self.mesh is None) == (not self.matrices):
            raise ValueError("give exactly one of mesh and matrices")
        if self.matrices:
            idle = [key for key in OF_A_MESH if key in self.model_fields_set]
            if idle:
                raise ValueError(f"{idle[0]} is of a mesh: take it out beside matrices")
        elif not self.attachments:
            raise ValueError("attachments must name at least one node set")
        else:
            for name, attachment in self.attachments.items():
                if attachment.set is None:
                    raise ValueError(f"attachments.{name} must name a node set of the mesh")
        return self

    @model_validator(mode="before")
    @classmethod
    def _one_file(cls, value: Any) -> Any:
        if isinstance(value, dict) and isinstance(value.get("matrices"), str):
            return value | {"matrices": (value["matrices"],)}
        return value
