"""The gallery: every picture is there and small, its code is what the command runs."""

import ast
import importlib
import shlex

import pytest
from PIL import Image

import flexwheel as fw
from docs.gallery_document import COLOURS, PICTURES, WIDTH, entries, main

ALL = 1_500_000  # [byte] of all pictures: what a page loads in a second at 12 Mbit/s
ENTRIES = entries()


def test_every_picture_is_there_and_small():
    names = [entry.picture for entry in ENTRIES if entry.picture]
    assert len(names) == len(set(names)) >= 20
    assert set(names) == {file.name for file in PICTURES.iterdir()}
    assert sum((PICTURES / name).stat().st_size for name in names) < ALL
    for name in names:
        with Image.open(PICTURES / name) as image:
            assert image.width <= WIDTH and len(image.getpalette()) <= 3 * COLOURS
            assert min(high - low for low, high in image.convert("RGB").getextrema()) > 100  # not empty


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.picture)
def test_code_names_its_picture_and_what_there_is(entry):
    """Python: what it imports and takes of `fw` exists; options of commands: test_docs."""
    if entry.kind == "text":
        assert {shlex.split(line)[0] for line in entry.code.splitlines()} == {"flexwheel"}
        return
    assert f'"{entry.picture}"' in entry.code
    for node in ast.walk(ast.parse(entry.code)):
        if isinstance(node, ast.ImportFrom):
            assert all(hasattr(importlib.import_module(node.module), item.name) for item in node.names)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "fw":
            assert hasattr(fw, node.attr)


def test_the_command_draws_from_the_page(tmp_path):
    main(["friction_laws", "--work", str(tmp_path / "work"), "--pictures", str(tmp_path / "pictures")])
    (made,) = (tmp_path / "pictures").iterdir()
    with Image.open(made) as new, Image.open(PICTURES / made.name) as kept:
        assert new.size[1] == kept.size[1] * new.width // kept.width
