"""A functional mock-up unit of a model's variables and C sources: table of variables in C, documentation, archive."""

import hashlib
import html
from dataclasses import replace
from pathlib import Path

import flexwheel
from flexwheel.studies.fmi.archive import compiled, write_archive
from flexwheel.studies.fmi.model_description import build_description, model_description

OWN = Path(__file__).resolve().parent / "c_sources"
COMMON = ("instance.c", "instance.h")
KINDS = ("TIME", "INPUT", "PARAMETER", "VALUE")
"""Kinds of variable in C that instance.c knows, and what a model reads as it stands."""


def unit_sources(model, fmi, own, rows, others=None, kinds=(), defines=None):
    """C sources of a unit by name, and its FmuModel with variables, sources and the token that they give.

    Parameters
    ----------
    model : FmuModel
    fmi : str                   "2.0" or "3.0"
    own : str                   name of its hand-written source beside the common ones
    rows : list                 (kind in C, place that the model reads, Variable), by value reference
    others : dict               generated sources by name; what is declared or defined beside the table stands in
                                "variables.h" and "variables.c" there
    kinds : sequence of str     further kinds
    defines : dict              further macros of variables.h
    """
    others = dict(others or {})
    declared, defined = (others.pop(name, "") for name in ("variables.h", "variables.c"))
    hand = (*COMMON, f"fmi{fmi[0]}.c", own)
    sources = {name: (OWN / name).read_text(encoding="utf-8") for name in hand} | others
    table = [
        f"    {{{kind}, {place}, {_bound(v.least)}, {_bound(v.most)}, {c_text(v.name)}}}," for kind, place, v in rows
    ]
    table = ['#include "variables.h"', "const struct variable variables[VARIABLES] = {", *table, "};", defined]
    sources["variables.c"] = "\n".join(table) + "\n"
    words = {"VARIABLES": len(rows), "TIME_STEP": repr(float(model.step)), **(defines or {})}
    head = "\n".join(
        [
            *(f"#define {name} {value}" for name, value in words.items()),
            f"enum kind {{ {', '.join((*KINDS, *kinds))} }};",
            "struct variable { enum kind kind; int place; double least, most; const char *name; };",
            "extern const struct variable variables[VARIABLES];",
            declared,
        ]
    )
    digest = hashlib.sha256("\0".join([head, *sources, *sources.values()]).encode()).hexdigest()
    token = "{" + "-".join((digest[:8], digest[8:12], digest[12:16], digest[16:20], digest[20:32])) + "}"
    guard = "#ifndef VARIABLES_H\n#define VARIABLES_H\n"
    sources["variables.h"] = f'{guard}#define TOKEN "{token}"\n{head}\n#endif\n'
    compiled_ones = tuple(name for name in sources if name.endswith(".c"))
    return sources, replace(model, variables=tuple(v for *_, v in rows), sources=compiled_ones, token=token)


def write_unit(path, model, sources, fmi, binary, page, resources=None):
    """Write the archive of a unit.

    Parameters
    ----------
    path : Path
    model : FmuModel
    sources : dict          of `unit_sources`
    binary : bool           compile for this machine
    page : (str, sequence of str, str)      of documentation/index.html: what the unit is, what is assumed, the scenario
    resources : dict        name -> bytes

    Raises
    ------
    ScenarioError       no C compiler, or one that fails
    FlexwheelError      the file cannot be written
    """
    files = {f"sources/{name}": text for name, text in sources.items()}
    files["modelDescription.xml"] = model_description(model, fmi)
    if fmi == "3.0":
        files["sources/buildDescription.xml"] = build_description(model)
    files["documentation/index.html"] = _page(model, *page)
    files |= {f"resources/{name}": data for name, data in (resources or {}).items()}
    if binary:
        files |= compiled(sources, model, fmi)
    write_archive(path, files)


def c_text(text):
    """A text as a literal of C."""
    quoted = (f"\\{b:03o}" if b < 32 or b > 126 or chr(b) in '"\\?' else chr(b) for b in text.encode())
    return f'"{"".join(quoted)}"'


def _bound(value):
    return "0.0" if value is None else repr(float(value))


def _page(model, what, assumed, scenario):
    said = "".join(f"<li>{html.escape(line)}</li>" for line in assumed)
    title = html.escape(model.title)
    return (
        f"<!DOCTYPE html><html><head><meta charset='utf-8'><title>{title}</title></head><body><h1>{title}</h1>"
        f"<p>{html.escape(what)} Made by flexwheel {flexwheel.__version__}. Internal step {model.step!r} s: a "
        "communication step is a whole multiple of it. Inputs are held over a communication step. x along running, y "
        f"left, z up; SI units.</p><p>Assumed:</p><ul>{said}</ul><h2>Scenario</h2><pre>{html.escape(scenario)}</pre>"
        "</body></html>\n"
    )
