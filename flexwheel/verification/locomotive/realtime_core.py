"""The real-time locomotive: run of paper 000, forms and order of its step, explicit limit, hunting, counts, speed."""

from functools import cache

import numpy as np

from flexwheel.base.errors import FlexwheelError
from flexwheel.base.shipped import EXAMPLES
from flexwheel.systems.locomotive.build_locomotive import build_locomotive_run, read_realtime_scenario
from flexwheel.systems.locomotive.linearise_locomotive import linearise_step
from flexwheel.systems.locomotive.operation_counts import breakdown, table_2
from flexwheel.systems.locomotive.step_times import compiled_step_times
from flexwheel.verification import norms
from flexwheel.verification.check_registry import (
    bound,
    check,
    claim,
    distance,
    exact,
    floor,
    information,
    order,
    row,
)

EXAMPLE = EXAMPLES / "feve3000_curve.toml"
STRAIGHT = ("track.shift_m=0.0", "track.amplitude_mm=0.0", "run.motor_torque_nm=0.0", "run.lateral_offset_mm=0.0")
FREE = ("contact.flange_stiffness_n_m=0.0",)
CONTACT_BLOCKS = ("pose", "rows", "normal_force", "creep", "creep_coefficient", "stop_force")
TARGETS = {"M": 2500, "delta": 5000, "gamma_n": 9000}


def locomotive(*settings):
    """Locomotive of the shipped example with settings changed; keys that they make idle go with them."""
    return build_locomotive_run(read_realtime_scenario(EXAMPLE, list(settings)))


@cache
def _rest(settings):
    slow = locomotive(*STRAIGHT, *settings, "run.speed_kmh=7.2")
    slow.run(round(5.0 / slow.time_step))
    return slow.q.copy()


def settled(*settings, speed_kmh=85.32, step=1e-3):
    """Locomotive on straight smooth track, on its springs, at a speed."""
    steps = f"run.step_s={step}", f"run.output_step_s={step}"
    loco = locomotive(*STRAIGHT, *settings, f"run.speed_kmh={speed_kmh}", *steps)
    return on_its_springs(loco, _rest(tuple(s for s in settings if not s.startswith("contact.method"))))


def on_its_springs(loco, rest):
    """The locomotive with its suspension as in coordinates `rest`; its place, heading and wheels' turns are its own."""
    for k, name in enumerate(loco.coordinates):
        if name not in ("x", "y", "yaw") and not name.endswith(("spin", "rotor")):
            loco.q[k] = rest[k]
    loco.project()
    return loco


def block(loco, name):
    """Block of the work array as (entries, 8) or (entries,)."""
    b = loco.generated.blocks[name]
    values = loco._work[b.offset : b.offset + b.count * b.width]
    return values.reshape(b.count, b.width) if b.width > 1 else values


def contact_places(loco):
    """Places of CONTACT_BLOCKS in the work array, for a record that begins with them."""
    return [place for name in CONTACT_BLOCKS for place in loco.record_places(name)]


def contact_blocks(loco, record):
    """CONTACT_BLOCKS by name, (rows, entries, 8), of a record that begins with them."""
    ends = np.cumsum([len(loco.record_places(name)) for name in CONTACT_BLOCKS])
    parts = zip(CONTACT_BLOCKS, np.split(record, ends, axis=1), strict=False)
    return {name: part.reshape(len(record), -1, 8) for name, part in parts}


def vertical_forces(loco, blocks):
    """Vertical component of each contact force [N], (rows, 8), from `contact_blocks`."""
    up = blocks["pose"][:, 5:12:3]
    tx, ty, n = ((blocks["rows"][:, k : k + 3] * up).sum(axis=1) for k in (0, 6, 12))
    c11, c22, c23, _ = np.moveaxis(blocks["creep_coefficient"] / loco.creep_scale, 1, 0)
    vx, vy, spin, _ = np.moveaxis(blocks["creep"], 1, 0)
    lateral = blocks["stop_force"][:, 0] - c22 * vy - c23 * spin
    return blocks["normal_force"][:, 0] * n - c11 * vx * tx + lateral * ty


@check(
    "Real-time locomotive: run of paper 000",
    ground=claim("paper 000: the run is completed; constraints hold to 1e-6 by one iteration at most, figure 14"),
)  # fmt: skip
def paper_run():
    """35 s at 1 ms through the double transition."""
    loco = locomotive()
    places = contact_places(loco)
    extra = loco.record_places("normal_row")[48:56] + loco.record_places("q", [0, 1])
    record = loco.run(35_000, 1, places + extra)
    x = record[:, len(places) + 8]
    on = slice(np.searchsorted(x, 500.0), np.searchsorted(x, 860.0))
    blocks = contact_blocks(loco, record)
    mean = vertical_forces(loco, blocks).sum(axis=1)[on].mean()
    tangent = 0.0
    again = locomotive()
    for _ in range(350):  # residual after the step: the kernel is called once more
        again.run(100)
        again.generated.code.call("tangent_newton", again._work)
        tangent = max(tangent, np.abs(block(again, "residual")[:4]).max())
    weight = 34250.68 * loco.values["gravity"]
    normal = blocks["normal_force"][:, 0]
    whole_waves = exact("weight; the mean over whole waves of a periodic motion")
    own_shift = exact("the track's own shift; a wheelset keeps within 20 mm of the middle or leaves its rails")
    text = "mean vertical contact force, 36 waves of the last straight"
    return [
        row(text, mean, weight, "N", relative=1e-3, source="weight", ground=whole_waves),
        bound("normal constraints, every step", np.abs(record[:, len(places) : len(places) + 8]).max(), 1e-6, "m"),
        bound("tangent constraints, every 100th step", tangent, 1e-6, "m, -"),
        bound("Newton iterations of the tangent constraints", record[1:, -3].max(), 1, "", "paper 000, figure 14"),
        bound("Newton iterations of the normal constraints", record[:, -2].max(), 1, "", "paper 000, figure 14"),
        bound("contacts that had to be sought anew", record[:, -1].sum(), 0),
        floor("smallest wheel load", normal.min(), 0.0, "N"),
        information("largest wheel load", normal.max(), "N"),
        row("y at the end", loco.q[1], 50.0, "m", absolute=0.02, source="shift of the track", ground=own_shift),
    ]


@check(
    "Real-time locomotive: order of the step",
    ground=order("first and second by construction; 0.1 for the next term of the error"),
)  # fmt: skip
def order_in_time():
    """Lateral transient of 0.5 mm on smooth straight track, from a state past the creep's own transient."""
    start = settled(*FREE, "contact.method='trapezoidal'", step=1e-4)
    start.q[1] += 5e-4
    start.project()
    start.run(2000)
    state, rows = start.save_state(), []
    steps = (2e-3, 1e-3, 5e-4)

    def end(method, dt):
        loco = settled(*FREE, f"contact.method='{method}'", step=dt)
        loco.restore_state(state)
        loco.run(round(0.4 / dt))
        return loco.q[[1, 3]] * [1.0, 10.0]

    exact = end("trapezoidal", 1.25e-4)
    for method, claimed in (("imex", 1.0), ("trapezoidal", 2.0)):
        errors = [np.linalg.norm(end(method, dt) - exact) for dt in steps]
        order = np.log2(errors[-2] / errors[-1])
        rows.append(row(f"{method}: order from 1 and 0.5 ms", order, claimed, "", absolute=0.1))
        rows.append(information(f"{method}: error at 1 ms", 1e3 * errors[1], "mm"))
    return rows


@check(
    "Real-time locomotive: forms of the step system",
    ground=exact("the same equations solved in another form; rounding times the condition of 102 unknowns"),
)  # fmt: skip
def forms():
    """Sparse solution, coordinate partitioning, and the augmented form (14), at 4.5 s in the curve."""
    first = locomotive()
    first.run(4500)
    state, found = first.save_state(), {}
    for solution in ("sparse", "partitioned", "augmented"):
        loco = locomotive(f"contact.solution='{solution}'")
        loco.restore_state(state)
        loco.step(1)
        found[solution] = block(loco, "solution").copy(), block(loco, "new_normal_force").copy()
    v, n = found["sparse"]
    rows = []
    for solution in ("partitioned", "augmented"):
        rows += [
            distance(f"{solution}: velocities", found[solution][0], v, 1e-10, "rel.", "sparse solution"),
            distance(f"{solution}: normal forces", found[solution][1], n, 1e-6, "rel.", "sparse solution", norms.each),
        ]
    return rows


def creep_limit(loco):
    """Largest stable explicit step [s], 2/lambda of the linearised creep terms on the constrained motion."""
    g, n = loco.generated, len(loco.coordinates)
    mass, creep, normal = np.zeros((n, n)), np.zeros((n, n)), np.zeros((8, n))
    for (i, j), value in zip(g.mass_keys, block(loco, "mass"), strict=True):
        mass[i, j] = mass[j, i] = value
    width = g.blocks["jacobian"].count // 24
    jacobian = block(loco, "jacobian").reshape(4, 6, width)
    pairs, rows = block(loco, "creep_matrix").reshape(6, 6, 8) / loco.creep_scale, block(loco, "rows")
    for w, columns in enumerate(g.columns):
        full = np.zeros((6, n))
        full[:, list(columns)] = jacobian[w][:, : len(columns)]
        creep += full.T @ (pairs[:, :, 2 * w] + pairs[:, :, 2 * w + 1]) @ full
        normal[2 * w : 2 * w + 2] = rows[12:18, 2 * w : 2 * w + 2].T @ full
    basis = np.linalg.svd(normal)[2][8:].T
    rates = np.linalg.eigvals(np.linalg.solve(basis.T @ mass @ basis, basis.T @ creep @ basis))
    return 2.0 / rates.real.max()


@check(
    "Real-time locomotive: limit of explicit steps",
    ground=exact("2/lambda of the linearised creep terms; met in time runs within 10 %"),
)  # fmt: skip
def explicit_limit():
    """From the linearised creep terms, and met in time runs; a wheelset is given 1 mrad/s of false spin."""
    linear = "contact.friction=0.0"  # saturation would bound what grows
    loco = settled(linear)
    loco.step(1)
    limit = creep_limit(loco)

    def grows(share):
        test = settled(linear, "contact.method='explicit'", step=share * limit)
        spin = test.index("front.1.spin")
        test.qd[spin] += 1e-3
        test.qd[3] += 1e-5
        try:
            test.run(400)
        except FlexwheelError:
            return True
        return not np.abs(0.5 * test.qd[spin] - test.qd[0]) < 0.5

    return [
        information("limit at 23.7 m/s", 1e3 * limit, "ms", "paper 000 prints 1e-4 ms"),
        bound("steps 10 % below it grow", float(grows(0.9)), 0.0, "0: no"),
        floor("steps 10 % above it grow", float(grows(1.1)), 1.0, "1: yes"),
    ]


def hunting(loco, below_hz=1.5):
    """Least stable slow eigenvalue [1/s] of the linearised step, and its vector (m,)."""
    values, vectors = linearise_step(loco).eigenvalues(slowest=0.1)  # rad/s; below it are drifts, not hunting
    slow = np.flatnonzero(np.abs(values.imag) < 2.0 * np.pi * below_hz)
    best = slow[np.argmax(values[slow].real)]
    return values[best], vectors[:, best]


def growth_in_time(loco):
    """Growth [1/s] of the lateral motion over two periods of a time run that starts in the hunting mode."""
    value, vector = hunting(loco)
    mode = vector.real
    loco.set_compact_state(loco.compact_state() + 1e-5 / np.abs(mode[:30]).max() * mode)
    steps = round(2.0 * np.pi / value.imag / loco.time_step)
    y = loco.run(4 * steps, 1, loco.record_places("q", [1]))[:, 0]
    tops = [np.abs(y[k * steps : (k + 1) * steps] - y.mean()).max() for k in (1, 3)]
    return np.log(tops[1] / tops[0]) / (2.0 * steps * loco.time_step)


def critical_speed(settings, low=12.0, high=160.0):
    """Speed [km/h] at which the first slow mode loses its damping; nan when it has none at `low` already."""

    def growth(speed):
        loco = settled(*settings, speed_kmh=speed)
        loco.run(200)
        return hunting(loco)[0].real

    if growth(low) > 0.0:
        return np.nan
    while high - low > 1.0:
        middle = 0.5 * (low + high)
        low, high = (low, middle) if growth(middle) > 0.0 else (middle, high)
    return 0.5 * (low + high)


@check(
    "Real-time locomotive: hunting",
    ground=exact("eigenvalue of the linearised step; a mode that grows by e in 10 s is read off a run to 0.02 1/s"),
)  # fmt: skip
def hunting_of_the_locomotive():
    """Eigenvalue of the linearised step against the growth of a time run started in its mode; straight smooth track."""
    rows = []
    for name, settings in (("as the example", FREE), ("Kalker's linear law", (*FREE, "contact.friction=0.0"))):
        loco = settled(*settings)
        loco.run(200)
        value, grown = hunting(loco)[0], growth_in_time(loco)
        rows += [
            information(f"{name}: frequency at 85.3 km/h", value.imag / (2.0 * np.pi), "Hz"),
            row(f"{name}: growth of the time run against the eigenvalue", grown, value.real, "1/s", absolute=0.02),
        ]
    return rows


@check(
    "Real-time locomotive: critical speed",
    ground=exact("sign of the eigenvalue: a run below the critical speed decays, one above it grows"),
)  # fmt: skip
def linear_critical_speed():
    """Lowest speed at which hunting is not damped, by the eigenvalues of the linearised step; 0: at no speed damped.

    The bogies turn freely under the body, so at low speed hunting is all but kinematic: frequency and growth go to zero
    together, and whether the growth is positive is decided by the profiles.
    """
    rows = []
    for name, settings in (("as the example", ()), ("upright rails", ("track.inclination=0.0",))):
        for choice in ("right", "paper"):
            speed = critical_speed((*FREE, *settings, f"contact.shear_modulus='{choice}'"))
            rows.append(information(f"{name}, {choice} G", np.nan_to_num(speed), "km/h"))
    upright = (*FREE, "track.inclination=0.0")
    critical = critical_speed(upright)
    for share, test in ((0.85, bound), (1.15, floor)):
        loco = settled(*upright, speed_kmh=share * critical)
        loco.run(200)
        text = f"growth of a time run at {share:g} of it, upright rails, right G; half of the eigenvalue's"
        half = 0.5 * hunting(loco)[0].real
        rows.append(test(text, growth_in_time(loco), half, "1/s", "eigenvalue"))
    for method in ("imex", "trapezoidal"):
        for speed in (20.0, 85.32):
            loco = settled(*FREE, f"contact.method='{method}'", speed_kmh=speed)
            loco.run(200)
            rows.append(information(f"growth at {speed:g} km/h, {method}", hunting(loco)[0].real, "1/s"))
    return rows


@check(
    "Real-time locomotive: operations of paper 000's table 2",
    ground=claim("paper 000, table 2: no function needs more operations; M, delta, gamma_n far fewer, set beforehand"),
)  # fmt: skip
def operations():
    """One operation per atom; targets for M, delta and gamma_n, the paper's own count for every other function.

    The tangent of a rail that twists is included; the paper does not say whether its t_x is that or the base line's.
    """
    rows, values = [], locomotive().values
    for name, total, _, _, paper in table_2(values):
        text = f"{name}, paper {paper}"
        rows.append(bound(text, total, TARGETS[name]) if name in TARGETS else bound(text, total / paper, 1.0, "of it"))
    for name, paper, counted in breakdown(values):
        rows.append(bound(f"{name}, rail's tangent along its base line", counted["base_line"], paper))
    entries = len(locomotive().generated.mass_keys)  # a count of nothing would pass every bound
    counted = {r[0]: r[1] for r in table_2(values)}
    ground = exact("an entry that changes with the pose takes an operation")
    return [*rows, floor("M, at least one for each of its entries", counted["M"], entries, ground=ground)]


@check(
    "Real-time locomotive: time of a step",
    ground=claim("paper 000: 256 us on its machine"),
)  # fmt: skip
def speed():
    """Every step of the example's run timed inside the compiled loop."""
    times = 1e6 * compiled_step_times(locomotive(), 20_000)
    return [
        information("median step", np.median(times), "us", "paper 000: 256 us"),
        floor("the paper's 256 us over it", 256.0 / np.median(times), 1.0, "", "paper 000"),
        information("99.9th percentile", np.percentile(times, 99.9), "us"),
        information("longest", times.max(), "us"),
    ]
