"""Every profile of the library and twelve measured pairs, from the command line: geometry, and a run of 5 s each.

    python benchmarks/measured_pairs.py [--seconds 5] [--out FOLDER] [--noise UM --spacing MM [--along normal]]

Wheels of the library run on 60E1, rails of it under S1002; measured wheels and rails are those of examples/measured
(docs/contact.md), every wheel on every rail. The run is a wheelset of examples/wheelset_curve.toml as a
whole vehicle, 18 km/h, from straight track into a transition. A row: equivalent conicity at 3 mm, steps, steps that did
not converge. The wheelset is free: on some pairs it is unstable at any speed, which `run` must be told to accept.
With `--noise` the pairs are the worn ones of benchmarks/noisy_pairs.py, as files of noisy points.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from noisy_pairs import written

from flexwheel.verification.worn_profiles import worn_pairs

ROOT = Path(__file__).resolve().parents[1]
MEASURED = ROOT / "examples" / "measured"
COMMAND = str(Path(sys.executable).with_name("flexwheel"))
SPEED, START = 5.0, 5.0  # [m/s], [m] of the scenario
# options of the command and keys of the scenario
WHEEL = (["--wheel-shift-mm", "-70"], ["contact.wheel_file.shift_y_mm=-70"])
UPRIGHT = (["--mirror-rail", "--flip-rail"], ["contact.rail_file.mirror_y=true", "contact.rail_file.mirror_z=true"])
INCLINED = (["--rail-inclined"], ["contact.rail_file.inclined=true"])
WORN_SIDE = (["--accept", "rail_inclination"], [])


def _pairs():
    """Name, wheel, rail, options of the command and keys of the scenario of every pair."""
    listed = json.loads(_called(["profiles", "--json"])[1])["profiles"]
    for one in listed:
        wheel, rail = (one["name"], "60E1") if one["kind"] == "wheel" else ("S1002", one["name"])
        yield f"{wheel.upper()} on {rail.upper()}", wheel, rail, [], []
    for wheel in sorted(MEASURED.glob("wheel_*.txt")):
        for rail in sorted(MEASURED.glob("rail_*.txt")):
            used = [WHEEL, INCLINED, WORN_SIDE if rail.stem == "rail_high_site_b" else UPRIGHT]
            options, keys = (sum((part[k] for part in used), []) for k in (0, 1))
            yield f"{wheel.stem} on {rail.stem}", str(wheel), str(rail), options, keys


def _noisy_pairs(folder, asked):
    """Likewise, of the worn pairs with noise."""
    rng = np.random.default_rng(7)
    for name, pair in worn_pairs().items():
        own = folder / "profiles" / name.replace(" ", "_")
        own.mkdir(parents=True, exist_ok=True)
        wheel, rail = (
            str(written(own, one, asked.spacing, 1e-3 * asked.noise, asked.along, rng))
            for one in (pair.wheel, pair.rail)
        )
        yield name, wheel, rail, [*INCLINED[0], *WORN_SIDE[0]], INCLINED[1]


def _called(arguments):
    done = subprocess.run([COMMAND, *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout, done.stderr.strip().splitlines()[-1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--out", type=Path, default=None)
    parser.add_argument("--noise", type=float, help="um, of worn pairs")
    parser.add_argument("--spacing", type=float, default=0.2, help="mm")
    parser.add_argument("--along", choices=("normal", "height", "y"), default="normal")
    asked, failed = parser.parse_args(), 0
    folder = asked.out or Path(tempfile.mkdtemp())
    folder.mkdir(parents=True, exist_ok=True)
    scenario = folder / "wheelset.toml"  # the whole model alone
    text = (ROOT / "examples" / "wheelset_curve.toml").read_text().replace('kind = "reduced"', 'kind = "vehicle"')
    scenario.write_text(text.replace("[reduced]\nstep_s = 0.001\n", ""))
    for name, wheel, rail, options, keys in _pairs() if asked.noise is None else _noisy_pairs(folder, asked):
        code, text, error = _called(["contact", "--wheel", wheel, "--rail", rail, *options, "--json"])
        if code:
            failed += 1
            print(f"{name:45s} geometry refused: {error}")
            continue
        conicity = json.loads(text)["conicity_3mm"]
        settings = [f"contact.wheel_profile={wheel}", f"contact.rail_profile={rail}"]
        settings += [
            *keys,
            'accept=["rail_inclination","growth"]',
            f"run.end_position_m={START + SPEED * asked.seconds}",
        ]
        given = [part for setting in settings for part in ("--set", setting)]
        out = folder / name.replace(" ", "_")
        code, text, error = _called(["run", str(scenario), "--out", str(out), "--json", *given])
        if code or not text:
            failed += 1
            print(f"{name:45s} conicity {conicity} run: exit {code} {error}", flush=True)
            continue
        run = json.loads(text)
        run = run[0] if isinstance(run, list) else run
        print(
            f"{name:45s} conicity {conicity} steps {run['steps']} not converged {run['steps_not_converged']} "
            f"complete {run['complete']}",
            flush=True,
        )
        failed += not run["complete"]
    print(f"{failed} failed")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main())
