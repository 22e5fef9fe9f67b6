"""A wagon whose body is a beam of solids on four springs: mesh, vehicle file and scenario; the same beam by itself."""

from dataclasses import replace

import numpy as np
import scipy.linalg as la

from flexwheel.body.mesh import Material
from flexwheel.verification.meshes.box_mesh import box_mesh
from flexwheel.verification.meshes.mesh_writers import write_mesh

LENGTH, WIDTH, HEIGHT, BASE = 16.0, 2.4, 0.6, 10.0  # [m]
PANEL = Material(1.2e10, 0.0, 900.0, "PANEL")
STIFFNESS, DAMPING = 3.0e6, 1.0e5  # [N/m], [N s/m] vertical, of both sides at one wheelset
ATTACHMENTS = ("FRONT_LEFT", "FRONT_RIGHT", "REAR_LEFT", "REAR_RIGHT")
VEHICLE = """
name = "Wagon"
kind = "freight_wagon"
[wheel]
radius_m = 0.46
flange_back_m = 1.36
[bodies.car_body]
mass_kg = {mass}
roll_inertia_kg_m2 = {roll}
pitch_inertia_kg_m2 = {pitch}
yaw_inertia_kg_m2 = {yaw}
position_m = [-5.0, 0.0, 1.5]
[wheelsets.front]
frame = "car_body"
position_m = 0.0
mass_kg = 1300.0
roll_inertia_kg_m2 = 750.0
spin_inertia_kg_m2 = 100.0
journal_y_m = 0.9
[wheelsets.rear]
frame = "car_body"
position_m = -10.0
mass_kg = 1300.0
roll_inertia_kg_m2 = 750.0
spin_inertia_kg_m2 = 100.0
journal_y_m = 0.9
[elements.primary]
kind = "spring"
other_body = "frame"
heights = "rail"
point_a_m = [0.0, 0.0, 1.2]
point_b_m = [0.0, 0.0, 1.2]
stiffness_n_per_m = [4.0e5, 4.0e5, 1.5e6]
damping_n_s_per_m = [1.0e4, 1.0e4, 5.0e4]
static_share = "car_body"
"""
SCENARIO = """
kind = "vehicle"
[run]
speed_kmh = 80.0
start_position_m = 20.0
duration_s = {duration}
step_s = 2e-4
output_step_s = 2e-3
settling_s = 0.1
[vehicle]
file = "wagon.toml"
{body}
[track]
model = "rigid"
layout = [{{ kind = "straight", length_m = 500.0 }}]
[irregularity]
{waves}
roughness = "none"
[contact]
wheel_profile = "S1002"
rail_profile = "60E1"
"""
BODY = """
[body.car_body]
mesh = "car.inp"
modes_up_to_hz = 60.0
damping_ratio = 0.01
control_nodes = [{ name = "middle", position_m = [8.0, 1.2, 0.6] }, { name = "seat", position_m = [10.5, 1.2, 0.6] }]
[body.car_body.attachments]
""" + "".join(f'{name.lower()} = "{name}"\n' for name in ATTACHMENTS)


def beam_mesh(material=PANEL, cells=(32, 4, 1)):
    """Solids of the body with the node sets of its attachments."""
    mesh = box_mesh("hex20", cells, (LENGTH, WIDTH, HEIGHT), material=material)
    x, y, z = (mesh.nodes - [0.5 * LENGTH, 0.5 * WIDTH, 0.0]).T
    sets = {}
    for end, at in (("FRONT", 0.5 * BASE), ("REAR", -0.5 * BASE)):
        for side, sign in (("LEFT", 1.0), ("RIGHT", -1.0)):
            near = (np.abs(x - at) < 0.26) & (sign * y > 0.59) & (z < 1e-9)
            sets[f"{end}_{side}"] = np.flatnonzero(near)
    return replace(mesh, node_sets=sets)


def write_frame(folder):
    """Mesh of a bogie frame for the Manchester coach, a steel slab of its mass; names of its attachments."""
    mesh = box_mesh("hex8", (16, 12, 1), (3.2, 2.4, 0.2), material=Material(2.1e11, 0.3, 1702.5, "FRAME"))
    x, y, z = (mesh.nodes - [1.6, 1.2, 0.1]).T
    near = lambda at_x, at_y: np.flatnonzero((abs(x - at_x) < 0.21) & (abs(y - at_y) < 0.21) & (z < 0))  # noqa: E731
    ends = {"FRONT": 1.28, "REAR": -1.28, "MIDDLE": 0.0}
    sets = {f"{end}_{side}": near(at, sign) for end, at in ends.items() for side, sign in (("LEFT", 1), ("RIGHT", -1))}
    write_mesh(folder / "frame.inp", replace(mesh, node_sets=sets | {"CENTRE": near(0.0, 0.0)}))
    return (*sets, "CENTRE")


def inertia():
    """Mass and inertia of the body, keys of VEHICLE."""
    mass = PANEL.density * LENGTH * WIDTH * HEIGHT
    of = lambda a, b: mass * (a * a + b * b) / 12.0  # noqa: E731
    return {"mass": mass, "roll": of(WIDTH, HEIGHT), "pitch": of(LENGTH, HEIGHT), "yaw": of(LENGTH, WIDTH)}


def write_wagon(folder, duration, frequency=None, body=BODY, material=PANEL):
    """Files of a run, its rails a sine of 1 mm met at `frequency` [Hz] or smooth; path of the scenario."""
    write_mesh(folder / "car.inp", beam_mesh(material))
    (folder / "wagon.toml").write_text(VEHICLE.format(**inertia()))
    waves = 'spectrum = "none"'
    if frequency is not None:
        wave = 80.0 / 3.6 / frequency
        s = np.arange(0.0, 20.0 + 30.0 * duration, wave / 40.0)
        rows = [f"{a:.9g},{b:.9g},{b:.9g}" for a, b in zip(s, np.sin(2 * np.pi * s / wave), strict=True)]
        head = "distance_m,left_vertical_mm,right_vertical_mm"
        (folder / "waves.csv").write_text("\n".join([head, *rows]) + "\n")
        waves = 'spectrum = "none"\nfile = "waves.csv"\nramp_m = 20.0'
    path = folder / "wagon_run.toml"
    path.write_text(SCENARIO.format(duration=duration, body=body, waves=waves))
    return path


def timoshenko(elements=64):
    """Stiffness and mass of the free beam, coordinates deflection and slope of each node, and the places of the nodes.

    Przemieniecki, Theory of Matrix Structural Analysis, 1968, sections 5.6 and 11.5; shear factor of a rectangle
    without lateral contraction: 5/6 (Cowper 1966).
    """
    area, second = WIDTH * HEIGHT, WIDTH * HEIGHT**3 / 12.0
    e, step = PANEL.youngs_modulus, LENGTH / elements
    p = 12.0 * e * second / (5.0 / 6.0 * 0.5 * e * area * step**2)
    h = step
    k = np.array([[12, 6 * h, -12, 6 * h], [6 * h, (4 + p) * h * h, -6 * h, (2 - p) * h * h],
                  [-12, -6 * h, 12, -6 * h], [6 * h, (2 - p) * h * h, -6 * h, (4 + p) * h * h]])  # fmt: skip
    k = k * e * second / (1 + p) / h**3
    m = np.array([[156, 22 * h, 54, -13 * h], [22 * h, 4 * h * h, 13 * h, -3 * h * h],
                  [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h * h, -22 * h, 4 * h * h]])  # fmt: skip
    r = np.array([[36, 3 * h, -36, 3 * h], [3 * h, 4 * h * h, -3 * h, -h * h],
                  [-36, -3 * h, 36, -3 * h], [3 * h, -h * h, -3 * h, 4 * h * h]])  # fmt: skip
    own = PANEL.density * (area * h * m / 420.0 + second / h * r / 30.0)
    stiffness, mass = np.zeros((2, 2 * elements + 2, 2 * elements + 2))
    for i in range(elements):
        at = slice(2 * i, 2 * i + 4)
        stiffness[at, at] += k
        mass[at, at] += own
    return stiffness, mass, np.linspace(-0.5 * LENGTH, 0.5 * LENGTH, elements + 1)


def on_springs():
    """Beam on its springs: stiffness, mass, coordinates of the springs (front, rear), coordinate of the middle."""
    stiffness, mass, x = timoshenko()
    ends = [2 * int(np.argmin(np.abs(x - at))) for at in (0.5 * BASE, -0.5 * BASE)]
    stiffness[ends, ends] += STIFFNESS
    return stiffness, mass, ends, 2 * (len(x) // 2)


def beam_acceleration(frequency, place, damping_ratio=0.01, amplitude=1e-3, speed=80.0 / 3.6):
    """Amplitude [m/s2] at a place [m from the rear end] of the beam whose springs' feet follow a sine, the rear ones
    later."""
    free, mass, _ = timoshenko()
    square, shape = la.eigh(free, mass)
    own = np.where(np.arange(len(square)) < 2, 0.0, np.sqrt(np.abs(square)))
    damping = mass @ shape @ np.diag(2.0 * damping_ratio * own) @ shape.T @ mass
    omega = 2.0 * np.pi * frequency
    _, _, ends, _ = on_springs()
    dynamic = (free - omega**2 * mass + 1j * omega * damping).astype(complex)
    load, foot = np.zeros(len(free), dtype=complex), STIFFNESS + 1j * omega * DAMPING
    for end, delay in zip(ends, (0.0, BASE / speed), strict=True):
        dynamic[end, end] += foot
        load[end] += foot * amplitude * np.exp(-1j * omega * delay)
    return omega**2 * abs(np.linalg.solve(dynamic, load)[2 * round(place / LENGTH * (len(free) / 2 - 1))])
