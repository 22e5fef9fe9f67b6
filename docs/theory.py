"""Writes docs/theory.md: models and methods by name, and every equation of the five papers, with their functions.

    python docs/theory.py            # prints the page
    python docs/theory.py --write    # writes it

The functions come from the marks in the code: a comment `# 000 (22)`, or `# 003 (16), (17)`, names paper and
equation of its line; text may follow after a comma. The equations, and why one has no line of code, stand in
docs/theory.toml. A mark of an equation that is not listed, or an equation with neither mark nor reason, is an error.
The models and methods, and their functions, are stated in docs/theory.toml; a function that is not there is an error.
"""

import ast
import re
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGE = HERE.parent / "flexwheel"
EQUATION = r"\([\w' -]+\)"
MARK = re.compile(rf"#.*?\b(00[0-4]) ({EQUATION}(?:(?:, |-){EQUATION})*)")
HEAD = """# Theory: where models, methods and equations are in the code

Made by `python docs/theory.py --write` from `docs/theory.toml` and the marks in the code; do not edit. First models and
methods by name, then the equations of the five papers, which pages, code and messages cite by number. A mark is a
comment behind the line that holds an equation, `# 000 (22)` for equation 22 of paper 000.

## Models and methods

| room | subject | where |
|---|---|---|
"""


def marks(folder=PACKAGE):
    """(paper, equation) -> list of "file: function", in the order of files and lines."""
    found = {}
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        lines = [(n, m) for n, line in enumerate(text.splitlines(), 1) if (m := MARK.search(line))]
        if not lines:
            continue
        scopes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        for number, match in lines:
            inside = [s for s in scopes if s.lineno <= number <= s.end_lineno]
            function = max(inside, key=lambda s: s.lineno).name if inside else "the module"
            place = f"`{path.relative_to(folder.parent).as_posix()}`: `{function}`"
            for equation in named(match.group(2)):
                places = found.setdefault((match.group(1), equation), [])
                if place not in places:
                    places.append(place)
    return found


def named(text):
    """Equations of a mark: "(3), (5)-(7)" is 3, 5, 6, 7."""
    for part in re.split(r", (?=\()", text):
        first, *last = re.findall(r"\(([^)]*)\)", part)
        yield from [first] if not last else map(str, range(int(first), int(last[0]) + 1))


def contents():
    """Contents of theory.toml: models and methods by room, and what `equations` returns."""
    papers = tomllib.loads((HERE / "theory.toml").read_text(encoding="utf-8"))
    return papers.pop("subjects"), papers


def equations():
    """Paper -> title, source and equations, each a text or a text and a reason."""
    return contents()[1]


def defined(path):
    """Functions of a module; none where there is no such file."""
    tree = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([], [])
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def subjects(rooms):
    """Rows of the table of models and methods, and what their places lack."""
    rows, wrong = [], []
    for room, listed in rooms.items():
        for subject, places in listed.items():
            where = []
            for place in [places] if isinstance(places, str) else places:
                file, _, functions = place.partition(": ")
                names = functions.split(", ")
                wrong += [f"{room}/{file} has no {n}" for n in names if n not in defined(PACKAGE / room / file)]
                where.append(f"`flexwheel/{room}/{file}`: {', '.join(f'`{n}`' for n in names)}")
            rows.append(f"| {room} | {subject} | {'; '.join(where)} |")
    return rows, wrong


def page():
    """Text of docs/theory.md.

    Raises
    ------
    ValueError      a mark without an equation, an equation with neither mark nor reason, a function that is not there
    """
    found, (rooms, papers) = marks(), contents()
    rows, wrong = subjects(rooms)
    lines = [HEAD.rstrip(), *rows]
    for paper, content in papers.items():
        listed = content["equations"]
        wrong += [f"mark {paper} ({e}): {p[0]}" for (q, e), p in found.items() if q == paper and e not in listed]
        lines += ["", f"## Paper {paper}: {content['title']}", "", content["note"], "", "| | equation | where |"]
        lines.append("|---|---|---|")
        for number, entry in listed.items():
            text, reason = entry if isinstance(entry, list) else (entry, "")
            where = "; ".join(found.get((paper, number), []))
            if not where and not reason:
                wrong.append(f"equation {paper} ({number}) has neither mark nor reason")
            label = f"({number})" if number.isdigit() else number
            lines.append(f"| {label} | {text} | {'. '.join(x for x in (where, reason) if x)} |")
    wrong += [f"mark of paper {q} ({e}), which is not listed" for q, e in found if q not in papers]
    if wrong:
        raise ValueError("; ".join(wrong))
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        (HERE / "theory.md").write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(page())
