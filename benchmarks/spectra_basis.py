"""Spectra of control nodes by rows between sections and by modes: the tables and the picture of docs/spectra.md.

    python benchmarks/spectra_basis.py RUNS [--picture docs/images/section_passing.png]
    python benchmarks/spectra_basis.py RUNS/1 --cases eulerian lagrangian --set run.contact_tolerance_n=1

AS4 in its arc, 4 s from s = 70 m, the last 2.5 s. A run that RUNS/NAME/results.nc holds is not made again.
"""

import argparse
from pathlib import Path

import numpy as np

from flexwheel.numerics.spectra import level_difference, third_octaves
from flexwheel.results.files import read_results
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import run_scenario
from flexwheel.verification.spectra_basis import IN_ARC, MORE_MODES, SETTLED, passing_shares

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "as4_curve.toml"
PASSING_HZ = 180 * 80.0 / 3.6 / 0.46 / (2 * np.pi)
CASES = {
    "eulerian": (),
    "lagrangian": ("wheelset.front.mode=lagrangian",),
    "linear": ("wheelset.front.mode=lagrangian", "wheelset.front.between_sections=linear"),
    "modes_125": (f"wheelset.front.fixed_interface_modes={MORE_MODES}",),
}
NAMES = "acceleration", "von_mises"


def settled(folder, name, keys=()):
    """Settled part of the run of a case with further keys, made where there is none."""
    if not (folder / name / "results.nc").is_file():
        run_scenario(read_scenario(EXAMPLE, (*IN_ARC, *CASES[name], *keys)), out=folder / name)
    results = read_results(folder / name)
    return results.isel(time=results.time.values > SETTLED)


def table(results, reference):
    """Lines: largest difference of a third octave by node, point, quantity, component, up to 1 kHz and at 1.25 kHz."""
    step = float(results.time[1] - results.time[0])
    for node in results.control_node.values:
        for point in results.point.values:
            for name in NAMES:
                pick = {"control_node": node, "point": point}
                pair = (x[name].sel(pick).values.reshape(x.sizes["time"], -1) for x in (results, reference))
                levels = np.abs(level_difference(*(third_octaves(values, step)[1] for values in pair)))
                parts = " ".join(f"{np.nanmax(a[:-1]):.2f} {a[-1]:.2f}" for a in levels.T)
                yield f"{node} {point} {name}: {parts}"


def picture(runs, path):
    """Density of the vertical acceleration of the web fillet, fixed point, about the section passing."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from scipy import signal

    figure, axes = plt.subplots(figsize=(8, 3.2), layout="constrained")
    pick = {"control_node": "front web_fillet_right", "point": "fixed", "axis": "z"}
    texts = {"linear": "spinning mesh, straight rows", "lagrangian": "spinning mesh, harmonics", "eulerian": "at rest"}
    for (name, text), style in zip(texts.items(), ("C1-", "C0-", "k:"), strict=True):
        values = runs[name].acceleration.sel(pick).values
        step = float(runs[name].time[1] - runs[name].time[0])
        frequency, density = signal.welch(values, 1 / step, nperseg=8192)
        axes.semilogy(frequency, density, style, label=text, linewidth=1)
    axes.axvline(PASSING_HZ, color="0.7", linewidth=0.7)
    axes.set(xlim=(900, 1500), xlabel="frequency [Hz]", ylabel="acceleration [(m/s2)2/Hz]")
    near = [line.get_ydata()[(frequency > 900) & (frequency < 1500)] for line in axes.lines[:3]]
    axes.set_ylim(0.5 * min(y.min() for y in near), 2.0 * max(y.max() for y in near))
    axes.legend(frameon=False)
    figure.savefig(path, dpi=110)


def main():
    """Print the tables and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("runs", type=Path)
    parser.add_argument("--picture", type=Path)
    parser.add_argument("--cases", nargs="*", default=list(CASES))
    parser.add_argument("--set", nargs="*", default=[], help="keys of every run")
    asked = parser.parse_args()
    runs = {name: settled(asked.runs, name, asked.set) for name in asked.cases}
    for name in asked.cases[1:]:
        print(f"eulerian against {name} [dB], each component: to 1 kHz, 1.25 kHz")
        print("\n".join("  " + line for line in table(runs["eulerian"], runs[name])))
        share, lines = passing_shares(runs[name], runs["eulerian"], 180)
        text = f"rms of the difference over the band's at section passing, {PASSING_HZ:.0f} Hz"
        print(f"  {text}: {share:.4f}, of lines alone {lines:.4f}")
    if asked.picture:
        picture(runs, asked.picture)


if __name__ == "__main__":
    main()
