"""Nodes near the running surface under a rolling patch: against a rim solved order by order, and mesh against mesh."""

from dataclasses import replace

import numpy as np
import pytest

from flexwheel.assess.linear.move_limits import node_spectra, relative_move, rms_moves
from flexwheel.assess.linear.near_waves import StandingPatches
from flexwheel.assess.linear.node_motion import node_waves
from flexwheel.base.shipped import EXAMPLES
from flexwheel.body.reduce import ReductionOptions, reduce_wheelset
from flexwheel.body.tread_field import hat_wave, smooth_wave
from flexwheel.numerics.spectra import third_octave_centres
from flexwheel.results.evaluate.control_nodes import WheelsetHistory, control_node_results
from flexwheel.run import valid_bands
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.valid_bands import MOST_MOVE
from flexwheel.vehicle.patch_loads import near_loads
from flexwheel.vehicle.patch_motion import PASS_HZ, USUAL, in_section_axes, valid_to_hz
from flexwheel.vehicle.step.load_rates import RATE_TIME
from flexwheel.verification.meshes.wheelset_section import REFINEMENTS, wheelset_mesh
from flexwheel.verification.rolling_patch import deviations

GROWN = np.array([4e-4, 1.8e-3])  # [m]
SPEED, RADIUS, STEP, SAMPLES = 80.0 / 3.6, 0.46, 1e-4, 1300


@pytest.fixture(scope="module")
def bodies():
    """Two small wheelsets of the same section, sections 6 and 4 degrees apart."""
    options = ReductionOptions(fixed_interface_modes=20, control=("tread_right", "web_fillet_right"))
    section = replace(REFINEMENTS["medium"], rim_radial=3)
    return [reduce_wheelset(wheelset_mesh(refinement=replace(section, sectors=n)), options) for n in (60, 90)]


def rolling(body, force, patches, still=False, samples=SAMPLES):
    """Steady running under a constant force of the right wheel, in the static answer of the modes."""
    spin_rate = 0.0 if still else SPEED / RADIUS
    spin = spin_rate * STEP * (np.arange(samples) - samples / 2)
    wrench = np.zeros((samples, 2, 6))
    wrench[:, 1, :3] = force
    modal = body.treads[1].profile_rows[0][:3].T @ force / (2.0 * np.pi * body.frequency_hz) ** 2
    modal = np.tile(modal, (samples, 1))
    velocity = np.zeros((samples, 6))
    velocity[:, 5] = spin_rate
    still_modes, no_rates = np.zeros_like(modal), np.zeros((samples, 6, 2, 6))
    return WheelsetHistory(
        "eulerian", spin, velocity, 0.0 * velocity, modal, still_modes, still_modes, wrench,
        np.zeros((samples, 2, 6)), no_rates, no_rates, patches, "spatial",
    )  # fmt: skip


def patch_at(x, y, samples=SAMPLES):
    return np.tile([x, y, 1.0, 0.006, 0.005, 0.0, 1.0], (samples, 2, 1, 1))


def test_rim_under_a_patch():
    """Elements of 16 x 14 x 20 mm beside 1 mm under the patch and no sections at all: 1 dB under the patch."""
    found = deviations(180, 10, 3, (20, 163), ("under the patch", "20 mm below"))
    for (name, order), value in found.items():
        assert abs(value) < 1.0, (name, order)  # the review's limit against an independent rim


def test_meshes_agree(bodies):
    """A turn of a tread node under a constant force: radial acceleration in third octaves of its orders, 0.5 dB."""
    edges = np.round(10.0 ** (np.arange(7, 23) / 10.0)).astype(int)  # 5 to 158: 38 to 1220 Hz at 80 km/h
    levels = []
    for body in bodies:
        history = rolling(body, [0.0, 0.0, 6e4], patch_at(0.0, 0.0))
        turn = replace(history, spin=2.0 * np.pi * (np.arange(SAMPLES) / SAMPLES - 0.5))
        radial = control_node_results(body, turn)["acceleration"][:, 0, 0, 2]
        square = np.abs(np.fft.rfft(radial)) ** 2
        levels.append([square[a:b].sum() for a, b in zip(edges[:-1], edges[1:], strict=True)])
    apart = 10.0 * np.log10(np.array(levels[0]) / np.array(levels[1]))
    assert np.abs(apart).max() < 0.5  # the review's limit between meshes


def test_resultant_is_kept(bodies):
    """The wrench that the smooth loads replace is that of their forces; what is left has no force."""
    body = bodies[0]
    history = rolling(body, [3e3, -2e3, 6e4], patch_at(0.001, 0.004), samples=4)
    wrench = np.stack([history.tread_wrench.reshape(4, -1)] * 3, axis=1)
    (load,), left = near_loads(body, 0, history.patches[:4], wrench)
    forces = load.smooth[:, 0].reshape(4, -1, 3)
    np.testing.assert_allclose(forces.sum(axis=1), wrench[:, 0, 6:9], rtol=1e-12)
    np.testing.assert_allclose(left[:, 0, 6:9], 0.0, atol=1e-9)
    # moment about z of a force ahead at y: the basis carries a straight line exactly
    places = body.near.across[0][load.first[:, None] // 3 + np.arange(4)]
    arm = np.sum(places * forces[:, :, 0], axis=1) - body.treads[1].lateral * 3e3
    np.testing.assert_allclose(left[:, 0, 11], arm + 0.001 * 2e3, rtol=1e-9)


def test_rates_are_derivatives_of_the_field(bodies):
    """Velocity and acceleration of the node that passes the patch: differences of its displacement."""
    body = bodies[1]
    history = rolling(body, [5e3, 1e3, 6e4], patch_at(0.0, -0.002))
    fine = replace(history, spin=history.spin / 40.0)
    found = control_node_results(body, fine)
    u, v, a = (found[name][:, 0, 0] for name in ("displacement", "velocity", "acceleration"))
    first, second = np.gradient(u, STEP / 40.0, axis=0)[2:-2], np.gradient(v, STEP / 40.0, axis=0)[2:-2]
    # 2.5 us: (omega dt)^2/6 at 4 kHz is 7e-4; cubic splines 0.6 mm apart: (k h)^2/12 of the second derivative there
    assert np.abs(first - v[2:-2]).max() < 2e-3 * np.abs(v).max()
    assert np.abs(second - a[2:-2]).max() < 2e-2 * np.abs(a).max()


def test_rates_of_a_fixed_point_in_the_field_of_a_patch_that_moves(bodies):
    """Velocity and acceleration of the particle there: differences of its displacement 5 us before and after, when the
    rim was or is further by its way, and the patch elsewhere and of another size."""
    body, step, count = bodies[1], 5e-6, 400
    node = body.control.position[0, 1]

    def patches(later, order=None):
        """Swings at 1 kHz and twice as fast, or their derivatives times RATE_TIME^n."""
        w = 2.0 * np.pi * 1000.0
        swing, turn = w * step * (np.arange(count) + later), 0.5 * np.pi * (order or 0)
        unit = (w * RATE_TIME) ** (order or 0)
        at = patch_at(0.0, body.treads[1].side * (node - body.treads[1].lateral) + 0.007, count) * (order is None)
        at[:, :, 0, 1] += unit * 4e-5 * np.sin(swing + turn)[:, None]
        at[:, :, 0, 0] += (2.0 ** (order or 0)) * unit * 2e-5 * np.sin(2.0 * swing + turn)[:, None]
        at[:, :, 0, 3:5] += np.array([0.006, 0.005]) * unit * 0.02 * np.cos(swing + turn)[:, None, None]
        at[:, :, 0, 3:5] += GROWN * (order is None)  # both between two tables: differences of 5 us see their kinks
        return at

    history = rolling(body, [2e3, 1e3, 6e4], None, samples=count)
    history = replace(history, modal_position=0.0 * history.modal_position)
    path = [patches(0) + sign * patches(0, 1) + 0.5 * patches(0, 2) for sign in (-1.0, 1.0)]

    def found(later, beside=None):
        treads = tuple(replace(t, angle=t.angle + SPEED / RADIUS * step * later) for t in body.treads)
        there = replace(history, patches=patches(later), patches_beside=beside)
        return control_node_results(replace(body, treads=treads), there)

    u = [found(later)["displacement"][:, 0, 1] for later in (-1, 0, 1)]
    exact = {"velocity": (u[2] - u[0]) / (2.0 * step), "acceleration": (u[2] - 2.0 * u[1] + u[0]) / step**2}
    here, left_out = found(0, np.stack(path, axis=1)), found(0)
    for name, value in exact.items():
        size = np.linalg.norm(value, axis=0)
        off, missed = (np.linalg.norm(x[name][:, 0, 1] - value, axis=0) / size for x in (here, left_out))
        # (k v RATE_TIME)^2/6 of waves of 1 mm and (k V step)^2/12 of the differences taken here
        assert np.all(off < 5e-3) and np.all(missed[1:] > 20.0 * off[1:])


def test_pressure_on_the_surface(bodies):
    """A node of the tread in the middle of the patch has its peak pressure as normal stress."""
    body = bodies[1]
    offset = body.control.position[0, 1] - body.treads[1].lateral
    there = patch_at(0.0, -offset)
    found = control_node_results(body, rolling(body, [0.0, 0.0, 6e4], there, still=True))
    peak = 1.5 * 6e4 / (np.pi * 0.006 * 0.005)
    # waves across end at pi/1.2 mm, where a patch of 5 mm has 13 radians: its pressure within 5 %
    assert found["stress"][0, 0, 1, 2] == pytest.approx(-peak, rel=0.05)


def test_field_at_a_fixed_point_beside_the_lowest(bodies):
    """23 mm ahead of a patch at the lowest point: as at the lowest point 23 mm ahead of a patch behind it."""
    body, turned, force = bodies[1], 0.05, 6e4
    beside = replace(body, treads=tuple(replace(t, angle=t.angle + turned) for t in body.treads))
    ahead, behind = (rolling(body, [0.0, 0.0, force], patch_at(x, 0.0, 4), True, 4) for x in (0.0, turned * RADIUS))
    behind.tread_wrench[:, 1, 4] = -turned * body.treads[1].radius * force
    found, expected = control_node_results(beside, ahead), control_node_results(body, behind)
    for name in ("displacement", "stress"):  # moments that a patch leaves are a thousandth of the load's
        np.testing.assert_allclose(
            found[name][:, 0, 1], expected[name][:, 0, 1], rtol=0, atol=1e-3 * np.abs(expected[name]).max()
        )


def test_speed_of_a_turning_node_is_its_own(bodies):
    """What a run has besides at another speed changes nothing: waves left out were those of the run's mean speed."""
    body, samples = bodies[1], 200
    history = rolling(body, [0.0, 0.0, 6e4], patch_at(0.0, -0.002, samples), samples=samples)
    history.body_velocity[:, 5] *= np.repeat([1.0, 0.4], samples // 2)
    whole, part = (control_node_results(body, x) for x in (history, history.part(slice(0, samples // 2))))
    for name in ("displacement", "acceleration", "stress"):
        np.testing.assert_array_equal(whole[name][: samples // 2, 0, 0], part[name][:, 0, 0])


def test_pressure_of_patches_of_all_sizes_in_one_run(bodies):
    """Each has its own peak pressure as normal stress, and what a run has besides changes nothing: with a table at the
    mean size of a run and its derivative stress was up to 2.4 times too large beside a patch that grows."""
    body, samples = bodies[1], 60
    offset = body.control.position[0, 1] - body.treads[1].lateral
    there = patch_at(0.0, -offset, samples)
    along, across = np.geomspace(4e-3, 9e-3, samples), np.geomspace(1.4e-3, 12e-3, samples)
    there[:, :, 0, 3], there[:, :, 0, 4] = along[:, None], np.roll(across, 17)[:, None]
    peak = 1.5 * 6e4 / (np.pi * along * np.roll(across, 17))

    def stress(of):
        history = rolling(body, [0.0, 0.0, 6e4], there[of], still=True, samples=len(there[of]))
        return control_node_results(body, history)["stress"][:, 0, 1, 2]

    found = stress(slice(None))
    # interpolated within 0.25^4/384 in each size; waves across end at 13 radians of a half width or more, as above
    np.testing.assert_allclose(found, -peak, rtol=0.05)
    np.testing.assert_array_equal(stress(slice(20, 30)), found[20:30])


def test_two_patches_share_a_force_by_their_directions(bodies):
    """Patches 28 and 69 degrees steep: each has the force that it has, though shares know normal loads alone."""
    body, side = bodies[0], bodies[0].treads[1].side
    forces = np.array([[-19e3, 14e3], [-21e3, 98e3]])  # to the field side and up [N]
    size = np.hypot(*forces.T)
    rows = [[0.0, y, s, 0.006, 0.002, *f] for y, s, f in zip((-0.0385, -0.032), size / size.sum(), forces, strict=True)]
    wrench = np.zeros((2, 3, 12))
    wrench[:, :, 7:9] = forces.sum(axis=0) * [side, 1.0]
    loads, left = near_loads(body, 0, np.tile(rows, (2, 2, 1, 1)), wrench)
    np.testing.assert_allclose(left[:, 0, 6:9], 0.0, atol=1e-9)
    for load, force in zip(loads, forces, strict=True):
        found = load.smooth[:, 0].reshape(2, 4, 3).sum(axis=1)[0, 1:]
        # what any direction has of a patch, 0.003, beside the 0.06 of sin^2 of 41 degrees times shares 0.2 and 0.8
        np.testing.assert_allclose(found, force * [side, 1.0], atol=0.05 * size.sum())


def test_field_of_an_inclined_surface():
    """A uniaxial stress normal to a surface that rises by 30 degrees, and a motion along it, in section axes."""
    angle = np.radians(30.0)
    found = in_section_axes(np.array([0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0])[:, None], angle)[:, 0]
    c, s = np.cos(angle), np.sin(angle)
    np.testing.assert_allclose(found[:3], [0.0, c, -s], atol=1e-15)  # up the slope is away from the axle
    np.testing.assert_allclose(found[3:], 2.0 * np.array([0.0, s * s, c * c, 0.0, s * c, 0.0]), atol=1e-15)


def test_bands(bodies):
    """On straight track the waves that are left out end the band; patches in the flange root end it at half of k_0."""
    body = bodies[0]
    assert valid_to_hz(body, 0, SPEED)[0] == valid_to_hz(body, 0, SPEED, curve=True)[0] == PASS_HZ
    assert valid_to_hz(body, 0, SPEED, curve=True, smooth=True)[0] == pytest.approx(
        0.5 * body.near.wave_limit[0] * SPEED / (2.0 * np.pi)
    )


def test_a_patch_that_moves(bodies):
    """Motion that a run has of moves and growth of a patch, and that of their derivatives in a response.

    The edge of the patch is 4 mm beside the node. The field falls no faster than 1/way: moves of a share of the way
    have that share of second order, rms sqrt(3/4) of it for a sine. Its sizes are those of a table of a run, which has
    the derivatives that a response takes.
    """
    body, swing = bodies[1], 2.0 * np.pi * 100.0 * STEP * np.arange(SAMPLES)
    force, node = np.array([0.0, 0.0, 6e4]), body.control.position[0, 1] - body.treads[1].lateral
    middle = np.array([0.0, 0.004 + USUAL + body.treads[1].side * node, 1.0, USUAL, USUAL, 0.0, 1.0])
    still = rolling(body, force, np.tile(middle, (SAMPLES, 2, 1, 1)))
    wrench = np.concatenate([np.zeros(6), force, np.zeros(3)])
    waves = node_waves(body, 0, True, StandingPatches(np.tile(middle, (2, 1, 1)), wrench))
    assert waves.load.shape[2] == 24 + 8 and not np.any(waves.load[..., 24:28])
    for share in (0.1, 0.01):
        moves = np.zeros((SAMPLES, 4))
        moves[:, 1], moves[:, 3] = 0.004 * share * np.sin(swing), 0.2 * 0.004 * share * np.cos(swing)
        moves[:, 0] = 0.2 * 0.004 * share * np.sin(2.0 * swing)
        patches = still.patches.copy()
        patches[:, 1, 0, [0, 1, 3, 4]] += moves
        run = control_node_results(body, replace(still, patches=patches))["displacement"][:, 0]
        run = run - control_node_results(body, still)["displacement"][:, 0]
        drive = waves.load[:, :3, 28:] @ moves.T  # (K, 3, T)
        turning = np.einsum("kat,kt->ta", drive, np.exp(1j * np.outer(waves.order, still.spin))).real
        for point, mine in ((1, drive.sum(axis=0).real.T), (0, turning)):
            off = np.linalg.norm(run[:, point] - mine, axis=0) / np.linalg.norm(mine)
            assert np.all(off < 0.87 * share), (share, point, off)


def test_where_moves_of_a_patch_are_not_linear(bodies):
    """Of the half width for the node that turns, of the way to the patch's edge for the fixed point; a band ends where
    moves count, here for the fixed point at once. Modes of this body end at 256 Hz."""
    body = bodies[0]
    node = body.treads[1].side * (body.control.position[0, 1] - body.treads[1].lateral)
    standing = StandingPatches(np.tile([0.0, node + 0.006, 1.0, 0.006, 0.005, 0.0, 1.0], (2, 1, 1)), np.zeros(12))
    moves = np.array([1.0, 1.0, 1.0, 1.0, 0.0, 1.2e-4, 0.0, 1.6e-4])
    np.testing.assert_allclose(relative_move(body, 0, standing, moves), [0.04, 0.2], rtol=0.01)
    assert not np.any(relative_move(body, 1, standing, moves))
    scenario = read_scenario(EXAMPLES / "as4_curve.toml")
    held = {"front": np.array([[np.inf, 12.0], [np.inf, np.inf]])}
    tread, web = valid_bands.response_bands(scenario, {"front": body}, ["front"], held)["node_valid_to_hz"][1]
    assert tread[1] == 12.0 and tread[0] > 200.0 and min(web) > 200.0


def test_moves_of_noise_and_of_lines():
    """Of a density of 4 (m/sqrt(Hz))^2 over 10 Hz, and of a line of amplitude 3 m; a mean is no move."""
    amplitude, lines = np.full((10, 40, 1), 2.0), np.array([[7.0] * 40, [3.0] * 40])
    np.testing.assert_allclose(rms_moves(np.arange(10.0), amplitude, lines), np.full(8, np.sqrt(40.0 + 4.5)))


def test_moves_that_are_too_large(bodies):
    """Moves above 200 Hz beside a force in all bands: the fixed point ends there, the node that turns has none."""
    body, h = bodies[0], len(bodies[0].frequency_hz)
    standing = StandingPatches(np.tile([0.0, 0.003, 1.0, 0.006, 0.005, 0.0, 1.0], (2, 1, 1)), np.eye(12)[8] * 6e4)
    waves, spin, grid = node_waves(body, 0, True, standing), SPEED / RADIUS, np.arange(5.0, 1300.0, 5.0)
    amplitude = np.zeros((len(grid), h + 32, 1))
    amplitude[:, h + 8] = 100.0
    centre, lines = third_octave_centres(31.5, 1000.0), (np.zeros(1), np.zeros((1, h + 32)))
    alone = node_spectra(np.zeros(2), waves, spin, (grid, amplitude), lines, centre)
    amplitude[grid > 200.0, h + 29] = 1e-5
    small, large = (
        node_spectra(np.full(2, r), waves, spin, (grid, amplitude), lines, centre) for r in (MOST_MOVE, 2.0 * MOST_MOVE)
    )
    assert np.all(small[3] == np.inf) and 160.0 < large[3][1] < 200.0
    for part in range(3):
        np.testing.assert_allclose(large[part][0], alone[part][0], rtol=1e-12)
        np.testing.assert_array_equal(large[part][1], small[part][1])
    assert np.max(small[0][0] / alone[0][0]) > 2.0


def test_no_rounding_in_what_decays(bodies):
    """The web fillet is below 1e-15 of the tread's 1e-12 m/N from order 30 on: (0.135/0.457)^28."""
    waves = np.abs(np.fft.rfft(bodies[1].control.tread_displacement[1], axis=0)) / 90.0
    assert waves[30:].max() < 1e-24


def test_smooth_load_has_no_second_moment():
    """Along: curvature of its transform at k = 0, a second moment of the order of k_0^-2 would be seen."""
    k = np.array([1e-3, 1e-2])
    np.testing.assert_allclose(1.0 - smooth_wave(k, 1.0), k**4, rtol=1e-4)
    assert hat_wave(2.0 * np.pi / 0.03, 0.03) == pytest.approx(0.0, abs=1e-30)  # sinc: first zero of a hat of 30 mm
