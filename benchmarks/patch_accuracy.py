"""A run's law of normal contact against exact patches, on new and worn pairs in random poses.

    python benchmarks/patch_accuracy.py --law semi_hertzian --poses 2000 [--seed 1] [--strips 8 16] [--paths 300]
        [--cost]

Shift from -4 mm to the flange, yaw to 80 mrad, 10 to 150 kN vertically by the exact patches, ten pairs
(`flexwheel.verification.worn_profiles`). The exact patches are those of the half space; at the same height, those of
the conformal solution where a patch turns by more than 10 degrees and where there are several: the half space leaves
out that overlaps more than 10 mm apart lift each other, up to 16 % of the load. They are computed once and
kept in the folder.

Printed: error of the largest pressure; of the vertical and lateral force, over the resultant; and how often the number
of patches is right. A patch counts from 1 % of the load; a number is right between those from 2 % and from 0.5 % of the
exact ones, and a law's readings of merging regions count by their share.

With --paths, the jumps of the force as well: the wheel goes 30 um sideways from as many of the poses, 0.25 um a step;
a jump is how much a step's change of the force is off the mean of its neighbours' changes, over the load.

With --cost, the time of a wheel over that with `semi_hertzian` and 16 strips, in turn, on the tread and of the AS4's
four wheels in its curve (`benchmarks/contact.py`).

2,000 poses of seed 1, `semi_hertzian`, median, p90 and worst (2026-11-28): pressure 1.39, 36.5, 80 %; vertical force
0.50, 6.8, 27 %; lateral 0.12, 1.7, 18 %; number right in 99.2 %. Facets ground
on a rail, in 400 of the poses, make most of the pressure's: without them p90 7.4 %.
"""

import argparse
import contextlib
import io
import json
import time
from pathlib import Path

import contact
import numpy as np
from half_space import MODULUS, random_pose

from flexwheel.assess.conformal_patches import conformal_patches
from flexwheel.assess.exact_patches import exact_load
from flexwheel.base.errors import ContactError
from flexwheel.base.variables import PATCH
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch, make_contact_tables
from flexwheel.contact.normal import NORMAL_LAWS
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.numerics.kernels import handle
from flexwheel.verification.worn_profiles import worn_pairs

TURNED = np.radians(10.0)
LIMITS = np.array([20.0, 3.0, 3.0])  # [%] of the columns of `errors`
LEAST = 0.01  # of the load: a patch that counts
PATH, STEP = 3e-5, 2.5e-7  # [m] sideways, to look for jumps


def exact_case(pairs, seed, k):
    """Pair's name, pose (6,), exact patches (load [N], direction [rad], largest pressure [Pa] each) and their largest
    turn [rad] of the k-th case, the same however many are asked for; no patches where no height carries the load."""
    rng, name = np.random.default_rng((seed, k)), list(pairs)[k % len(pairs)]
    shift, yaw, load = random_pose(rng)
    try:
        height, patches = exact_load(pairs[name], shift, 0.0, yaw, load, MODULUS)
    except ContactError:
        return name, [], [], 0.0
    d, turn = [0.0, shift, height, 0.0, 0.0, yaw], max(patch.turn for patch in patches)
    if turn > TURNED or len(patches) > 1:
        patches = conformal_patches(pairs[name], np.array(d), MODULUS)
    return name, d, [[p.normal_force, p.force_angle, p.peak_pressure] for p in patches], turn


def exact_cases(pairs, seed, count, folder):
    """Cases 0 ... count - 1 of a seed as [name, pose, patches, turn], from the folder as far as it has them."""
    folder.mkdir(parents=True, exist_ok=True)
    path, rows, start = folder / f"exact_{seed}.jsonl", [], time.perf_counter()
    if path.exists():
        rows = [json.loads(line) for line in path.read_text().splitlines()]
    with path.open("a") as out:
        for k in range(len(rows), count):
            rows.append(exact_case(pairs, seed, k))
            out.write(json.dumps(rows[-1]) + "\n")
            out.flush()
            if k % 100 == 99:
                print(f"{k + 1} exact solutions, {time.perf_counter() - start:.0f} s", flush=True)
    return rows[:count]


def law_case(d, tables, radius, scratch, out, result):
    """Elastic force (2,) [N] across and up, largest pressure [Pa] and number of patches by a law."""
    _, count = wheel_rail_contact(tables, radius, WheelMotion(d, np.zeros(6), np.zeros(3), 1.0), scratch, out)
    rows = result.patches[:count]
    load = np.hypot(result.wrench[1], result.wrench[2])
    own = rows[:, PATCH.normal_force] > LEAST * load
    pressure = rows[own, PATCH.peak_pressure].max() if own.any() else 0.0
    return result.wrench[1:3].copy(), pressure, int(round(rows[own, PATCH.share].sum()))


def law_worlds(pairs, law, strips):
    """What `law_case` takes behind a pose, by the names of the pairs."""
    worlds = {}
    for name, pair in pairs.items():
        tables = make_contact_tables(pair.wheel, pair.rail, pair.placement, normal_law=law, strips=strips, friction=0.0)
        scratch, result = make_contact_scratch(tables), make_contact_result()
        worlds[name] = handle(tables), pair.placement.radius, handle(scratch), handle(result), result  # as a run calls
    return worlds


def jumps(worlds, cases):
    """(n, 2) largest jump of the force along a path sideways, over the load [%], and case."""
    rows = []
    for k, (name, d, patches, _) in enumerate(cases):
        if not patches:
            continue
        d, shift, force = np.array(d), d[1], []
        for beside in np.arange(0.0, PATH, STEP):
            d[1] = shift + beside
            force.append(law_case(d, *worlds[name])[0])
        change = np.diff(force, axis=0)
        off = np.hypot(*(change[1:-1] - 0.5 * (change[:-2] + change[2:])).T)
        rows.append((100.0 * off.max() / np.hypot(*force[0]), k))
    return np.array(rows)


def errors(worlds, cases):
    """(n, 6) of each case: pressure [%], vertical, lateral [% of the load], number right, turn [rad], case."""
    rows = []
    for k, (name, d, patches, turn) in enumerate(cases):
        if not patches:
            continue
        force, pressure, count = law_case(np.array(d), *worlds[name])
        loads, angles, pressures = np.array(patches).T
        exact = np.array([-loads @ np.sin(angles), loads @ np.cos(angles)])
        load = np.hypot(*exact)
        off = 100.0 * (force - exact) / load
        largest = pressures[loads > LEAST * load].max()
        right = np.sum(loads > 2.0 * LEAST * load) <= count <= np.sum(loads > 0.5 * LEAST * load)
        rows.append((100.0 * (pressure / largest - 1.0), off[1], off[0], right, turn, k))
    return np.array(rows)


def report(table, text):
    """Print median, p90 and worst of the columns, and how often the number is right."""
    if not len(table):
        return
    print(f"{text}: {len(table)} poses, number of patches right in {np.mean(table[:, 3]):.1%}")
    for column, name in enumerate(("largest pressure [%]", "vertical force [% of load]", "lateral [% of load]")):
        off = np.abs(table[:, column])
        worst = int(table[np.argmax(off), 5])
        figures = np.median(off), np.percentile(off, 90), np.percentile(off, 99), off.max()
        print(f"  {name:28s} median {figures[0]:6.2f}  p90 {figures[1]:6.2f}  p99 {figures[2]:6.2f}  "
              f"worst {figures[3]:6.2f} (case {worst})")  # fmt: skip
    beyond = table[np.any(np.abs(table[:, :3]) > LIMITS, axis=1), 5].astype(int).tolist()
    print(f"  beyond {', '.join(f'{limit:g}' for limit in LIMITS)} %: {len(beyond)} poses {beyond or ''}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--law", default=NORMAL_LAWS.default, help="of flexwheel.contact.normal.NORMAL_LAWS")
    parser.add_argument("--poses", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--strips", type=int, nargs="+", help="across a part of a patch; one or several")
    parser.add_argument("--cost", action="store_true", help="time as well, beside that of semi_hertzian")
    parser.add_argument("--paths", type=int, default=0, help="sideways, for the jumps of the force")
    parser.add_argument("--folder", type=Path, default=Path("patch_accuracy"), help="exact solutions are kept there")
    asked = parser.parse_args()
    pairs = worn_pairs()
    cases = exact_cases(pairs, asked.seed, asked.poses, asked.folder)
    for strips in asked.strips or [NORMAL_LAWS[asked.law].strips]:
        worlds = law_worlds(pairs, asked.law, strips)
        table = errors(worlds, cases)
        turned = table[:, 4] > TURNED
        print(f"{asked.law}, {strips} strips, seed {asked.seed}")
        report(table[~turned], "turned by at most 10 degrees")
        report(table[turned], "turned by more")
        report(table, "all")
        if asked.paths:
            largest, at = jumps(worlds, cases[: asked.paths]).T
            figures = np.median(largest), np.percentile(largest, 90), largest.max()
            print("jumps [% of load] median {:.4f}  p90 {:.4f}  worst {:.4f} ".format(*figures), end="")
            print(f"(case {int(at[np.argmax(largest)])}) on {len(at)} paths")
        if asked.cost:
            print("cost: tread {:.2f}, four wheels {:.2f} times".format(*cost(asked.law, strips)))


def cost(law, strips):
    """Time of a law over that of `semi_hertzian`, least of five turns each: on the tread, of four wheels in a curve."""
    least = []
    for chosen in ({"normal_law": law, "strips": strips}, {"normal_law": "semi_hertzian"}) * 5:
        with contextlib.redirect_stdout(io.StringIO()):
            times = contact.main(count=1000, runs=2, **chosen)
        least.append((times["tread, centred"], sum(times[name] for name in times if name.startswith("curve"))))
    return np.min(least[::2], axis=0) / np.min(least[1::2], axis=0)


if __name__ == "__main__":
    main()
