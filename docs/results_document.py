"""docs/results.md: every variable of every kind of run, made from the one table."""

from flexwheel.base.kind import KINDS
from flexwheel.base.variables import LABELS, SCHEMA_VERSION

EXAMPLE = {
    "body": 3, "wheel": 4, "patch": 2, "flexible": 1, "mode": 35, "control_node": 2, "coordinate": 9, "angle": 26,
    "vehicle": 50, "element": 20, "coupling": 49, "channel": 1, "model": 2, "wheelset": 2,
}  # fmt: skip
"""Lengths that the table's bytes are counted with."""
SAID = ", ".join(f"{name.replace('_', ' ')} {length}" for name, length in EXAMPLE.items())

HEAD = f"""# Results

Made by `python docs/results_document.py > docs/results.md` from `flexwheel/base/variables.py` and what the
systems add to it; a test holds it current.

Every kind of run writes `OUT/results.nc`, netCDF-4 after the CF conventions: one unit a variable, `units` and
`long_name` at each, a sample at t = 0. Attributes: `Conventions`, `source`, `history`, `date_created`, `versions`,
`schema_version` ({SCHEMA_VERSION}), `kind`, `sample_step_s`, `integration_step_s`, `scenario` (all keys resolved),
`scenario_digest` and `mesh_digest` (SHA-256), `complete` (`true` or `false`), `status` (why not). `wheelset_of_wheel`
and `side_of_wheel` say whose a wheel is. Files of older versions are refused with a line that says so.

While a vehicle runs, its samples stand in `OUT/results.part.nc`, which opens at any moment, `complete = false`, with
all but the last second of what was simulated; times not reached yet are zero. At the end it moves into `results.nc` and
goes. What a killed run leaves is read by `flexwheel view OUT` and `read_results(OUT)` like any other; a part file comes
before an older `results.nc` beside it. The folder `OUT/resume` beside it is what `flexwheel run --resume OUT` goes on
from ([long_runs.md](long_runs.md)).

In the scenario of a vehicle `output.variables` chooses what is stored (names, or beginnings with `*`: `patch_*`),
`output.start_s` from when and `run.output_step_s` how often. `output.also = ["elements", "energy"]` stores groups
besides (column "when"); the steps of the run are the same to the last bit. `elements`: 72 bytes a force element and
sample, which is why it is not the default; `results.fw.elements`, `results.fw.plot.element(name)`. `energy`, the
ledger of the run: what is stored, what was lost and put in since the start, and `energy_residual`, what these leave
unexplained; `results.fw.energy`, `results.fw.plot.energy()`. Its sums are formed in the loop at every step, which
takes time that a run without it does not pay; not with `integrator = "dormand_prince"`, nor with force laws of
fasteners or foundation. The AS4's 14 s through its curve leave 197 J unexplained of 401 kJ lost. `energy_in_carried`
is not an input of the track: the contact normal of the package has no part along the rail, so that what a wheel climbs
where a rail rises, or where it touches ahead of its axle in a curve, is not taken from its forward motion. Where
flanges run yawed in tight curves the resistance to motion is too large by this share (into the Manchester S-curve of
190 m: 13 % of what creep loses; AS4, 300 m: below 2 %). Without `wheel_force` and `body_position` a run prints no
statistics, without those that the pictures read `view` draws none.

Bytes: of one sample, uncompressed, with these lengths: {SAID}.
"""


def results_document():
    """Markdown text of all kinds and variables."""
    lines = [HEAD.rstrip(), ""]
    for kind in KINDS.values():
        lines += [f'## `kind = "{kind.name}"`: {kind.meaning}', ""]
        lines += ["| variable | dimensions | unit | stored | bytes | when | meaning |", "|---|---|---|---|---|---|---|"]
        for v in kind.variables:
            dims, size = ", ".join(v.dims), v.size(EXAMPLE)
            lines.append(f"| `{v.name}` | {dims} | {v.units} | {v.storage} | {size} | {v.when} | {v.meaning} |")
        lines.append("")
    lines += ["## Labels", "", "| dimension | labels |", "|---|---|"]
    lines += [f"| {name} | {', '.join(labels)} |" for name, labels in LABELS.items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(results_document(), end="")
