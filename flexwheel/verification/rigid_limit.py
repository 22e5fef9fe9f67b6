"""Linear analysis and rigid limit: Klingel's wavelength, critical speed in closed form, whirl, modes taken away."""

import functools
from dataclasses import replace

import numpy as np

from flexwheel.assess.linear.linear_rotor import linearised_matrices, whirl_frequencies
from flexwheel.assess.linearise import critical_speed, eigenvalues
from flexwheel.base.shipped import EXAMPLES, MESHES
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.vehicle.step.simulate import LoopSettings
from flexwheel.verification import norms
from flexwheel.verification.check_registry import bound, check, distance, exact, information, row
from flexwheel.verification.single_wheelset import SingleWheelset, build, kalker_creep, linear_model, scaled

KLINGEL = ((1.0 / 40.0, 23.341), (0.05, 16.505), (0.10, 11.670))  # conicity, wavelength [m] for r0 0.46, b 0.75
F = 1e7  # [N] creep coefficient of one wheel
SUSPENDED = SingleWheelset(
    mass=1250.0, yaw_inertia=700.0, spin_inertia=0.5, radius=0.45, half_distance=0.75, conicity=0.15,
    lateral_stiffness=2.3e5, yaw_stiffness=2.5e6, gravity=0.981, creep=(F, F, 0.0, 0.0),
)  # fmt: skip
SMALL = 0.1  # radius and conicity together: the wheelset's roll goes with the square
WEIGHT = 100e3  # [N] carried by the axle


def klingel_wavelength(radius, half_distance, conicity):
    """Wavelength [m] 2 pi sqrt(r0 b / lambda) of a free conical wheelset (Klingel 1883)."""
    return 2.0 * np.pi * np.sqrt(radius * half_distance / conicity)


def closed_form_critical_speed(case):
    """Critical speed [m/s] of a suspended conical wheelset, lateral and yaw, equal creep coefficients, no spin creep.

    Zero of the real part of the quartic of m y'' + 2 f (y'/V - psi) + ky y = 0,
    I psi'' + 2 f b^2 psi'/V + 2 f b lambda y / r0 + kpsi psi = 0.
    """
    m, inertia, b = case.mass, case.yaw_inertia, case.half_distance
    ky, kpsi, f = case.lateral_stiffness, case.yaw_stiffness, case.creep[0]
    w2 = (kpsi + b**2 * ky) / (inertia + m * b**2)
    slope = 4.0 * f**2 * b * case.conicity / case.radius
    return np.sqrt(4.0 * f**2 * b**2 * w2 / (slope + (ky - m * w2) * (kpsi - inertia * w2)))


def hunting(case, speed):
    """Least damped lateral eigenvalue [1/s] of a wheelset at `speed` [m/s], vertical motion left out by frequency."""
    values, _ = eigenvalues(linear_model(case, speed))
    swing = values[(values.imag > 1e-3) & (values.imag < 2.0 * np.pi * 30.0)]
    return swing[np.argmax(swing.real)]


def computed_critical_speed(case):
    """Critical speed [m/s] of a single wheelset from the full kernels."""
    return critical_speed(lambda speed: linear_model(case, speed), 30.0, 120.0, 0.02)


def formula_contact(linear, case, speed):
    """The linear model's suspension and masses of y and yaw, with the formula's contact in place of the kernels'."""
    pick = np.ix_((1, 3), (1, 3))
    f, b = case.creep[0], case.half_distance
    contact = np.array([[0.0, -2.0 * f], [2.0 * f * b * case.conicity / case.radius, 0.0]])
    return replace(
        linear,
        mass=linear.mass[pick],
        damping=linear.free_damping[pick] + np.diag([2.0 * f, 2.0 * f * b**2]) / speed,
        stiffness=linear.free_stiffness[pick] + contact,
        along=(),
        spins=(),
    )


@check(
    "Klingel wavelength of a free conical wheelset", subject="Linear dynamics",
    ground=exact("Klingel 1883, first order in the conicity; 0.5 % set here, 2 % beforehand"),
)  # fmt: skip
def klingel():
    """Eigenvalue at 1 m/s, and a time run over two waves."""
    rows = []
    for conicity, wanted in KLINGEL:
        case = SingleWheelset(radius=0.46, conicity=conicity, spin_inertia=100.0)
        value = hunting(case, 1.0)
        rows.append(row(f"conicity {conicity:g}, eigenvalue", 2.0 * np.pi / value.imag, wanted, "m", relative=0.005,
                        source="Klingel 1883"))  # fmt: skip
    case = SingleWheelset(radius=0.46, conicity=0.05, spin_inertia=100.0)
    rows.append(row("conicity 0.05, time run at 5 m/s", wavelength_of_run(case, 5.0), KLINGEL[1][1], "m",
                    relative=0.005, source="Klingel 1883"))  # fmt: skip
    return rows


def wavelength_of_run(case, speed, start=1e-3, waves=2.2):
    """Wavelength [m] between the zeros of the lateral motion of a run from a lateral shift [m]."""
    built = build(case, speed, step=5e-4)
    built.state.history[0, 0, 1] += start
    duration = waves * klingel_wavelength(case.radius, case.half_distance, case.conicity) / speed
    run = _simulate(built, duration)
    s, y = run.coordinates[:, 0], run.coordinates[:, 1]
    k = np.flatnonzero(y[:-1] * y[1:] < 0.0)
    zeros = s[k] - y[k] * (s[k + 1] - s[k]) / (y[k + 1] - y[k])
    return 2.0 * np.mean(np.diff(zeros))


def growth_of_run(case, speed, seconds=1.0, start=1e-3, step=2e-4):
    """Complex growth rate [1/s] of the lateral motion of a time run, fitted to its second half, one swing."""
    built = build(case, speed, step=step)
    built.state.history[0, 0, 1] += start
    q = _simulate(built, seconds)
    return fitted_growth(q, 1, len(q.time) // 2)


def fitted_growth(records, k, first):
    """Complex growth rate [1/s] of the coordinate k that swings, from the sample `first` on.

    y'' = -|s|^2 y + 2 Re(s) y' by least squares.
    """
    y, v, a = (x[first:, k] for x in (records.coordinates, records.velocities, records.accelerations))
    a0, a1, _ = np.linalg.lstsq(np.stack([y, v, np.ones_like(y)], axis=1), a, rcond=None)[0]
    return complex(0.5 * a1, np.sqrt(-a0 - 0.25 * a1**2))


def _simulate(built, duration):
    """Records of a run of a built wheelset."""
    return built.run(duration, LoopSettings(stride=1, tolerance=1e-6, limit=60)).records


@check(
    "Critical speed of a suspended wheelset", subject="Linear dynamics",
    ground=exact("closed form of the lateral and yaw equations; 2 % set beforehand for the kernels beside it"),
)  # fmt: skip
def suspended():
    """In the formula's configuration, then every term left out of it, one after the other."""
    wanted = closed_form_critical_speed(SUSPENDED)
    source = "closed form, lateral and yaw"
    rows = [row("closed form", wanted, 65.764189, "m/s", relative=1e-6, source="tabulated")]
    linear = linear_model(SUSPENDED, 60.0)
    found = critical_speed(lambda v: formula_contact(linear, SUSPENDED, v), 30.0, 120.0, 1e-3)
    rows.append(row("assembled masses and springs, contact of the formula", found, wanted, "m/s", relative=1e-3,
                    source=source))  # fmt: skip
    small = scaled(SUSPENDED, SMALL)
    previous = computed_critical_speed(small)
    rows.append(row("contact kernels, same conicity/radius, roll suppressed", previous, wanted, "m/s", relative=0.02,
                    source=source))  # fmt: skip
    for name, case in added_terms():
        found = computed_critical_speed(case)
        rows.append(information(f"adding {name}", found, "m/s"))
        rows.append(information(f"adding {name}, effect", 100.0 * (found / previous - 1.0), "%"))
        previous = found
    value, run = hunting(case, 50.0), growth_of_run(case, 50.0)
    source = "linearised, same contact"
    rows.append(row("time run with all terms at 50 m/s, frequency", run.imag, value.imag, "rad/s", relative=0.005,
                    source=source))  # fmt: skip
    rows.append(row("its decay, allowed 0.5 % of the frequency", run.real, value.real, "1/s",
                    absolute=0.005 * abs(value), source=source))  # fmt: skip
    return rows


def added_terms():
    """Name and case of each term that the formula leaves out, each on top of those before."""
    case = SUSPENDED
    yield "the wheelset's roll (cone at its full radius)", case
    case = replace(case, gravity=9.81)
    yield "gravity stiffness of its own weight", case
    case = replace(case, carried=WEIGHT)
    yield f"gravity stiffness of {1e-3 * WEIGHT:.0f} kN carried", case
    case = replace(case, spin_inertia=100.0)
    yield "gyroscopic moment of 100 kg m2", case
    f11, f22, f23, f33 = kalker_creep(F)
    case = replace(case, creep=(f11, f22, 0.0, 0.0))
    yield "c22 of Kalker (c11 kept)", case
    yield "spin creep", replace(case, creep=(f11, f22, f23, f33))


@functools.cache
def coarse_body():
    """Reduced body of the shipped coarse wheelset."""
    mesh = (MESHES / "wheelset_coarse.inp").as_posix()
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", [f"wheelset.front.mesh={mesh}"])
    return flexible_wheelsets(scenario)["front"].body


def without_modes(body):
    """The same body with no flexible coordinate."""
    i = body.invariants
    return replace(
        body,
        frequency_hz=body.frequency_hz[:0],
        damping_ratio=body.damping_ratio[:0],
        order=body.order[:0],
        generator=body.generator[:0, :0],
        sector_map=body.sector_map[:0, :0],
        closure_defect=0.0,
        geometric_stiffness=body.geometric_stiffness[:0, :0],
        invariants=i._replace(s_h=i.s_h[:, :0], p_xh=i.p_xh[:, :, :0], p_hh=np.ascontiguousarray(i.p_hh[:, :, :0, :0])),
        interface_rows=body.interface_rows[:, :, :0],
        treads=tuple(
            replace(
                t,
                node_rows=t.node_rows[..., :0],
                profile_rows=t.profile_rows[..., :0],
                residual_compliance=np.zeros((6, 6)),
            )
            for t in body.treads
        ),
    )


def stiffened(body, factor):
    """The body with a stiffness `factor` times as large."""
    return replace(
        body,
        frequency_hz=body.frequency_hz * np.sqrt(factor),
        treads=tuple(replace(t, residual_compliance=t.residual_compliance / factor) for t in body.treads),
    )


def wheelset_of(body, flexible=True):
    """Sprung wheelset with the mass of a reduced body, flexible or as a rigid body of the same inertia."""
    tread = body.treads[0]
    return SingleWheelset(
        mass=body.mass, inertia=body.inertia, radius=tread.radius, half_distance=tread.lateral, conicity=0.05,
        lateral_stiffness=1e6, yaw_stiffness=2e6, carried=50e3, creep=kalker_creep(F),
        spring_distance=float(body.interface_position[0, 1]), body=body if flexible else None,
    )  # fmt: skip


def swinging_run(case, start=None, speed=20.0, duration=0.2, step=1e-4, shift=1e-3):
    """A run from a lateral shift [m] of the wheelset.

    start : (coordinates (6,), wrench (1, 2, 6)) at rest, or None: found here

    Returns
    -------
    coordinates (T, 6) of the rigid motion, contact wrenches (T, 2, 6), start
    """
    built = build(case, speed, step=step)
    if start is None:
        start = built.state.history[0, 0, :6].copy(), built.state.wrench.copy()
    built.state.history[0, 0, :6], built.state.wrench[:] = start
    built.state.history[0, 0, 1] += shift
    records = _simulate(built, duration)
    return records.coordinates[:, :6].copy(), records.wrench[:, 0].copy(), start


@check(
    "Flexible wheelset without modes is the rigid one", subject="Linear dynamics",
    ground=exact("the same rigid body; rounding, carried to 1e-5 of the force by steps of the search grid"),
)  # fmt: skip
def rigid_limit():
    """Time runs of 0.2 s from a lateral shift of 1 mm, and hunting eigenvalues."""
    body = coarse_body()
    q0, f0, start = swinging_run(wheelset_of(body, flexible=False))
    q1, f1, _ = swinging_run(wheelset_of(without_modes(body)), start)
    lateral = np.abs(q0[:, 1]).max()
    falls = exact("compliance is a hundredth; 0.05 leaves room for the square of it")
    # equal to rounding; a contact point that steps by its search grid carries rounding up to 1e-5 of the force
    rows = [
        distance("no modes: lateral motion, largest difference", q1[:, 1], q0[:, 1], 1e-5, "", "rigid run"),
        distance("no modes: lateral wheel force, largest difference", f1[..., 1], f0[..., 1], 1e-4, "", "rigid run"),
    ]
    gaps = []
    for factor in (1.0, 100.0, 1e4):
        q, _, _ = swinging_run(wheelset_of(stiffened(body, factor)))
        gaps.append(np.abs(q - q0)[:, 1].max() / lateral)
        rows.append(information(f"stiffness x {factor:g}: lateral motion, largest difference", 100.0 * gaps[-1], "%"))
    rows.append(bound("difference at x 100 over that at x 1", gaps[1] / gaps[0], 0.05, ground=falls))
    rigid = hunting(wheelset_of(body, flexible=False), 20.0)
    gaps = [abs(hunting(wheelset_of(stiffened(body, k)), 20.0) - rigid) / abs(rigid) for k in (1.0, 100.0)]
    rows.append(information("hunting eigenvalue, flexible against rigid", 100.0 * gaps[0], "%"))
    rows.append(bound("its difference at x 100 over that at x 1", gaps[1] / gaps[0], 0.05, ground=falls))
    return rows


def free_frequencies(case, speed):
    """Frequencies [Hz] above 20 Hz of the wheelset without contact, coordinates of the time step, non-turning mesh."""
    linear = linear_model(case, speed)
    free = replace(linear, damping=linear.free_damping, stiffness=linear.free_stiffness)
    values, _ = eigenvalues(free)
    hz = np.sort(values.imag) / (2.0 * np.pi)
    return hz[hz > 20.0]


@check(
    "Campbell diagram of the free wheelset", subject="Linear dynamics",
    ground=exact("matrices of the spinning free body, formed in closed form; the linearisation here is by differences"),
)  # fmt: skip
def campbell(count=12):
    """Equations of the time step, linearised, against the matrices of the spinning free body."""
    body = coarse_body()
    case = replace(wheelset_of(body), lateral_stiffness=0.0, yaw_stiffness=0.0, carried=0.0)
    rows, torsion = [], []
    for kmh in (10.0, 200.0):
        speed = kmh / 3.6
        found = free_frequencies(case, speed)[:count]
        wanted = whirl_frequencies(*linearised_matrices(body, speed / body.treads[0].radius, "non_rotating"))[0]
        wanted = wanted[wanted > 20.0][:count]
        text, source = f"{kmh:g} km/h: largest deviation of the first {count}", "matrices of the spinning free body"
        rows.append(distance(text, found, wanted, 0.02, "%", source, norms.each, 100.0))
        torsion.append(found[0])
        rows.append(information(f"{kmh:g} km/h: first torsion", found[0], "Hz"))
        rows.append(information(f"{kmh:g} km/h: first bending, backward", found[1], "Hz"))
        rows.append(information(f"{kmh:g} km/h: first bending, forward", found[2], "Hz"))
    rows.append(row("first torsion at 200 over 10 km/h", torsion[1] / torsion[0], 1.0, relative=0.002,
                    source="no gyroscopic effect on torsion"))  # fmt: skip
    return rows
