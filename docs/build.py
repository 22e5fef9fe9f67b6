"""Builds the documentation into build/docs: python docs/build.py (extra `docs`).

Pages are those of docs/, the reference of commands, names and modules made here from the code. A warning of the
generator, a link to nothing or an equation that cannot be read ends it with exit code 1.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

DOCS = Path(__file__).resolve().parent
ROOT = DOCS.parent
OUTSIDE = re.compile(r"\[([^\]]*)\]\((\.\./[^)\s]*)\)")
SOURCE, OUT = ROOT / "build" / "docs_source", ROOT / "build" / "docs"


def main(arguments=()):
    """Build; returns the exit code."""
    assemble(SOURCE)
    command = [sys.executable, "-m", "sphinx", "-b", "html", "-E", "-W", "--keep-going", "-q"]
    done = subprocess.run([*command, "-d", str(ROOT / "build" / "doctrees"), *arguments, str(SOURCE), str(OUT)])
    if done.returncode == 0:
        print(f"{OUT / 'index.html'}")
    return done.returncode


def assemble(source):
    """Folder that the generator reads: pages, pictures, configuration, and the reference from the code."""
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(
        DOCS,
        source,
        ignore=shutil.ignore_patterns("site", "__pycache__", "build.py", "theory.py", "*_document.py", "*.toml"),
    )
    shutil.copytree(DOCS / "site", source, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    for page in source.rglob("*.md"):
        text = page.read_text(encoding="utf-8")
        page.write_text(OUTSIDE.sub(lambda m, page=page: _link(m, page, source), text), encoding="utf-8")
    reference = source / "reference"
    reference.mkdir(exist_ok=True)
    (reference / "commands.md").write_text(commands_page(), encoding="utf-8")
    (reference / "modules.md").write_text(modules_page(), encoding="utf-8")


def _link(match, page, source):
    """A link, or where it leaves the pages (README, examples) the path alone."""
    target = (page.parent / match.group(2).partition("#")[0]).resolve()
    return match.group(0) if target.is_relative_to(source.resolve()) else f"{match.group(1)} (`{target.name}`)"


def commands_page():
    """Every command's help, whole."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from flexwheel.face.cli import make_app

    app = make_app()
    parts = ["# Reference: commands", "Made from the commands themselves; what they print: [commands](../commands.md)."]
    for name, command in sorted(get_command(app).commands.items()):
        whole = "--help-all" if any("--help-all" in p.opts for p in command.params) else "--help"
        said = CliRunner().invoke(app, [name, whole], env={"COLUMNS": "100", "TERMINAL_WIDTH": "100"}).output
        parts += [f"## {name}", f"```text\n{said.rstrip().replace('Usage: root', 'Usage: flexwheel')}\n```"]
    return "\n\n".join(parts) + "\n"


def modules_page():
    """First line of the docstring of every module, by room."""
    import ast

    parts = ["# Reference: modules", "Each file of the package in a line; its functions say the rest."]
    rooms = {}
    for path in sorted((ROOT / "flexwheel").rglob("*.py")):
        if path.name != "__init__.py":
            rooms.setdefault(path.parent.relative_to(ROOT).as_posix(), []).append(path)
    for room, paths in sorted(rooms.items()):
        rows = [f"## {room}", ""]
        for path in paths:
            words = (ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or "").split("\n\n")[0]
            words = (
                " ".join(words.split()).replace("|", "\\|").replace("<", "&lt;").replace("$", "\\$").replace("*", "\\*")
            )
            rows.append(f"- `{path.name}`: {words}")
        parts.append("\n".join(rows))
    return "\n\n".join(parts) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
