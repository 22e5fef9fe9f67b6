"""docs/results.md: every variable of every kind of run, made from the one table."""

from flexwheel.base.kind import KINDS
from flexwheel.base.variables import LABELS, SCHEMA_VERSION

EXAMPLE = {
    "body": 3, "wheel": 4, "patch": 2, "flexible": 1, "mode": 35, "control_node": 2, "coordinate": 9, "angle": 26,
    "vehicle": 50, "element": 20, "coupling": 49, "channel": 1, "model": 2, "wheelset": 2,
    "body_point": 7,
}  # fmt: skip
"""Lengths that the table's bytes are counted with."""
SAID = ", ".join(f"{name.replace('_', ' ')} {length}" for name, length in EXAMPLE.items())

HEAD = f"""# Results

Made by `python docs/results_document.py > docs/results.md` from `flexwheel/base/variables.py` and what the
systems add to it; a test holds it current.

Every kind of run writes `OUT/results.nc`, netCDF-4 after the CF conventions. Each variable has the attributes `units`
and `long_name`; the first sample is at t = 0. Attributes: `Conventions`, `source`, `history`, `date_created`,
`versions`, `schema_version` ({SCHEMA_VERSION}), `kind`, `sample_step_s`, `integration_step_s`, `scenario` (all keys
resolved), `scenario_digest` and `mesh_digest` (SHA-256), `complete` (`true` or `false`), `status` (the reason, if
false). `wheelset_of_wheel` and `side_of_wheel` give wheelset and side of each wheel. Files of older versions are
refused.

While a vehicle runs, its samples are in `OUT/results.part.nc`. This file can be opened at any moment: `complete` is
false, it has all samples but those of the last second, and later times are zero. At the end of the run `results.nc`
replaces it. `flexwheel view OUT` and `read_results(OUT)` also read the part file of a killed run, and prefer it to an
older `results.nc` beside it. `flexwheel run --resume OUT` continues from the folder `OUT/resume`
([long_runs.md](long_runs.md)).

In the scenario of a vehicle, `output.variables` selects what is stored (names, or beginnings with `*`: `patch_*`),
`output.start_s` the time of the first sample, `run.output_step_s` the spacing. `output.also = ["elements", "energy"]`
stores further groups (column "when"); the steps of the run do not change by a bit. Variables of "patch field"
stand in `results.part.nc` where a control node lies in the field of a contact patch, and in `results.nc` where
`output.variables` names them. `elements` takes 72 bytes for each
force element and sample: `results.fw.elements`, `results.fw.plot.element(name)`. `energy` is the energy balance: energy
stored, lost since the start, put in since the start, and `energy_residual`, the difference: `results.fw.energy`,
`results.fw.plot.energy()`. It is summed at every step, which makes the run slower; it is not available with
`integrator = "dormand_prince"` or with force laws of fasteners or foundation. In 14 s of the AS4 through its curve the
residual is 197 J of 401 kJ lost. `energy_in_carried` is an error of the model, not an input of the track: the contact
normal has no component along the rail, so the work of a wheel that climbs a rising rail, or that touches ahead of its
axle in a curve, is not taken from its forward motion. Where flanges run yawed in tight curves the resistance is too
large by this share (Manchester S-curve of 190 m: 13 % of the loss by creep; AS4, 300 m: below 2 %). Without
`wheel_force` and `body_position` a run prints no statistics; without the variables that its pictures read, `view` draws
nothing.

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
