"""Damage to inputs: trees of TOML keys, texts, and words of a command line."""

from __future__ import annotations

import copy
import re


class Raw(str):
    """Text that goes into a TOML file as it stands."""


NUMBERS = [
    "0", "-1", "1", "2", "nan", "inf", "-inf", "1e300", "-1e300", "1e-300", "-0.0", "0.5", "1e9", "1e18", "1e-8",
    "1e-3", "1e3", "9" * 400, "9" * 5000, "9223372036854775807", "9223372036854775808", "-9223372036854775809",
    "0x7fffffff",
    "1_000", "true", "1979-05-27", "1e5000",
]  # fmt: skip
STRINGS = [
    "", " ", ".", "..", "/", "/dev/zero", "/dev/null", "/dev/stdin", "/proc/self/mem", "~nouser/x.toml", "a/b",
    "\u00e9", "\U0001f682", "x" * 300, "x" * 5000, "nan", "none", "%s", "../../../etc/passwd", "a\nb", "-1", "1e3",
    "60E1", "true", "front", "car_body", "=", "[", "\\", "x.toml", "x.csv", "x.inp", "\u0000",
]  # fmt: skip
TREES = [
    [],
    {},
    [[]],
    [{}],
    [1, 2],
    [1.0, 2.0, 3.0],
    {"value": 1.0},
    {"x": {"y": 1}},
    [0] * 2000,
    [[0.0, 0.0], [0.0, 1.0]],
]
FACTORS = [0.0, -1.0, 0.1, 0.5, 2.0, 10.0, 1000.0, 1e-3, 1e6, 1e-6, 1.0001]


def pick(rng, items):
    """One of a list."""
    return items[int(rng.integers(len(items)))]


def odd_value(rng):
    """A value that hardly any key expects."""
    kind = rng.random()
    if kind < 0.55:
        return Raw(pick(rng, NUMBERS))
    return pick(rng, STRINGS) if kind < 0.85 else copy.deepcopy(pick(rng, TREES))


def places(tree, where=()):
    """Paths of every value and table of a tree."""
    items = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in items:
        yield (*where, key)
        yield from places(value, (*where, key))


def at(tree, path):
    """What stands at a path."""
    for part in path:
        tree = tree[part]
    return tree


def mutate_tree(rng, tree, times=None):
    """Change a tree in one to three places; returns what was done."""
    done = []
    for _ in range(times or int(pick(rng, [1, 1, 1, 2, 3]))):
        paths = list(places(tree))
        if paths:
            done.append(_once(rng, tree, pick(rng, paths)))
    return "; ".join(done)


def _once(rng, tree, path):
    holder, key = at(tree, path[:-1]), path[-1]
    value = holder[key]
    name = ".".join(str(p) for p in path)
    kind = rng.random()
    if isinstance(value, int | float) and not isinstance(value, bool) and kind < 0.35:
        holder[key] = value * pick(rng, FACTORS)
        return f"{name} = {holder[key]!r}"
    if isinstance(value, bool) and kind < 0.3:
        holder[key] = not value
        return f"{name} = {holder[key]}"
    if isinstance(value, list) and value and kind < 0.4:
        holder[key] = pick(rng, [value[:-1], value[1:], value[::-1], value * 2, value * 50, value[:1], [value]])
        return f"{name}: list changed"
    if kind < 0.75:
        holder[key] = odd_value(rng)
        return f"{name} = {str(holder[key])[:60]!r}"
    if kind < 0.85:
        del holder[key]
        return f"{name} left out"
    if kind < 0.93 and isinstance(holder, dict):
        holder[pick(rng, [str(key) + "x", str(key)[:-1] or "q", str(key).upper(), "x_" + str(key)])] = holder.pop(key)
        return f"{name} renamed"
    other = pick(rng, list(places(tree)))
    if other[: len(path)] != path and path[: len(other)] != other:
        a, b = at(tree, path[:-1]), at(tree, other[:-1])
        a[path[-1]], b[other[-1]] = b[other[-1]], a[path[-1]]
        return f"{name} and {'.'.join(map(str, other))} exchanged"
    holder[key] = odd_value(rng)
    return f"{name} = {str(holder[key])[:60]!r}"


def toml(tree):
    """Text of a tree; values of class Raw as they stand."""
    plain = [f"{_key(k)} = {_value(v)}" for k, v in tree.items() if not isinstance(v, dict)]
    tables = [(k, v) for k, v in tree.items() if isinstance(v, dict)]
    return "\n".join(plain + [line for k, v in tables for line in _table(v, (_key(k),))]) + "\n"


def _table(table, path):
    lines = [f"[{'.'.join(path)}]"]
    lines += [f"{_key(k)} = {_value(v)}" for k, v in table.items() if not (isinstance(v, dict) and "value" not in v)]
    for k, v in table.items():
        if isinstance(v, dict) and "value" not in v:
            lines += _table(v, (*path, _key(k)))
    return lines


def _key(key):
    return str(key) if re.fullmatch(r"[A-Za-z0-9_-]+", str(key)) else _value(str(key))


def _value(value):
    if isinstance(value, Raw):
        return str(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        out = "".join(c if c >= " " and c not in '"\\' else f"\\u{ord(c):04x}" for c in value)
        return f'"{out}"'
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_value(v) for v in value) + "]"
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(k)} = {_value(v)}" for k, v in value.items()) + " }"
    return repr(value)


def damage(rng, content):
    """Bytes of a file damaged, and what was done."""
    kind = pick(rng, list(DAMAGES))
    return DAMAGES[kind](rng, content), kind


def _lines(rng, content, change):
    lines = content.split(b"\n")
    change(lines, int(rng.integers(len(lines))))
    return b"\n".join(lines)


def _flip(rng, content):
    out = bytearray(content or b" ")
    for _ in range(int(rng.integers(1, 6))):
        out[int(rng.integers(len(out)))] ^= 1 << int(rng.integers(8))
    return bytes(out)


def _insert(text):
    def change(rng, content):
        i = int(rng.integers(len(content) + 1))
        return content[:i] + text + content[i:]

    return change


def _number(rng, content):
    found = list(re.finditer(rb"[-+]?\d+(\.\d*)?([eEdD][-+]?\d+)?", content))
    if not found:
        return content
    hit = found[int(rng.integers(len(found)))]
    return (
        content[: hit.start()] + pick(rng, NUMBERS + ["x", "", "1,5", "1.5.2", "+-+-5"]).encode() + content[hit.end() :]
    )


def _odd_line(lines, i, text):
    lines.insert(i, text)


DAMAGES = {
    "empty": lambda rng, c: b"",
    "cut off": lambda rng, c: c[: int(rng.integers(len(c) + 1))],
    "head cut": lambda rng, c: c[int(rng.integers(len(c) + 1)) :],
    "bits flipped": _flip,
    "number replaced": _number,
    "number replaced again": _number,
    "number replaced twice": lambda rng, c: _number(rng, _number(rng, c)),
    "NUL": _insert(b"\0"),
    "Latin-1": _insert("\u00e9".encode("latin-1")),
    "BOM": lambda rng, c: b"\xef\xbb\xbf" + c,
    "UTF-16": lambda rng, c: c.decode("latin-1").encode("utf-16"),
    "CRLF": lambda rng, c: c.replace(b"\n", b"\r\n"),
    "CR": lambda rng, c: c.replace(b"\n", b"\r"),
    "one line": lambda rng, c: c.replace(b"\n", b" "),
    "decimal commas": lambda rng, c: re.sub(rb"(\d)\.(\d)", rb"\1,\2", c),
    "tabs": lambda rng, c: c.replace(b" ", b"\t").replace(b",", b"\t"),
    "semicolons": lambda rng, c: c.replace(b",", b";"),
    "upper case": lambda rng, c: c.upper(),
    "line left out": lambda rng, c: _lines(rng, c, lambda lines, i: lines.pop(i)),
    "line twice": lambda rng, c: _lines(rng, c, lambda lines, i: lines.insert(i, lines[i])),
    "empty line": lambda rng, c: _lines(rng, c, lambda lines, i: lines.insert(i, b"")),
    "lines reversed": lambda rng, c: b"\n".join(c.split(b"\n")[::-1]),
    "long line": lambda rng, c: _lines(rng, c, lambda lines, i: lines.insert(i, b"x" * 200_000)),
    "long number": lambda rng, c: _lines(rng, c, lambda lines, i: lines.insert(i, b"1" * 5000)),
    "nested": _insert(b"x = " + b"[" * 3000),
    "random bytes": lambda rng, c: rng.bytes(400),
    "twice": lambda rng, c: c + c,
}  # fmt: skip
