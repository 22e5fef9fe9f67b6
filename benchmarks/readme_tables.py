"""Tables of the README, from docs/verification.md (`flexwheel verify --table`) and docs/speed.md (as4_run.py).

python benchmarks/readme_tables.py
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SUBJECTS = {
    "Finite elements": "finite elements: patch test, CalculiX frequencies and stresses",
    "Reduction": "reduction: both routes, mass, stress against the full mesh",
    "Free flight": "floating frame: momentum, energy, spinning rotors",
    "Wheel-rail contact": "contact: Hertz, FASTSIM against Kalker, CONTACT",
    "Track": "track: exact Timoshenko beam, published mobility, window against full length",
    "Turning mesh": "Lagrangian against Eulerian, force fixed in space",
    "Linear dynamics": "rigid limit: Klingel, critical speed",
    "Time step": "halving the step",
    "Response": "frequency domain: run in time, whole mesh, moving wheel",
    "Wear": "wear: growth of a polygon against the linear theory",
    "Further checks": "contact detection, EN 15302, Manchester coach, locomotive, trains, simplified model",
}


def verification():
    """One row a subject: what is compared, checks that pass, figures among them that have a limit."""
    text = (ROOT / "docs" / "verification.md").read_text(encoding="utf-8")
    rows = ["| compared with | checks that pass | figures with a limit |", "|---|---|---|"]
    for part in re.split(r"(?m)^## ", text)[1:]:
        head = part.splitlines()[0]
        checks = re.split(r"(?m)^### ", part)[1:]
        if not checks:
            continue
        passed = sum("**FAIL**" not in check and "**could not run**" not in check for check in checks)
        rows.append(f"| {SUBJECTS.get(head, head)} | {passed} of {len(checks)} | {part.count('| pass |')} |")
    return rows


def speed():
    """The first table of docs/speed.md and the lines below it, up to the tables of benchmarks/speed.py."""
    text = (ROOT / "docs" / "speed.md").read_text(encoding="utf-8").partition("<!--")[0]
    lines = text.rstrip().splitlines()
    first = next(k for k, line in enumerate(lines) if line.startswith("|"))
    return lines[first:]


def main():
    """Write both tables between their marks."""
    path = ROOT / "README.md"
    text = path.read_text(encoding="utf-8")
    for name, rows in (("verification", verification()), ("speed", speed())):
        begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
        head, rest = text.split(begin, 1)
        text = head + begin + "\n\n" + "\n".join(rows) + "\n\n" + end + rest.split(end, 1)[1]
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
