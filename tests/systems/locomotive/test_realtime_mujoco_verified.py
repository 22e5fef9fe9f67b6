"""Mass matrix and inertia forces of the symbolic locomotive beside MuJoCo's, an independent multibody code.

MuJoCo has one tree of bodies: the rotor hangs on its housing and turns relative to it, so its angle is the difference
of our two. Inertias that violate the triangle inequality, which MuJoCo refuses, are replaced in both models.
"""

import numpy as np
import pytest

from flexwheel.systems.locomotive.build_locomotive import read_realtime_scenario
from flexwheel.systems.locomotive.locomotive import build_locomotive
from flexwheel.systems.symbolic.calculus import evaluate
from flexwheel.systems.symbolic.composite_bodies import composite_mass_matrix
from flexwheel.systems.symbolic.virtual_power import VirtualPower
from tests.systems.locomotive.realtime_support import EXAMPLE

mujoco = pytest.importorskip("mujoco")

REPLACED = {"vehicle_body.Ixx": 40000.0, "bogie_frame.Izz": 2000.0, "motor_housing.Ixx": 140.0}


def inertial(v, kind, at=(0.0, 0.0, 0.0)):
    numbers = " ".join(repr(float(v[f"{kind}.I{axis}{axis}"])) for axis in "xyz")
    place = " ".join(repr(float(x)) for x in at)
    return f'<inertial mass="{v[f"{kind}.mass"]!r}" pos="{place}" diaginertia="{numbers}"/>'


def joints(*parts):
    axes = {"x": "1 0 0", "y": "0 1 0", "z": "0 0 1"}
    return "".join(f'<joint name="{name}" type="{kind}" axis="{axes[axis]}"/>' for name, kind, axis in parts)


def wheelset(v, name, along, motor):
    m, y = v["axle_box.mass"], v["geometry.primary_lateral_semi_spacing"]
    box = [2.0 * (v["axle_box.Ixx"] + m * y * y), 2.0 * v["axle_box.Iyy"], 2.0 * (v["axle_box.Izz"] + m * y * y)]
    spin = dict(v)
    if motor:
        spin["wheelset.Iyy"] = v["wheelset.Iyy"] + v["wheelset.gear_wheel_Iyy_extra"]
    text = f'<body pos="{along * v["geometry.semi_wheelbase"]!r} 0 0">'
    text += joints((f"{name}.z", "slide", "z"), (f"{name}.roll", "hinge", "x"))
    text += f'<inertial mass="{2.0 * m!r}" pos="0 0 0" diaginertia="{box[0]!r} {box[1]!r} {box[2]!r}"/>'
    text += f"<body>{joints((f'{name}.spin', 'hinge', 'y'))}{inertial(spin, 'wheelset')}</body>"
    if motor:
        text += f"<body>{joints((f'{name}.housing', 'hinge', 'y'))}"
        text += inertial(v, "motor_housing", (-along * v["motor_housing.cg_from_axle"], 0.0, 0.0))
        text += f'<body pos="{-along * v["geometry.gear_centre_distance"]!r} 0 0">'
        text += f"{joints((f'{name}.rotor', 'hinge', 'y'))}{inertial(v, 'rotor')}</body></body>"
    return text + "</body>"


def locomotive_xml(v):
    body = [(n, "slide", n) for n in "xyz"] + [("yaw", "hinge", "z"), ("pitch", "hinge", "y"), ("roll", "hinge", "x")]
    text = f'<mujoco><option gravity="0 0 {-v["gravity"]!r}"/><worldbody><body>{joints(*body)}'
    text += inertial(v, "vehicle_body", [v[f"vehicle_body.cg_{c}"] for c in "xyz"])
    for bogie, sign, motors in (("front", 1.0, False), ("rear", -1.0, True)):
        text += f'<body pos="{0.5 * sign * v["geometry.bogie_pivot_distance"]!r} 0 0">'
        text += joints((f"{bogie}.slider_yaw", "hinge", "z")) + inertial(v, "slider")
        kinds = ("z", "slide", "z"), ("roll", "hinge", "x"), ("tilt", "hinge", "y")
        parts = [(f"{bogie}.frame_{name}", kind, axis) for name, kind, axis in kinds]
        text += f"<body>{joints(*parts)}{inertial(v, 'bogie_frame', (0.0, 0.0, v['bogie_frame.cg_z']))}"
        text += wheelset(v, f"{bogie}.1", 1.0, motors) + wheelset(v, f"{bogie}.2", -1.0, motors) + "</body></body>"
    return text + "</body></worldbody></mujoco>"


def test_mass_matrix_and_inertia_forces():
    v = {**read_realtime_scenario(EXAMPLE).values, **REPLACED}
    model = build_locomotive(v)
    system, n = model.system, 30
    mass = composite_mass_matrix(system, model.bodies)
    power = VirtualPower(system)
    power.inertia(model.bodies)
    delta = power.generalized_forces()
    other = mujoco.MjModel.from_xml_string(locomotive_xml(v))
    data = mujoco.MjData(other)
    assert other.nv == n
    turn = np.zeros((n, n))  # MuJoCo's coordinates from ours
    for k, name in enumerate(system.names):
        turn[other.jnt_dofadr[other.joint(name).id], k] = 1.0
        if name.endswith(".rotor"):
            turn[other.jnt_dofadr[other.joint(name).id], system.names.index(name.replace("rotor", "housing"))] = -1.0
    for seed in range(5):
        rng = np.random.default_rng(seed)
        q, qd = 0.3 * rng.normal(size=n), rng.normal(size=n)
        named = {**v, **dict(zip(system.names, q, strict=True))}
        named |= {f"{name}'": x for name, x in zip(system.names, qd, strict=True)}
        ours = np.zeros((n, n))
        for (i, j), number in zip(mass, evaluate(list(mass.values()), named), strict=True):
            ours[i, j] = number
        data.qpos[:], data.qvel[:] = turn @ q, turn @ qd
        mujoco.mj_forward(other, data)
        theirs = np.zeros((n, n))
        try:
            mujoco.mj_fullM(other, data, theirs)
        except TypeError:  # before version 3.4
            mujoco.mj_fullM(other, theirs, data.qM)
        theirs = turn.T @ theirs @ turn
        assert np.abs(ours - theirs).max() <= 1e-11 * np.abs(theirs).max()
        force = -turn.T @ data.qfrc_bias
        assert np.abs(np.array(evaluate(delta, named)) - force).max() <= 1e-11 * np.abs(force).max()
