"""Keys of what stands in or on the mesh of a flexible body: control nodes, press fits."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from flexwheel.run.keys.section import Finite, NonNegative, Section, Usual, Whole


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
