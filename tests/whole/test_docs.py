"""The documentation: links lead somewhere, every page is found, code runs, commands parse, equations can be read."""

import importlib.util
import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import typer

from flexwheel.face.cli import make_app

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGES = sorted([*DOCS.glob("*.md"), *DOCS.glob("*/*.md"), DOCS.parent / "README.md"])
MADE = {"reference/commands", "reference/modules"}  # by docs/build.py
SHORT = {  # what is replaced in a block, so that it takes less time
    "README.md": {
        '"run.duration_s": 3.0': '"run.duration_s": 0.5, "run.settling_s": 0.1, "wheelset.front.mesh": COARSE',
        "[60.0, 70.0, 80.0]": "[60.0, 80.0]",
        "[0.2, 0.3, 0.4]": "[0.3, 0.4]",
        'out="out/study")': 'out="out/study", workers=0)',
    },
    "realtime.md": {"stop_time=5.0": "stop_time=0.5"},
}
LINK = re.compile(r"(?<!\!)\[[^\]\[]*\]\(([^)\s]+)\)|!\[[^\]]*\]\(([^)\s]+)\)")


def text_of(page):
    return page.read_text(encoding="utf-8")


def without_code(text):
    return re.sub(r"^```.*?^```", "", text, flags=re.S | re.M).replace("`", "")


def anchors(page):
    """What a heading is linked by: words in small letters with hyphens, as MyST and GitHub have it."""
    heads = re.findall(r"^#+ (.*)$", text_of(page), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def blocks(page, kind):
    return re.findall(rf"^```{kind}\n(.*?)^```", text_of(page), flags=re.S | re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS.parent).as_posix())
def test_links(page):
    for match in LINK.finditer(without_code(text_of(page))):
        target = match.group(1) or match.group(2)
        if re.match(r"[a-z]+:", target):
            assert not target.startswith("http:"), target
            continue
        place, _, anchor = target.partition("#")
        file = (page.parent / place).resolve() if place else page
        relative = file.relative_to(DOCS).with_suffix("").as_posix() if file.is_relative_to(DOCS) else ""
        assert file.exists() or relative in MADE, f"{page.name}: {target}"
        if anchor and file.suffix == ".md":
            assert anchor in anchors(file), f"{page.name}: {target}"


def test_every_page_is_in_the_tree():
    listed = set()
    for page in PAGES:
        for block in re.findall(r"^```\{toctree\}\n(.*?)^```", text_of(page), flags=re.S | re.M):
            entries = [line for line in block.splitlines() if line and not line.startswith(":")]
            listed |= {(page.parent / entry).resolve().relative_to(DOCS).as_posix() for entry in entries}
    pages = {page.relative_to(DOCS).with_suffix("").as_posix() for page in PAGES if page.is_relative_to(DOCS)}
    assert (pages | MADE) - listed == {"index"}
    assert listed - pages == MADE


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(DOCS.parent).as_posix())
def test_commands_parse(page):
    """Lines that call flexwheel name commands and options that exist; words in capitals stand for the reader's own."""
    group = typer.main.get_command(make_app())
    for block in [*blocks(page, "text"), *blocks(page, "")]:
        for line in block.replace("\\\n", " ").splitlines():
            if not line.strip().startswith("flexwheel "):
                continue
            line = re.split(r"  +(?![-\w./]*\s*--)|\s#", line.strip())[0]
            name, *words = shlex.split(line)[1:]
            if name.startswith("-") or "..." in line or "|" in line:
                continue
            command = group.commands[name]
            known = {o for p in command.params for o in (*p.opts, *p.secondary_opts)} | {"--help", "--help-all"}
            unknown = [word for word in words if re.fullmatch(r"--?[a-z][\w-]*", word) and word not in known]
            assert not unknown, f"{page.name}: {line}: {unknown}"


RUNNABLE = [
    page for page in PAGES if blocks(page, "python") and page.name != "gallery.md"
]  # tests/whole/test_gallery.py


@pytest.mark.parametrize("page", RUNNABLE, ids=lambda page: page.name)
def test_python_blocks_run(page, tmp_path, monkeypatch, capsys):
    """One after the other in one name space, in a folder that holds the examples, meshes and tracks, shortened."""
    for name in ("examples", "meshes", "track"):
        (tmp_path / name).symlink_to(DOCS.parent / name)
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    if page.name == "realtime.md":
        pytest.importorskip("fmpy")
        from flexwheel.face.cli import main

        monkeypatch.setenv("CC", "cc -O0")
        main(["fmu", "examples/feve3000_curve.toml", "--out", "locomotive.fmu", "--quiet"])
    names, code = {"COARSE": str(DOCS.parent / "meshes" / "wheelset_coarse.inp")}, "\n".join(blocks(page, "python"))
    for old, new in SHORT.get(page.name, {}).items():
        assert old in code, f"{page.name} has changed: {old}"
        code = code.replace(old, new)
    exec(compile(code, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_other_blocks_can_be_read(page):
    for block in blocks(page, "toml"):
        tomllib.loads(block)
    if importlib.util.find_spec("latex2mathml") is None:
        return
    from latex2mathml.converter import convert

    math = re.findall(r"^\$\$\n(.*?)\n\$\$", text_of(page), flags=re.S | re.M)
    for formula in math:
        assert "&</mi>" not in convert(formula), formula


def test_equations_are_numbered_once_and_referred_to():
    manual = [text_of(page) for page in sorted((DOCS / "manual").glob("*.md"))]
    labels = [label for text in manual for label in re.findall(r"^\$\$ \(([\w-]+)\)$", text, flags=re.M)]
    displayed = sum(len(re.findall(r"^\$\$", text, flags=re.M)) for text in manual)
    assert len(labels) == len(set(labels)) == displayed // 2 >= 50
    assert {label for text in manual for label in re.findall(r"\{eq\}`([\w-]+)`", text)} <= set(labels)


def test_every_name_of_the_face_has_an_example():
    import flexwheel as fw

    for name in fw.__all__:
        told = getattr(fw, name).__doc__ or ""
        assert "Example\n" in told or name == "Results", name


def test_build_ends_without_a_warning():
    """Where the generator is installed (extra `docs`); -W makes an error of every warning."""
    for library in ("sphinx", "myst_parser", "furo", "latex2mathml"):
        pytest.importorskip(library)
    done = subprocess.run([sys.executable, str(DOCS / "build.py")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (DOCS.parent / "build" / "docs" / "manual" / "step.html").is_file()


def test_files_of_the_architecture_hold_the_names_beside_them():
    """Rows `file` | `names` of the walks, and the call diagram: file, then the first function."""
    text = text_of(DOCS / "architecture.md")
    walks = text.partition("## Three quantities")[2].partition("## Size")[0]
    named = [
        (file, re.findall(r"`([^`]*)`", words))
        for file, words in re.findall(r"^\| `(.*?\.py)` \| (.*) \|$", walks, re.M)
    ]
    diagram = text.partition("```\nface/")[2].partition("```")[0]
    named += [(file, [name]) for file, name in re.findall(r"([a-z_]+(?:/[a-z_]+)+\.py) +(\w+)", "face/" + diagram)]
    assert len(named) >= 16 + 20
    for file, names in named:
        code = text_of(DOCS.parent / "flexwheel" / file)
        for name in names:
            last = re.split(r"[. ]", name.partition(" =")[0])[-1]
            assert "/" in name or re.search(rf"\b{last}\b", code), f"{file} does not name {last}"
