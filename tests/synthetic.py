"""A made-up wheelset of revolution and made-up runs with known answers."""

import numpy as np

from flexwheel.body.reduced_body import ControlRings, InertiaInvariants, ReducedBody, Tread, TreadField
from flexwheel.results.dataset import make_dataset

ORDERS = (0, 1, 1, 2, 2, 3, 3)
SECTIONS = 48
RADIUS = 0.46


def generator_of(orders):
    """Skew J with -n, n on each (cos, sin) pair."""
    j = np.zeros((len(orders), len(orders)))
    k = 0
    while k < len(orders):
        if orders[k]:
            j[k, k + 1], j[k + 1, k] = -orders[k], orders[k]
            k += 1
        k += 1
    return j


def shape(order, member, angle, amplitude):
    """Section-axes displacement (..., n) of a mode at angles; amplitude (n, 2): cos-like, sin-like."""
    c, s = np.cos(order * angle), np.sin(order * angle)
    first, second = (c, s) if member == 0 else (s, -c)
    return first[..., None] * amplitude[:, 0] + second[..., None] * amplitude[:, 1]


def ring_rows(components, seed, orders=ORDERS, sections=SECTIONS):
    """(S, components, H) rows of a ring, and the function that gives them at any angle."""
    amplitudes = np.random.default_rng(seed).normal(size=(len(orders), components, 2))
    members = []
    for k, order in enumerate(orders):
        second = bool(order) and k > 0 and orders[k - 1] == order and members[k - 1] == 0
        members.append(int(second))
    for k, second in enumerate(members):
        if second:
            amplitudes[k] = amplitudes[k - 1]
        if orders[k] == 0:
            amplitudes[k, :, 1] = 0.0

    def at(angle):
        angle = np.asarray(angle, dtype=float)
        return np.stack([shape(n, m, angle, a) for n, m, a in zip(orders, members, amplitudes, strict=True)], axis=-1)

    return at(2.0 * np.pi * np.arange(sections) / sections), at


def synthetic_body(name="front", orders=ORDERS, sections=SECTIONS, seed=1):
    """ReducedBody with analytic rings; two control nodes on the right wheel."""
    h = len(orders)
    rng = np.random.default_rng(seed)
    angle = 2.0 * np.pi * np.arange(sections) / sections
    frequency = np.sort(rng.uniform(60.0, 1200.0, h))
    for k in range(1, h):
        if orders[k] and orders[k] == orders[k - 1] and k % 2 == 0:
            frequency[k] = frequency[k - 1]
    displacement = np.stack([ring_rows(3, s, orders, sections)[0] for s in (11, 12)]) * 0.03
    stress = np.stack([ring_rows(6, s, orders, sections)[0] for s in (21, 22)]) * 2e9

    def lag(components, scale, s):
        table = np.random.default_rng(s).normal(size=(2, 1, components, 2, 6)) * scale
        return table * (np.exp(3.0 * (np.cos(angle) - 1.0)))[None, :, None, None, None]

    def lag_interface(components, scale, s):
        table = np.random.default_rng(s).normal(size=(2, 1, components, 2, 6)) * scale
        return table * np.cos(angle)[None, :, None, None, None]

    def later(table):  # terms of the square and of the fourth power of the frequency
        return np.stack([table, 1e-8 * table])

    control = ControlRings(
        node_id=np.array([1234, 5678]),
        name=("web_fillet_right", "tread_right"),
        position=np.array([[0.0, -0.72, -0.2], [0.0, -0.75, -RADIUS]]),
        home=np.array([0, 0]),
        displacement_rows=displacement,
        stress_rows=stress,
        tread_displacement=lag(3, 1e-10, 31),
        tread_stress=lag(6, 200.0, 32),
        interface_displacement=lag_interface(3, 1e-11, 33),
        interface_stress=lag_interface(6, 20.0, 34),
        tread_displacement_dynamic=later(lag(3, 1e-18, 35)),
        tread_stress_dynamic=later(lag(6, 2e-6, 36)),
        interface_displacement_dynamic=later(lag_interface(3, 1e-19, 37)),
        interface_stress_dynamic=later(lag_interface(6, 2e-7, 38)),
        centrifugal_displacement=np.zeros((2, sections, 3)),
        centrifugal_stress=np.zeros((2, sections, 6)),
        prestress=np.zeros((2, sections, 6)),
        stress_error=np.array([0.19, 0.04]),
        corner=np.array([1.4, 0.0]),
    )
    treads = tuple(
        Tread(
            side,
            RADIUS,
            side * 0.75,
            angle,
            np.zeros((3, 2)),
            np.zeros((sections, 3, 3, h)),
            np.zeros((sections, 6, h)),
            np.zeros((6, 6)),
        )
        for side in (1, -1)
    )
    return ReducedBody(
        name=name,
        key="synthetic",
        options={},
        mass=1300.0,
        centre=np.zeros(3),
        inertia=np.diag([700.0, 110.0, 700.0]),
        frequency_hz=frequency,
        damping_ratio=np.full(h, 0.01),
        order=np.array(orders),
        generator=generator_of(orders),
        closure_defect=0.0,
        sector_angle=2.0 * np.pi / sections,
        sector_map=np.eye(h),
        invariants=InertiaInvariants(1300.0, np.zeros((3, h)), np.eye(3), np.zeros((3, 3, h)), np.zeros((3, 3, h, h))),
        geometric_stiffness=np.zeros((h, h)),
        interface_position=np.array([[0.0, 1.0, 0.0], [0.0, -1.0, 0.0]]),
        interface_rows=np.zeros((2, 6, h)),
        treads=treads,
        control=control,
        mesh_error=np.full(h, 1e-3),
        complete_hz=2000.0,
        near=TreadField(),
        audit=("made up",),
    )


def noise(time, count, seed, lowest=0.5, highest=1300.0, lines=160, fall=0.8):
    """Sum of cosines (T, count) and its two derivatives."""
    rng = np.random.default_rng(seed)
    f = np.geomspace(lowest, highest, lines)
    phase = rng.uniform(0.0, 2.0 * np.pi, (lines, count))
    amplitude = f[:, None] ** -fall * rng.uniform(0.5, 1.5, (lines, count))
    value, first, second = (np.zeros((len(time), count)) for _ in range(3))
    for k in range(lines):
        w = 2.0 * np.pi * f[k]
        c, s = np.cos(w * time)[:, None], np.sin(w * time)[:, None]
        a, b = amplitude[k] * np.cos(phase[k]), -amplitude[k] * np.sin(phase[k])
        value += a * c + b * s
        first += w * (b * c - a * s)
        second -= w * w * (a * c + b * s)
    return value, first, second


def load_rates(samples, step):
    """Time derivatives (T, ..., 6, n), in the results' unit of time, of loads (T, ..., n): as the time loop takes them,
    the ends reflected."""
    from flexwheel.vehicle.step.load_rates import ORDERS, RATE_TIME, REACH, rate_spacing, rate_weights

    m, count = rate_spacing(step), len(samples)
    ends = [(REACH * m, REACH * m)] + [(0, 0)] * (samples.ndim - 1)
    around = np.pad(samples, ends, mode="reflect", reflect_type="odd")
    taps = [around[k * m : k * m + count] for k in range(2 * REACH + 1)]
    weights = rate_weights() * (RATE_TIME / (m * step)) ** np.arange(1, ORDERS + 1)[:, None]
    return np.moveaxis(np.tensordot(weights, taps, axes=1), 0, -2)


def synthetic_results(body, mode="eulerian", rates="spatial", duration=2.0, step=1e-4, speed=22.22, seed=3, lines=160):
    """Dataset of a made-up run of two wheelsets, the front one flexible; the same field whatever the mode."""
    from flexwheel.results.evaluate.histories import wrench_in_frame
    from flexwheel.results.evaluate.mode_turning import material_rates, mode_turning, turned

    time = np.arange(round(duration / step)) * step
    count = len(time)
    rate = speed / RADIUS
    spin = rate * time + 0.01 * np.sin(3.0 * time)
    spin1 = rate + 0.03 * np.cos(3.0 * time)
    spin2 = -0.09 * np.sin(3.0 * time)
    wheelsets, bodies = ["front", "rear"], ["car_body", "front", "rear"]
    position, velocity, acceleration = (np.zeros((count, 3, 6)) for _ in range(3))
    position[:, :, 0] = speed * time[:, None] - np.array([4.25, 0.0, 8.5])
    velocity[:, :, 0] = speed
    slow, slow1, slow2 = noise(time, 12, seed + 1, 0.5, 60.0, 40, 2.0)
    for b in range(3):
        for c in range(1, 5):
            k = 4 * b + c - 1
            position[:, b, c], velocity[:, b, c], acceleration[:, b, c] = (x[:, k] * 1e-3 for x in (slow, slow1, slow2))
        if b:
            position[:, b, 5], velocity[:, b, 5], acceleration[:, b, 5] = spin, spin1, spin2
    w, w1, w2 = (x * 1e-3 for x in noise(time, len(body.frequency_hz), seed, lines=lines, fall=1.4))
    if mode == "lagrangian" or rates == "material":
        w1, w2 = material_rates(body.generator, w, w1, w2, spin1, spin2)
    if mode == "lagrangian":
        turning = mode_turning(body.generator)
        w, w1, w2 = (turned(turning, x, -spin) for x in (w, w1, w2))
    load = noise(time, 24, seed + 2, 0.5, 900.0, 80, 0.9)[0]
    wrench = np.zeros((count, 4, 6))
    wrench[..., :3] = 3e3 * load[:, :12].reshape(count, 4, 3)
    wrench[..., 2] += 88e3
    wrench[:, 1::2, 1] += 12e3 * np.clip((time / duration - 0.3) * 4, 0, 1)[:, None]
    wrench[..., 3:] = 100.0 * load[:, 12:].reshape(count, 4, 3)
    side = np.array([1.0, -1.0, 1.0, -1.0])
    force = np.stack([-wrench[..., 0], -side * wrench[..., 1], wrench[..., 2]], axis=-1)
    two = (wrench[:, :, 1] > 6e3).astype(int)
    patch = {}
    places = np.array([0.002, -0.033, 0.0, 0.0])
    share = np.stack([1.0 - 0.4 * two, 0.4 * two, 0 * two, 0 * two], axis=-1)
    patch["normal_force"] = share * wrench[..., 2:3]
    present = share > 0
    patch["y_rail"] = np.where(present, places + 1e-3 * slow[:, None, :1], np.nan)
    patch["y_wheel"] = np.where(present, places, np.nan)
    patch["area"] = np.where(present, 1.2e-4 * (np.abs(patch["normal_force"]) / 88e3) ** (2 / 3), 0.0)
    patch["peak_pressure"] = 1.5 * patch["normal_force"] / np.where(present, patch["area"], 1.0)
    for label in ("creep_force_x", "creep_force_y", "xi", "eta", "phi"):
        patch[label] = np.where(present, 0.1 * patch["normal_force"] if "force" in label else 1e-3, 0.0)
    patch["half_length"] = np.sqrt(patch["area"] / np.pi * 1.6)
    patch["half_width"] = np.sqrt(patch["area"] / np.pi / 1.6)
    patch["x_contact"] = np.where(present, np.array([0.001, 0.012, 0.0, 0.0]), 0.0)
    patch["contact_angle"] = np.where(present, np.array([0.03, 1.0, 0.0, 0.0]), 0.0)
    rail = np.zeros((count, 4, 4))
    rail[..., 2] = -1e-3 * wrench[..., 2] / 88e3
    interface = 2e3 * noise(time, 12, seed + 6, 0.5, 100.0, 40, 1.0)[0].reshape(count, 1, 2, 6)
    turning = [position[:, 1 + w, 3:5].T for w in range(2)]  # yaw and roll
    framed = [wrench_in_frame(wrench[:, 2 * w : 2 * w + 2], *angles) for w, angles in enumerate(turning)]
    load_rate, interface_rate = (load_rates(x, step) for x in (framed[0][:, None], interface))
    arrays = {
        "body_position": position[..., :3],
        "body_angle": position[..., 3:],
        "body_velocity": velocity[..., :3],
        "body_angular_velocity": velocity[..., 3:],
        "body_acceleration": acceleration[..., :3],
        "body_angular_acceleration": acceleration[..., 3:],
        "wheel_force": force,
        "contact_force": wrench[..., :3],
        "contact_moment": wrench[..., 3:],
        "patch_count": 1 + two,
        **{f"patch_{label}": value for label, value in patch.items()},
        "rail_displacement": rail[..., :3],
        "rail_roll": rail[..., 3],
        "rail_velocity": np.gradient(rail[..., :3], step, axis=0),
        "irregularity": 1e-3 * noise(time, 8, seed + 5, 0.3, 20.0, 60, 1.0)[0].reshape(count, 4, 2),
        "modal_coordinate": w[:, None],
        "modal_velocity": w1[:, None],
        "modal_acceleration": w2[:, None],
        "interface_force": interface[..., :3],
        "interface_moment": interface[..., 3:],
        "load_force_rate": load_rate[..., :3],
        "load_moment_rate": load_rate[..., 3:],
        "interface_force_rate": interface_rate[..., :3],
        "interface_moment_rate": interface_rate[..., 3:],
    }
    labels = {
        "time": time,
        "wheelset": wheelsets,
        "body": bodies,
        "flexible": ["front"],
        "mesh_mode": ("flexible", [mode]),
    }
    return make_dataset("vehicle", arrays, labels, attributes={"modal_rates": rates, "title": "synthetic run"})
