"""The JSON schema of scenarios, for editors that complete and check TOML by one."""

import json
from functools import reduce
from operator import or_
from typing import Annotated

from pydantic import Field, TypeAdapter

from flexwheel.base.kind import KINDS
from flexwheel.run.keys.section import Section, TablesOf

LIMITS = {"gt": "exclusiveMinimum", "ge": "minimum", "lt": "exclusiveMaximum", "le": "maximum"}
LABELLED = ("source", "confidence", "unit", "note")
"""Words that may stand beside a value of a part."""


def scenario_schema() -> dict:
    """JSON schema (draft 2020-12) of a scenario of any kind, as plain values.

    TOML has no null: a key that may be left out is one that is not required.
    """
    models = {kind: value.keys for kind, value in KINDS.items()}
    of_any_kind = Annotated[reduce(or_, models.values()), Field(discriminator="kind")]
    schema = TypeAdapter(of_any_kind).json_schema()
    for model in models.values():
        for name, field in model.model_fields.items():
            for item in field.metadata:
                if isinstance(item, TablesOf):
                    _add_tables(schema, model, name, item.sections)
    schema = _plain(schema)
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "flexwheel scenario"
    of_kind = [
        {"if": {"properties": {"kind": {"const": kind}}, **({} if kind == KINDS.default else {"required": ["kind"]})},
         "then": {"$ref": f"#/$defs/{model.__name__}"}}
        for kind, model in models.items()
    ]  # fmt: skip
    kinds = {"kind": {"enum": list(models), "default": KINDS.default}}
    del schema["oneOf"], schema["discriminator"]
    return schema | {"type": "object", "properties": kinds, "allOf": of_kind}


def schema_text() -> str:
    """The schema as text."""
    return json.dumps(scenario_schema(), indent=1) + "\n"


def _add_tables(schema, model, name, sections: tuple[type[Section], ...]):
    """Put the sections of a part's tables in; each of their values may also be a table with a label."""
    single = "dict[str, dict]" not in str(model.model_fields[name].annotation)
    tables = []
    for section in sections:
        made = section.model_json_schema()
        labels = {word: {"type": "string"} for word in LABELLED}
        for key, value in made["properties"].items():
            labelled = {"type": "object", "properties": {"value": value, **labels}, "required": ["value"]}
            made["properties"][key] = {"anyOf": [value, labelled], "description": value.get("description", "")}
        tables.append(made)
    target = schema["$defs"][model.__name__]["properties"][name]
    target.pop("anyOf", None)
    table = {"anyOf": tables}
    target |= table if single else {"type": "object", "additionalProperties": table}


def _plain(value):
    """Schema without what pydantic writes for None, and with limits by their names in JSON schema."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if not isinstance(value, dict):
        return value
    value = {LIMITS.get(key, key) if not isinstance(item, dict) else key: _plain(item) for key, item in value.items()}
    if value.get("default", 0) is None:
        del value["default"]
    kinds = [item for item in value.get("anyOf", ()) if item != {"type": "null"}]
    if "anyOf" in value and len(kinds) == 1:
        del value["anyOf"]
        return kinds[0] | value
    return value | ({"anyOf": kinds} if kinds else {})
