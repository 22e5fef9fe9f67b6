"""The version of a release is the same in every place: python .ci/check_version.py 1.2.3; exit code 1 if not."""

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def text(name):
    """Text of a file of the repository."""
    return (ROOT / name).read_text(encoding="utf-8")


def places():
    """Place -> version that it names; None where it names none."""

    def found(pattern, name):
        match = re.search(pattern, text(name), flags=re.M)
        return match.group(1) if match else None

    return {
        "pyproject.toml": tomllib.loads(text("pyproject.toml"))["project"]["version"],
        "flexwheel/__init__.py": found(r'^__version__ = "(.+)"$', "flexwheel/__init__.py"),
        "CITATION.cff": found(r'^version: "?([^"\n]+)"?$', "CITATION.cff"),
        ".ci/conda/recipe.yaml": found(r'^  version: "?([^"\n]+)"?$', ".ci/conda/recipe.yaml"),
    }


def main(version):
    """Exit code."""
    wrong = [f"{place}: version must be {version}, got {got}" for place, got in places().items() if got != version]
    if not re.search(rf"^## {re.escape(version)}(?![\w.])", text("docs/changelog.md"), flags=re.M):
        wrong.append(f"docs/changelog.md: a heading '## {version}' is missing")
    print("\n".join(wrong) or f"version {version} in all places")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
