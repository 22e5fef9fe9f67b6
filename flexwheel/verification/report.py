"""The table of checks as Markdown and as JSON."""

from __future__ import annotations

import datetime
import os
import platform

import flexwheel

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


def markdown(outcomes):
    """Table of all outcomes, one section a point of the list."""
    lines = [
        f"flexwheel {flexwheel.__version__}, {datetime.date.today().isoformat()}, {machine()}. "
        f"{sum(o.passed for o in outcomes)} of {len(outcomes)} checks pass.",
        "",
    ]
    point = None
    for outcome in outcomes:
        if outcome.check.point != point:
            point = outcome.check.point
            lines += [f"## Point {point}" if point else "## Further checks", ""]
        lines += [f"### {outcome.check.name} ({outcome.seconds:.1f} s)", ""]
        if outcome.error:
            lines += [f"**could not run**: {outcome.error}", ""]
            continue
        lines += ["| quantity | value | reference | unit | tolerance | | source |", "|---|---|---|---|---|---|---|"]
        for r in outcome.rows:
            verdict = {True: "pass", False: "**FAIL**", None: ""}[r.passed]
            lines.append(
                f"| {r.quantity} | {number(r.value)} | {number(r.reference)} | {r.unit} | {r.tolerance} | {verdict} "
                f"| {r.source} |"
            )
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def plain(outcomes):
    """The same as plain values, for JSON."""
    return [
        {
            "check": o.check.name,
            "point": o.check.point,
            "passed": o.passed,
            "seconds": round(o.seconds, 3),
            "error": o.error,
            "rows": [
                {
                    "quantity": r.quantity,
                    "value": r.value,
                    "reference": r.reference,
                    "unit": r.unit,
                    "tolerance": r.tolerance,
                    "passed": r.passed,
                    "source": r.source,
                }
                for r in o.rows
            ],
        }
        for o in outcomes
    ]


def replace_table(text, table):
    """Text of docs/verification.md with its table replaced; made if there is none."""
    if BEGIN not in text or END not in text:
        text = f"# Verification\n\nProduced by `flexwheel verify`; prose outside the marks is kept.\n\n{BEGIN}\n{END}\n"
    head, rest = text.split(BEGIN, 1)
    tail = rest.split(END, 1)[1]
    return f"{head}{BEGIN}\n\n{table}\n{END}{tail}"
