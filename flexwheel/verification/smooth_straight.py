"""Smooth straight track: the ways to turn the mesh and to spread the contact force, against each other."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from flexwheel.base.shipped import MESHES
from flexwheel.results.evaluate.histories import wheelset_history
from flexwheel.verification.as4_runs import settled_run
from flexwheel.verification.check_registry import check, distance, order, other_code, row
from flexwheel.verification.meshes.mesh_writers import write_mesh
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh

SECONDS, SETTLED = 1.5, 1.0  # [s]
TRACK = (
    f"run.duration_s={SECONDS}",
    'track.layout=[{kind="straight", length_m=200.0}]',
    'irregularity.spectrum="none"',
    'irregularity.roughness="none"',
)
NAMES = {"wheel_force": "wheel forces, over the static load", "radial_displacement": "radial displacement"}
NAMES |= {"von_mises": "von Mises stress"}
SECTOR_MESHES = {2: MESHES / "wheelset.inp", 15: MESHES / "wheelset_coarse.inp"}  # by sector angle [deg]


def smooth_run(mesh, mode, distribution, *more):
    """The last revolutions of the AS4 railcar on smooth straight track; more: keys besides."""
    keys = (
        f"wheelset.front.mesh={str(mesh)!r}",
        f"wheelset.front.mode={mode}",
        f"wheelset.front.force_distribution={distribution}",
    )
    return settled_run(SETTLED, *TRACK, *keys, *more)


def differences(results, reference):
    """Pairs of histories (T, ...): wheel forces over the static load, displacement and stress over the rms of each."""
    found = [[x[name].values for x in (results, reference)] for name in NAMES]
    sizes = np.mean(reference.attrs["static_wheel_load_n"]), *(np.sqrt(np.mean(b**2, axis=0)) for _, b in found[1:])
    return [(a / size, b / size) for (a, b), size in zip(found, sizes, strict=True)]


def largest_rms(a, b):
    """Largest rms of the difference of a history."""
    return np.sqrt(np.mean((a - b) ** 2, axis=0)).max()


def _rows(text, parts, *limits, grounds=(None, None, None)):
    return [
        distance(
            f"{text}: {name}", *pair, limit, "-", "Lagrangian run with shape functions", largest_rms, ground=ground
        )
        for name, pair, limit, ground in zip(NAMES.values(), parts, limits, grounds, strict=True)
    ]


@check(
    "Smooth straight track: turning of the mesh, spreading of the force", subject="Turning mesh", slow=True,
    ground=other_code("the spinning mesh, which knows no interpolation; set beforehand: 1e-3 for the mesh at rest, "
                      "1e-2 for the others, twice in displacement on sectors of 2 degrees, as it is of first order"),
)  # fmt: skip
def smooth_straight():
    """Other variants against the Lagrangian run with shape functions, for three sector angles."""
    with TemporaryDirectory() as folder:
        fine = Path(folder) / "one_degree.inp"
        write_mesh(fine, wheelset_mesh(refinement=replace(REFINEMENTS["paper"], sectors=360)))
        return _compare({1: fine, **SECTOR_MESHES})


def _false_share(results, angle):
    """What the interpolation over sectors of an angle [deg] is wrong by, up to a factor [deg].

    A step loses lambda (1 - lambda)/2 (n phi)^2 of order n, lambda = Omega dt/phi, rate Omega n^2 (phi - Omega dt)/2.
    """
    spin = wheelset_history(results, "front").spin
    turned = (spin[-1] - spin[0]) / (results.time.values[-1] - results.time.values[0])
    return angle - np.degrees(turned * results.attrs["integration_step_s"])


def _compare(meshes):
    rows, interpolated, share = [], {}, {}
    for angle, mesh in meshes.items():
        reference = smooth_run(mesh, "lagrangian", "shape_functions")
        false = differences(smooth_run(mesh, "eulerian_interpolated", "shape_functions"), reference)
        interpolated[angle], share[angle] = false, _false_share(reference, angle)
        if angle == 1:
            rows += _rows("interpolated, sector of 1 degree", false, 1e-2, 1e-2, 1e-2)
        if angle == 2:
            exact = differences(smooth_run(mesh, "eulerian", "shape_functions"), reference)
            rows += _rows("eulerian", exact, 1e-3, 1e-3, 1e-3)
            # its false creep force bends the wheel, and moves the load over the tread
            more = share[2] / share[1]
            grounds = (None, None, order(f"as phi - Omega dt: {more:.2f} times that of sectors of 1 degree"))
            rows += _rows("interpolated, sector of 2 degrees", false, 1e-2, 2e-2, more * 1e-2, grounds=grounds)
            straight = "wheelset.front.between_sections=linear"  # harmonics between sections have no weights of nodes
            runs = (smooth_run(mesh, "lagrangian", x, straight) for x in ("inverse_distance", "shape_functions"))
            rows += _rows("inverse distance, straight rows, sector of 2 degrees", differences(*runs), 1e-2, 1e-2, 1e-2)
    size = {angle: [largest_rms(*pair) for pair in parts] for angle, parts in interpolated.items()}
    power = np.log(size[15][0] / size[2][0]) / np.log(7.5)
    ground = order("first in the sector angle; 15 degrees are not small, and the next term is their square over 12")
    text = "interpolated: power of the sector angle in the forces"
    rows.append(row(text, power, 1.0, "-", absolute=0.15, ground=ground))
    ground = order("what a step loses, Omega n^2 (phi - Omega dt)/2; the next term, (n phi)^2/12, is 0.4 % at order 6, "
                   "and elements of the two meshes differ by up to 3 % in frequency")  # fmt: skip
    for name, two, one in zip(NAMES.values(), size[2], size[1], strict=True):
        text = f"interpolated: that of 2 degrees over that of 1 degree, {name}"
        rows.append(row(text, two / one, share[2] / share[1], "-", relative=0.05, ground=ground))
    more = share[1] / (share[2] - share[1])
    pairs = zip(interpolated[1], interpolated[2], strict=True)
    parts = [((1.0 + more) * (a - b), more * (c - d)) for (a, b), (c, d) in pairs]
    ground = order("a line through both to phi - Omega dt = 0, where nothing is lost: the limit of the mesh at rest")
    return rows + _rows("interpolated, less what its rule loses", parts, 1e-3, 1e-3, 1e-3, grounds=[ground] * 3)
