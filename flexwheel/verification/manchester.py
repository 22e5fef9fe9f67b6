"""The Manchester coach: modes, weight, tight curve beside published codes, mirror symmetry, explicit step."""

from dataclasses import replace

import numpy as np

from flexwheel.assess.linear.suspension_matrices import suspension_matrices
from flexwheel.assess.linear_analysis import running_at
from flexwheel.assess.linearise import eigenvalues
from flexwheel.base.shipped import EXAMPLES
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.vehicle.build_vehicle import nominal_positions, vehicle_bodies, vehicle_elements, vehicle_wheelsets
from flexwheel.vehicle.elements.columns import Poses, make_suspension_state
from flexwheel.vehicle.step.assemble import assemble_vehicle
from flexwheel.vehicle.suspension_elements import pack_suspension
from flexwheel.vehicle.vehicle_file import read_vehicle
from flexwheel.verification import norms
from flexwheel.verification.check_registry import check, distance, exact, information, order, other_code, row

S_CURVE, TIGHT_CURVE = EXAMPLES / "manchester_s_curve.toml", EXAMPLES / "manchester_tight_curve.toml"
DERIVED = "closed equations of the plane models, data set of vehicle 1"
VERTICAL_HZ = (1.074, 1.299, 7.471, 7.477, 11.729, 11.729)
VERTICAL_NAMES = (
    "bounce",
    "pitch",
    "bogie bounce, one",
    "bogie bounce, other",
    "bogie pitch, one",
    "bogie pitch, other",
)
LATERAL_HZ = (0.596, 0.855, 1.278, 9.64, 9.657, 12.805, 12.808, 35.354, 35.354)
LATERAL_NAMES = (
    "lower sway",
    "yaw",
    "upper sway",
    *("bogie lateral, one", "bogie lateral, other", "bogie roll, one", "bogie roll, other"),
    *("bogie yaw, one", "bogie yaw, other"),
)
SPRINGS = ("spring", "coil_spring")
WHEELSETS = 4
# Steady wheel forces [kN] of the tight curve, wheelsets 1 to 4, left and right, forces on the wheel in the source's
# frame (x forward, y right, z down); table of a published comparison of ADAMS/Rail and UM.
PUBLISHED = {
    "ADAMS": {
        "x": ((3.1, -15.7, 1.9, -17.5), (-3.5, 15.3, -2.2, 12.8)),
        "y": ((31.1, 1.6, 19.0, 3.3), (-22.6, -21.4, -24.6, -9.5)),
        "z": ((-54.4, -39.6, -49.4, -44.3), (-55.0, -68.9, -59.2, -64.9)),
    },
    "UM": {
        "x": ((2.1, -16.0, 0.9, -17.5), (-3.1, 15.7, -1.7, 17.2)),
        "y": ((32.2, 1.5, 19.9, 4.1), (-23.1, -21.9, -25.1, -10.8)),
        "z": ((-54.4, -39.9, -49.3, -44.3), (-55.1, -68.7, -59.2, -64.9)),
    },
}
PUBLISHED_SHIFT_MM = {"ADAMS": (-7.2, 7.2, -7.2, 7.2), "UM": (-6.9, 7.6, -6.9, 7.4)}


def held_wheelset_modes(vehicle, assembly, axes, kinds, stiff_axes=(0, 1, 2)):
    """Frequencies and shapes of the bodies on their springs with the wheelsets held, gravity left out.

    Parameters
    ----------
    axes : tuple of int         motions of each body that take part: 0-2 along x, y, z, 3-5 about them
    kinds : tuple of str        kinds of elements that act
    stiff_axes : tuple of int   axes along which springs act

    Returns
    -------
    frequency : (n,) [Hz]
    shapes : (n, n)             columns, coordinates by body in the order of axes
    mass : (n,)
    """
    elements = [
        replace(
            e, preload=(0.0,) * 3, stiffness=tuple(k if i in stiff_axes else 0.0 for i, k in enumerate(e.stiffness))
        )
        for e in vehicle_elements(vehicle, assembly)
        if e.kind in kinds and not e.name.startswith("traction_rod")
    ]
    places = nominal_positions(assembly)
    packed = pack_suspension(elements, places)
    still = np.zeros((len(places), 3))
    turned = np.stack([np.eye(3)] * len(places))
    stiffness, _ = suspension_matrices(packed, Poses(places, turned, still, still), make_suspension_state(packed))
    rows = [6 * u + k for u in range(len(assembly.body_specs)) for k in axes]
    mass = np.array([[b.mass] * 3 + list(np.diag(b.inertia)) for b in assembly.body_specs])[:, list(axes)].ravel()
    root = 1.0 / np.sqrt(mass)
    block = stiffness[np.ix_(rows, rows)]
    values, vectors = np.linalg.eigh(root[:, None] * 0.5 * (block + block.T) * root)
    return np.sqrt(np.abs(values)) / (2.0 * np.pi), root[:, None] * vectors, mass


def likest_full_mode(frequency, shape, mass, columns, values, vectors):
    """Frequency [Hz] and damping ratio of the full model's oscillation whose bodies move most like `shape`.

    Likeness: modal assurance criterion weighted with the bodies' mass, over the coordinates `columns`, among the
    oscillations within a factor 1.5 of `frequency` [Hz].
    """
    parts = vectors[columns]
    ratio = np.abs(values) / (2.0 * np.pi * frequency)
    swing = (values.imag > 0.1) & (ratio > 1.0 / 1.5) & (ratio < 1.5)
    overlap = np.abs((mass * shape) @ parts) ** 2
    total = np.sum(mass[:, None] * np.abs(parts) ** 2, axis=0)
    whole = np.sum(np.abs(vectors) ** 2, axis=0)
    likeness = np.where(swing & (total > 1e-3 * whole), overlap / np.maximum(total, 1e-300), 0.0)
    k = int(np.argmax(likeness))
    return abs(values[k]) / (2.0 * np.pi), -values[k].real / abs(values[k])


@check(
    "Manchester coach: modes with the wheelsets held",
    ground=exact("plane models in closed form, frequencies written to three or four digits; 2 % set beforehand"),
)  # fmt: skip
def modes():
    """Modes under the simplifications of the derived values; beside them the full model's on its rails at 40 km/h."""
    vehicle = read_vehicle("manchester_v1")
    assembly = assemble_vehicle(vehicle_bodies(vehicle), vehicle_wheelsets(vehicle, 0.75))
    linear = running_at(read_scenario(S_CURVE), {}, "sticking")(40.0 / 3.6)
    values, vectors = eigenvalues(linear)
    order = {1: 1, 2: 2, 3: 4, 4: 5, 5: 3}  # place of each motion among the coordinates of a body
    rows = []
    planes = (
        ("springs without their longitudinal part", (2, 4), SPRINGS, (1, 2), VERTICAL_HZ, VERTICAL_NAMES),
        ("springs and anti-roll bars", (1, 3, 5), (*SPRINGS, "anti_roll_bar"), (0, 1, 2), LATERAL_HZ, LATERAL_NAMES),
    )
    for text, axes, kinds, stiff_axes, expected, names in planes:
        frequency, shapes, mass = held_wheelset_modes(vehicle, assembly, axes, kinds, stiff_axes)
        columns = [6 * u + order[k] for u in range(len(assembly.body_specs)) for k in axes]
        for k, name in enumerate(names):
            rows.append(row(f"{name}: {text}", frequency[k], expected[k], "Hz", relative=0.02, source=DERIVED))
            full, ratio = likest_full_mode(frequency[k], shapes[:, k], mass, columns, values, vectors)
            rows.append(information(f"{name}: full model, damping ratio {ratio:.2f}", full, "Hz", "40 km/h on rails"))
    return rows


@check(
    "Manchester coach: wheel loads at rest",
    ground=exact("weight of a symmetric coach; 1e-3 for what turns the static search leaves"),
)  # fmt: skip
def wheel_loads():
    """Sum of the wheel loads and each of them against the weight."""
    simulation = build_simulation(read_scenario(S_CURVE), {})
    load = simulation.static_wrench[..., 2].ravel()
    weight = 44482.0 * 9.81
    return [
        row("sum of the wheel loads", load.sum(), weight, "N", relative=1e-6, source="mass times g"),
        row("largest wheel load", load.max(), weight / 8.0, "N", relative=1e-3, source="an eighth of the weight"),
        row("smallest wheel load", load.min(), weight / 8.0, "N", relative=1e-3, source="an eighth of the weight"),
    ]


def steady_forces(results, seconds=1.0):
    """Mean forces [kN] on the wheels over the last seconds, (axis, side, wheelset), and lateral shifts [mm]."""
    end = results.isel(time=results.time.values > float(results.time[-1]) - seconds)
    forces = end.contact_force.values.mean(axis=0).reshape(WHEELSETS, 2, 3).transpose(2, 1, 0) / 1e3
    names = [str(name) for name in results.wheelset.values]
    shift = end.body_position.sel(body=names, path="y").values.mean(axis=0)
    return forces, 1e3 * shift


@check(
    "Manchester coach: steady tight curve beside ADAMS/Rail and UM",
    ground=other_code("ADAMS/Rail and UM on a case whose radius, cant and speed are assumed: their distance from "
                      "each other in horizontal forces, 2 % in vertical ones"),
)  # fmt: skip
def tight_curve():
    """Wheel forces in the curve that the published table stands for as far as its case is known.

    Radius, cant and speed are assumed, without source; friction and gauge are not given. Judged are each vertical force
    against the middle of both codes, and the horizontal ones together: no farther from the codes' middle, in rms, than
    the codes are from each other. Single forces and lateral shifts are printed beside theirs.
    """
    results = execute(build_simulation(read_scenario(TIGHT_CURVE), {}))
    forces, shift = steady_forces(results)
    signs = {"x": 1.0, "y": -1.0, "z": -1.0}
    rows = []
    for axis, letter in enumerate("xyz"):
        ours = signs[letter] * forces[axis]
        codes = np.array([PUBLISHED[code][letter] for code in PUBLISHED])
        middle, apart = codes.mean(axis=0), float(norms.rms(*codes))
        if letter == "z":
            text = "Fz of eight wheels: largest deviation from the middle of both codes"
            rows.append(distance(text, ours, middle, 2.0, "%", "ADAMS/Rail and UM", norms.each, 100.0))
        else:
            text = f"F{letter} of eight wheels: rms from the middle of both codes"
            rows.append(distance(text, ours, middle, round(apart, 3), "kN", "the codes from each other", norms.rms))
        for side, word in enumerate(("left", "right")):
            for k in range(WHEELSETS):
                text = f"F{letter} {word}, wheelset {k + 1}: ADAMS {codes[0, side, k]:g}, UM {codes[1, side, k]:g}"
                rows.append(information(text, ours[side, k], "kN", "middle of both codes", float(middle[side, k])))
    for k in range(WHEELSETS):
        text = ", ".join(f"{code} {PUBLISHED_SHIFT_MM[code][k]:g}" for code in PUBLISHED_SHIFT_MM)
        rows.append(information(f"lateral shift, wheelset {k + 1}: {text}", -shift[k], "mm", "source's y, right"))
    return rows


@check(
    "Manchester coach: mirrored S-curve",
    ground=exact("mirror image; rounding of 20 m of run, 1e-9 set beforehand"),
)  # fmt: skip
def mirror_symmetry():
    """The S-curve and its mirror image: forces and motions mirrored, relative to their largest value.

    With 32 strips: with fewer the flange chatters, by 1 kN with 8, and rounding grows.
    """
    runs = []
    for sign in (1.0, -1.0):
        settings = (
            "run.start_position_m=42",
            "run.end_position_m=62",
            "contact.strips=32",
            f"track.layout.1.radius_m={-190.0 * sign}",
            f"track.layout.3.radius_m={190.0 * sign}",
        )
        runs.append(execute(build_simulation(read_scenario(S_CURVE, settings), {})))
    force, mirrored = (r.wheel_force.values.reshape(-1, WHEELSETS, 2, 3) for r in runs)
    rows = []
    for axis, name in enumerate(("longitudinal force", "Y", "Q")):
        text, pair = f"{name}: largest difference over largest force", (mirrored[:, :, ::-1, axis], force[..., axis])
        rows.append(distance(text, *pair, 1e-9, "-", "mirror image"))
    y, other = (r.body_position.sel(path="y").values for r in runs)
    rows.append(distance("lateral displacement: idem", -other, y, 1e-9, "-", "mirror image"))
    return rows


@check(
    "Manchester coach: explicit fifth-order step against the implicit one", slow=True,
    ground=order("second against fifth: the period error (omega h)^2/12 at 0.5 ms is 0.03 % at 20 Hz, 0.8 % at the "
                 "100 Hz of flange chatter"),
)  # fmt: skip
def explicit_against_implicit():
    """Leading bogie in the first bend, Dormand-Prince against Newmark at 0.5 ms, forces low-passed at 20 Hz."""
    from flexwheel.results.evaluate.en14363 import safety_quantities

    settings = ("run.end_position_m=66",)
    runs = [
        execute(build_simulation(read_scenario(S_CURVE, (*settings, f"run.integrator={name}")), {}))
        for name in ("newmark", "dormand_prince")
    ]
    first, second = (safety_quantities(r) for r in runs)
    rows = []
    for name in ("vertical", "lateral"):
        a, b = (getattr(q, name)[q.evaluated] for q in (first, second))
        text = f"{name} forces: rms of the difference over that of the fluctuation"
        rows.append(distance(text, a, b, 1.0, "%", "fifth order", norms.rms_fluctuation, 100.0))
    y = [r.body_position.sel(body="car_body", path="y").values for r in runs]
    text = "car body: largest lateral difference over largest displacement"
    rows.append(distance(text, *y, 1.0, "%", "fifth order", norms.relative, 100.0))
    rows += [
        information(f"wall time a step, {name}", 1e6 * r.attrs["loop_seconds"] / r.attrs["steps"], "us")
        for name, r in zip(("newmark", "dormand_prince"), runs, strict=True)
    ]
    return rows
