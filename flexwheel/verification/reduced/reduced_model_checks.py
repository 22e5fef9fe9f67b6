"""Simplified vehicle model: closed forms, steady curving, critical speeds beside those of the full model."""

from dataclasses import replace
from functools import partial

import numpy as np

from flexwheel.assess.linearise import critical_speed as full_critical_speed
from flexwheel.assess.linearise import dominant_coordinates
from flexwheel.assess.linearise import eigenvalues as full_eigenvalues
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.keys.reader import read_scenario_source
from flexwheel.systems.reduced.linearise_reduced import critical_speed, eigenvalues, steady_state
from flexwheel.systems.reduced.model_comparison import compare_models, compared_histories
from flexwheel.systems.reduced.reduced_run import run_both
from flexwheel.systems.reduced.simplified_model import ReducedVehicle, SmallBody, SmallWheelset
from flexwheel.systems.reduced.simulate_reduced import build_model, run
from flexwheel.track.irregularity import make_irregularity
from flexwheel.track.layout import make_layout
from flexwheel.track.segments import Arc, Straight, Transition
from flexwheel.verification import norms
from flexwheel.verification.check_registry import (
    bound,
    check,
    claim,
    distance,
    exact,
    floor,
    information,
    other_code,
    row,
)
from flexwheel.verification.reduced.reduced_cases import (
    cone_zones,
    constraint_pairs,
    full_vehicle_on_cones,
    small_wheelset,
    vehicle_on_cones,
)
from flexwheel.verification.rigid_limit import (
    SUSPENDED,
    closed_form_critical_speed,
    computed_critical_speed,
    klingel_wavelength,
)
from flexwheel.verification.single_wheelset import SingleWheelset, kalker_creep, scaled

CREEP = (1e7, 1e7, 0.0, 0.0)
ML95_CONICITY, ML95_CREEP = 0.15, kalker_creep(6e6)


@check(
    "Simplified model: knife-edge contact in closed form",
    ground=claim("paper 001: errors in the constraints of the order of one tenth of a millimetre"),
)  # fmt: skip
def knife_edge_contact():
    """Against the search for the lowest points of yawed cones over two lines."""
    closed, searched = constraint_pairs(200)
    source = "yawed cones on lines, searched"
    scale = np.array([1e3, 1e3 * 0.75])
    pairs = [(closed[:, k] * scale[k], searched[:, k] * scale[k]) for k in (0, 1)]
    return [
        distance("largest vertical error of 200 random cases", *pairs[0], 0.1, "mm", source, norms.largest),
        distance("largest roll error, times half distance", *pairs[1], 0.1, "mm", source, norms.largest),
    ]


@check(
    "Simplified model: Klingel motion",
    ground=exact("Klingel 1883; the linear equations are his, a run adds the error of its step"),
)  # fmt: skip
def klingel_motion():
    """Eigenvalue and time run of a free cone pair."""
    rows = []
    for conicity in (0.025, 0.05, 0.10):
        case = SingleWheelset(radius=0.46, conicity=conicity, creep=CREEP)
        value = eigenvalues(small_wheelset(case, 1.0, carried=1e5))
        swing = value[value.imag > 0.1][0]
        wanted = klingel_wavelength(0.46, 0.75, conicity)
        rows.append(row(f"conicity {conicity:g}, eigenvalue at 1 m/s", 2.0 * np.pi / swing.imag, wanted, "m",
                        relative=0.001, source="Klingel 1883"))  # fmt: skip
    rows.append(row("conicity 0.05, time run at 5 m/s", wavelength_of_run(), klingel_wavelength(0.46, 0.75, 0.05), "m",
                    relative=0.005, source="Klingel 1883"))  # fmt: skip
    return rows


def wavelength_of_run(speed=5.0, shift=1e-3):
    """Wavelength [m] between zeros of a run with a free cone pair of 0.05."""
    model = small_wheelset(SingleWheelset(radius=0.46, conicity=0.05, creep=CREEP), speed)
    records = run(model, 8.0, 5e-4, state=np.array([shift, 0.0, 0.0, 0.0]), method="ros2").records
    y, s = records.coordinates[:, 0, 0], speed * records.time
    k = np.flatnonzero(y[:-1] * y[1:] < 0.0)
    return 2.0 * np.mean(np.diff(s[k] - y[k] * (s[k + 1] - s[k]) / (y[k + 1] - y[k])))


@check(
    "Simplified model: steady curving",
    ground=exact("rolling without creep, and a force balance that leaves out gravity on inclined treads, 1 % of it"),
)  # fmt: skip
def steady_curving():
    """Free wheelset and rigid bogie on a curve; the analytical steady states of conical wheels."""
    radius, conicity, r0, b = 1000.0, 0.05, 0.46, 0.75
    layout = make_layout([Straight(20.0), Transition(40.0), Arc(2000.0, radius, "left")])
    case = SingleWheelset(radius=r0, conicity=conicity, creep=CREEP)
    free = steady_state(small_wheelset(case, 5.0, layout, carried=1e5), 100.0)[0]
    roll = (b - conicity * r0) / b
    rows = [row("free wheelset, displacement to the outside", -1e3 * free, 1e3 * r0 * b / (conicity * radius) * roll,
                "mm", relative=0.002, source="rolling without creep")]  # fmt: skip
    run_in = run(small_wheelset(case, 20.0, layout, carried=1e5), 5.0, 1e-3, 5).records
    rows.append(information("the same wheelset run into the curve, 20 m/s, after 100 m",
                            -1e3 * float(np.mean(run_in.coordinates[-300:, 0, 0])), "mm"))  # fmt: skip
    for a in (0.9, 1.25):
        q = steady_state(rigid_bogie(a, conicity, r0, b, layout), 100.0)
        wanted = r0 * roll / (conicity * b * radius) * (a * a + b * b)
        name = f"rigid bogie, wheelbase {2.0 * a:g} m"
        rows.append(row(f"{name}, mean displacement of its wheelsets", -500.0 * (q[5] + q[7]), 1e3 * wanted, "mm",
                        relative=0.01, source="force balance"))  # fmt: skip
        rows.append(row(f"rigid bogie, wheelbase {2.0 * a:g} m, yaw of the leading wheelset", 1e3 * q[6],
                        -1e3 * a / radius, "mrad", relative=0.01, source="force balance"))  # fmt: skip
    return rows


def rigid_bogie(a, conicity, r0, b, layout, stiffness=2e10):
    """Bogie frame on two wheelsets, half wheelbase a, springs all but rigid; at walking speed."""
    k = np.zeros((15, 15))
    for wheelset, x in ((1, a), (2, -a)):
        for coordinate, lever in ((0, {0: 1.0, 2: x}), (2, {2: 1.0}), (3, {3: 1.0, 4: -x}), (1, {1: 1.0})):
            g = np.zeros(15)
            for c, value in lever.items():
                g[c] = value
            g[5 * wheelset + coordinate] = -1.0
            k += stiffness * np.outer(g, g)
    weight = 2000.0 * 9.81
    preload = np.zeros(15)
    preload[3], preload[8], preload[13] = weight, -0.5 * weight, -0.5 * weight
    vehicle = ReducedVehicle(
        "bogie", (SmallBody("frame", 2000.0, (1500.0, 1500.0, 2500.0), 0.0, r0),),
        tuple(SmallWheelset(f"wheelset {n}", 1250.0, 700.0, 100.0, x, r0) for n, x in ((1, a), (2, -a))),
        k, np.zeros((15, 15)), preload,
    )  # fmt: skip
    zones = cone_zones(conicity, CREEP, b, load_dependent=False)
    return build_model(vehicle, zones, layout, make_irregularity(), 1.0)


@check(
    "Simplified model: critical speed of a suspended wheelset",
    ground=exact("closed form, and eigenvalues of the full model's linear equations; the bisection ends at 0.02 m/s"),
)  # fmt: skip
def suspended_wheelset():
    """In the formula's configuration, and with roll beside the eigenvalues of the full model."""
    wanted = closed_form_critical_speed(SUSPENDED)
    small = scaled(SUSPENDED, 0.1)
    rows = [row("roll suppressed", critical_speed(lambda v: small_wheelset(small, v), 30.0, 120.0), wanted, "m/s",
                relative=0.002, source="closed form, lateral and yaw")]  # fmt: skip
    source = "eigenvalues of the full model"
    heavy = replace(SUSPENDED, gravity=9.81)
    for name, case in (
        ("cone at its full radius, weight", heavy),
        ("spin inertia", replace(heavy, spin_inertia=100.0)),
    ):
        rows.append(row(f"with {name}", critical_speed(partial(small_wheelset, case), 30.0, 120.0),
                        computed_critical_speed(case), "m/s", relative=0.005, source=source))  # fmt: skip
    return rows


@check(
    "Simplified model: ML95 on cones, eigenvalues of the full model",
    ground=other_code("linear equations of the full model; longitudinal motion, which is condensed, is worth 1 to 2 %"),
)  # fmt: skip
def ml95_eigenvalues():
    """Critical speed, and the least damped swings at two thirds of it."""
    rows = []
    found = critical_speed(lambda v: vehicle_on_cones("ml95", ML95_CONICITY, ML95_CREEP, v), 10.0, 120.0)
    full = full_critical_speed(lambda v: full_vehicle_on_cones("ml95", ML95_CONICITY, ML95_CREEP, v),
                               0.9 * found, 1.1 * found)  # fmt: skip
    rows.append(row("critical speed", found, full, "m/s", relative=0.005, source="eigenvalues of the full model"))
    speed = 0.67 * found
    ours = swings(eigenvalues(vehicle_on_cones("ml95", ML95_CONICITY, ML95_CREEP, speed)))
    linear = full_vehicle_on_cones("ml95", ML95_CONICITY, ML95_CREEP, speed)
    values, shapes = full_eigenvalues(linear)
    names, _ = dominant_coordinates(linear, shapes)
    theirs = swings(values[[not name.endswith("along") for name in names]])  # no longitudinal motion in the simplified
    for value in theirs[:5]:
        nearest = ours[np.argmin(np.abs(ours - value))]
        text = f"swing of {value.imag / 2 / np.pi:.2f} Hz, damping {-value.real:.2f} 1/s: distance over its size"
        rows.append(distance(text, nearest, value, 2.0, "%", "eigenvalues of the full model", scale=100.0))
    return rows


def swings(values):
    """Least damped swings first, 0.3 to 25 Hz."""
    values = values[(values.imag > 2.0 * np.pi * 0.3) & (values.imag < 2.0 * np.pi * 25.0)]
    return values[np.argsort(-values.real)]


HALF = other_code("full model; more of the signal is met than missed: a zero answer has 100 %")
COMPARED = (
    ("wheelset", "lateral displacement"), ("wheelset", "yaw"), ("wheelset", "vertical displacement"),
    ("body", "vertical displacement"), ("wheel", "wheel force Q"), ("wheel", "wheel force Y"),
)  # fmt: skip


def agreement_rows(name, results, judged=True):
    """rms of the difference, and over that of the full model's signal, at most a half; Q without its start's value.

    The body's height is told only: a linear suspension leaves out the roll's second order, a third of it in a curve.
    """
    found = {item[:2]: item[2:] for item in compared_histories(results)}
    rows = []
    for key in (key for key in COMPARED if key in found):
        unit, ours, theirs = found[key]
        if key[1].endswith("Q"):
            ours, theirs = ours - theirs[0], theirs - theirs[0]
        text = f"{name}: {key[0]}, {key[1]}" if key[1].startswith("vertical") else f"{name}: {key[1]}"
        rows.append(information(f"{text}, rms of difference", norms.rms(ours, theirs), unit, "full model"))
        text = f"{text}, rms of difference over the full model's"
        made = distance(text, ours, theirs, 50.0, "%", "full model", norms.rms_relative, 100.0)
        rows.append(made if judged and key[0] != "body" else information(text, made.value, "%", "full model"))
    return rows


@check("Simplified model: acceleration along the track", ground=HALF)
def acceleration_along_the_track():
    """ML95 entering a curve while it speeds up or brakes by 0.5 m/s2, 10 s; the full model is driven by a force.

    The full model shifts load along the vehicle meanwhile, which the simplified one has no coordinate for.
    """
    rows = []
    for acceleration in (0.5, -0.5):
        rows += agreement_rows(f"{acceleration:+g} m/s2", accelerated_run(acceleration, 186.67))
    return rows


def accelerated_run(acceleration, end):
    """Results of both models on examples/ml95_curve.toml; end [m]: of the run without acceleration."""
    changes = [f"reduced.acceleration_m_s2={acceleration}", f"run.end_position_m={end}"]
    return run_both(read_scenario_source(EXAMPLES / "ml95_curve.toml", changes))


def accelerated(acceleration, end):
    """Differences of both models by (level, quantity) on that run."""
    return {(r.level, r.quantity): r for r in compare_models(accelerated_run(acceleration, end))}


SCENARIOS = (
    "wheelset_curve", "wheelset_small_curve", "ml95_curve", "ml95_small_curve", "ml95_straight", "manchester_curve",
)  # fmt: skip
OUTSIDE = "wheelset_small_curve"
"""The scenario whose wheelset the flange root steers: the run has to say so."""


@check("Simplified model: agreement with the full model on six scenarios", slow=True, ground=HALF)
def scenarios():
    """Both models with the standard profiles, rigid rails; where the simplified one does not hold its run says so."""
    rows = []
    for name in SCENARIOS:
        results = run_both(read_scenario_source(EXAMPLES / f"{name}.toml"))
        rows += agreement_rows(name, results, judged=name != OUTSIDE)
        said = float(any("yaw and forces are not to be relied on" in line for line in results.attrs["warnings"]))
        ground = other_code("full model: there the yaw is off by as much as it is itself, elsewhere by less than half")
        text, test = (
            f"{name}: the run says that its yaw and forces are not to be relied on",
            floor if name == OUTSIDE else bound,
        )
        rows.append(test(text, said, float(name == OUTSIDE), "", "warning of the run", ground))
    return rows
