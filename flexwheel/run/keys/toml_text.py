"""Tables written as TOML text; a scenario so that it reads back to the same run."""

import json

from flexwheel.run.keys.idle_keys import idle_keys


def scenario_toml(scenario):
    """Every key of a scenario that is read, with its resolved value, as TOML text that reads back to the same run."""
    return toml_text(scenario_tables(scenario))


def scenario_tables(scenario):
    """The same as nested tables."""
    tables = scenario.model_dump(mode="json", exclude_none=True)
    for path, _, _ in idle_keys(scenario, given=False):
        table = tables
        for part in path[:-1]:
            table = table[part] if isinstance(table, list) or part in table else {}
        table.pop(path[-1], None)
    return tables


def toml_text(tables):
    """TOML text of nested tables of numbers, texts, flags and lists."""
    lines = []
    _write_table(tables, (), lines)
    return "\n".join(lines).strip() + "\n"


def _write_table(table, path, lines):
    plain = {key: value for key, value in table.items() if not isinstance(value, dict)}
    if path and plain:
        lines.append(f"\n[{'.'.join(path)}]")
    for key, value in plain.items():
        lines.append(f"{_toml_key(key)} = {toml_value(value)}")
    for key, value in table.items():
        if isinstance(value, dict):
            _write_table(value, (*path, _toml_key(key)), lines)


def _toml_key(key):
    bare = key.replace("_", "").replace("-", "")
    return key if bare.isalnum() and bare.isascii() else toml_value(key)


def toml_value(value):
    """A value as TOML text; tables inline."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")  # JSON leaves a delete as it is
    if isinstance(value, list):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_toml_key(k)} = {toml_value(v)}" for k, v in value.items()) + " }"
    return repr(value)
