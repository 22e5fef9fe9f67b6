"""Runs the cells of a notebook of docs/notebooks; `python -m tests.notebooks own_vehicle` stores what they show.

Cells run in their order, in a folder that has the shipped meshes. What a cell shows is the value of its last
expression, where it is one; an HTML form, a picture and the line of text are stored, of whatever there is.
"""

import ast
import base64
import json
import os
import sys
import tempfile
from pathlib import Path

from flexwheel.base.shipped import MESHES

NOTEBOOKS = Path(__file__).resolve().parents[1] / "docs" / "notebooks"


def cells_of(name):
    """Code cells of a notebook."""
    cells = json.loads((NOTEBOOKS / f"{name}.ipynb").read_text(encoding="utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def shown_by(cells, names):
    """(cell, value of its last expression, or None) of every cell, run in `names`."""
    for cell in cells:
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "cell", "exec"), names)
        yield cell, None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)


def forms(value):
    """What a notebook keeps of a value: text by MIME type."""
    found = {"text/plain": repr(value)}
    for kind, name in (("text/html", "_repr_html_"), ("image/png", "_repr_png_")):
        form = getattr(value, name, lambda: None)()
        if form:
            found[kind] = base64.b64encode(form).decode() if isinstance(form, bytes) else form
    if "image/png" in found:
        found.pop("text/html", None)
        found["text/plain"] = f"<{type(value).__name__}>"
    return found


def store(name):
    """Run a notebook and write its outputs into it."""
    path = NOTEBOOKS / f"{name}.ipynb"
    book = json.loads(path.read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        Path("meshes").symlink_to(MESHES)
        for cell, value in shown_by([cell for cell in book["cells"] if cell["cell_type"] == "code"], {}):
            data = {} if value is None else {kind: text.splitlines(True) for kind, text in forms(value).items()}
            result = {"output_type": "execute_result", "execution_count": cell["execution_count"], "metadata": {}}
            cell["outputs"] = [result | {"data": data}] if data else []
        os.chdir("/")
    path.write_text(json.dumps(book, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    for word in sys.argv[1:]:
        store(word)
