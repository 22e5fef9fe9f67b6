"""The table of checks as Markdown and as JSON."""

import datetime
import os
import platform
import re

import numpy as np

import flexwheel
from flexwheel.verification.check_registry import FURTHER, SUBJECTS

BEGIN, END = "<!-- table: begin -->", "<!-- table: end -->"


def machine():
    """One line that states where figures were produced."""
    name = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    name = line.split(":", 1)[1].strip()
                    break
    except OSError:
        pass
    return f"{name}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def number(value):
    """A figure as the table prints it."""
    if value is None:
        return ""
    return f"{value:.6g}" if value == 0.0 or 1e-4 <= abs(value) < 1e7 else f"{value:.3e}"


def markdown(outcomes, kept=""):
    """Table of all outcomes, one section a check, under its subject.

    Parameters
    ----------
    outcomes : list of Outcome
    kept : str            an earlier table: the sections of checks that are not among the outcomes stay as they are
    """
    sections = _sections(kept)
    for outcome in outcomes:
        sections[outcome.check.name] = (outcome.check.subject, _section(outcome))
    failed = sum("**FAIL**" in text or "**could not run**" in text for _, text in sections.values())
    lines = [
        f"flexwheel {flexwheel.__version__}, {machine()}. {len(sections) - failed} of {len(sections)} checks pass.",
        "",
    ]
    current = None
    for subject, text in sorted(sections.values(), key=lambda item: SUBJECTS.index(item[0])):
        if subject != current:
            current = subject
            lines += [f"## {subject}", ""]
        lines += [text, ""]
    return "\n".join(lines).rstrip() + "\n"


def _section(outcome):
    """Heading and rows of one check."""
    lines = [f"### {outcome.check.name} ({outcome.seconds:.1f} s, {datetime.date.today().isoformat()})", ""]
    if outcome.error:
        return "\n".join([*lines, f"**could not run**: {outcome.error}"])
    grounds = list(dict.fromkeys(r.ground for r in outcome.rows if r.ground is not None))
    if grounds:
        marks = [""] if len(grounds) == 1 else [f"({k + 1}) " for k in range(len(grounds))]
        lines += [f"Ground: {mark}{ground}" for mark, ground in zip(marks, grounds, strict=True)]
        lines = [*lines[:2], *("  \n".join(lines[2:]).splitlines()), ""]
    lines += ["| quantity | value | reference | unit | limit | | source |", "|---|---|---|---|---|---|---|"]
    for r in outcome.rows:
        verdict = {True: "pass", False: "**FAIL**", None: ""}[r.passed]
        mark = f" ({grounds.index(r.ground) + 1})" if len(grounds) > 1 and r.ground is not None else ""
        lines.append(
            f"| {r.quantity} | {number(r.value)} | {number(single(r.reference))} | {r.unit} | {r.text}{mark} "
            f"| {verdict} | {r.source} |"
        )
    return "\n".join(lines)


def single(reference):
    """A reference as one number; None where it is an array or there is none."""
    return None if reference is None or np.size(reference) != 1 else float(np.real(reference))


def _sections(table):
    """Check name -> (subject, section) of a table."""
    found, subject = {}, FURTHER
    for part in re.split(r"(?m)^(?=##)", table)[1:]:
        head = part.splitlines()[0]
        if head.startswith("### "):
            found[head[4:].rsplit(" (", 1)[0]] = (subject, part.strip())
        else:
            subject = head[3:]
    return found


def plain(outcomes):
    """The same as plain values, for JSON."""
    return [
        {
            "check": o.check.name,
            "subject": o.check.subject,
            "passed": o.passed,
            "seconds": round(o.seconds, 3),
            "error": o.error,
            "rows": [
                {
                    "quantity": r.quantity,
                    "value": r.value,
                    "reference": single(r.reference),
                    "unit": r.unit,
                    "kind": r.kind.value,
                    "limit": r.text,
                    "passed": r.passed,
                    "ground": "" if r.ground is None else str(r.ground),
                    "source": r.source,
                }
                for r in o.rows
            ],
        }
        for o in outcomes
    ]


def update_table(text, outcomes):
    """Text of docs/verification.md with the outcomes in its table; made if there is none."""
    if BEGIN not in text or END not in text:
        text = f"# Verification\n\nProduced by `flexwheel verify`; prose outside the marks is kept.\n\n{BEGIN}\n{END}\n"
    head, rest = text.split(BEGIN, 1)
    earlier, tail = rest.split(END, 1)
    table = markdown(outcomes, earlier)
    return f"{head}{BEGIN}\n\n{table}\n{END}{tail}"
