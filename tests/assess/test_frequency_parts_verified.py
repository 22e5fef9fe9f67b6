"""Parts of the response in the frequency domain against time histories, known phases and the spectra they stand for."""

from dataclasses import fields, replace
from types import SimpleNamespace

import numpy as np
import pytest
from synthetic import synthetic_body

from flexwheel.assess.linear.inputs import spectral_matrix
from flexwheel.assess.linear.linear_contact import contact_system
from flexwheel.assess.linear.lines import turning_lines
from flexwheel.assess.linear.moving_receptance import MovingReceptance
from flexwheel.assess.linear.node_motion import fixed_rows, node_waves, turning_density
from flexwheel.assess.linear.on_rails import WheelPlaces, rail_coupling
from flexwheel.assess.linear.response_solution import irregularity_inputs
from flexwheel.numerics.spectra import band_edges
from flexwheel.results.evaluate.control_nodes import WheelsetHistory, control_node_results
from flexwheel.track.psd import TrackSpectra, cumulative_variance

SAMPLES = 512
TIME = np.arange(SAMPLES) / SAMPLES
HZ, PASSES = 51, 4  # of the input and of the wheelset's turn: no two of HZ + k PASSES and k PASSES are of one size


@pytest.fixture(scope="module")
def body():
    """Synthetic wheelset whose truncated modes answer as at rest, as the frequency domain has them."""
    body = synthetic_body()
    names = [field.name for field in fields(body.control) if "dynamic" in field.name]
    still = {name: 0.0 * getattr(body.control, name) for name in names}
    return replace(body, control=replace(body.control, home=np.array([5, 7]), **still))


def history(body, still, swinging, modal):
    """Run of a wheelset that turns PASSES times a second: inputs (H + L,) `still` + Re(`swinging` exp(i w t))."""
    h, rate = len(body.frequency_hz), 2j * np.pi * HZ
    inputs = [(swinging * rate**n * np.exp(rate * TIME)[:, None]).real for n in range(7)]
    inputs[0] += still
    w = [x[:, :h] * modal for x in inputs[:3]]
    load = np.stack([x[:, h:] * (not modal) for x in inputs], axis=1)
    tread, journal = load[..., :12].reshape(-1, 7, 2, 6), load[..., 12:].reshape(-1, 7, 2, 6)
    velocity = np.zeros((SAMPLES, 6))
    velocity[:, 5] = 2.0 * np.pi * PASSES
    return WheelsetHistory(
        "eulerian", velocity[:, 5] * TIME, velocity, 0.0 * velocity, *w, tread[:, 0], journal[:, 0], tread[:, 1:],
        journal[:, 1:], rates="spatial",
    )  # fmt: skip


def amplitudes(body):
    """(still (H + L,), swinging (H + L,) complex): modal coordinates of 1 mm, loads of 10 kN."""
    random, h = np.random.default_rng(8), len(body.frequency_hz)
    size = np.concatenate([np.full(h, 1e-3), np.full(24, 1e4)])
    return size * random.normal(size=h + 24), size * (random.normal(size=(2, h + 24)).T @ [1.0, 1j])


@pytest.mark.parametrize("modal", [True, False], ids=["modes", "loads"])
def test_control_node_of_a_swing_is_that_of_its_time_history(body, modal):
    """Fixed point and turning node: one frequency in, amplitudes of the time histories out."""
    still, swinging = amplitudes(body)
    h = len(body.frequency_hz)
    swinging[h:] *= not modal
    swinging[:h] *= modal
    found = control_node_results(body, history(body, 0.0 * still, swinging, modal), modal_only=modal)
    waves, spin = node_waves(body, 0), 2.0 * np.pi * PASSES
    wave = np.exp(2j * np.pi * HZ * TIME)[:, None]
    rows = fixed_rows(waves, spin, np.array([HZ]))[0]
    grid = np.arange(1.0, SAMPLES // 2)
    amplitude = np.zeros((len(grid), len(swinging), 1), dtype=complex)
    amplitude[HZ - 1, :, 0] = swinging
    turning = turning_density(waves, spin, grid, amplitude)[0]
    for name, part in (("displacement", slice(0, 3)), ("acceleration", slice(3, 6)), ("stress", slice(6, 12))):
        wanted = found[name][:, 0]
        scale = np.abs(wanted).max()
        # the tables of the loads go by a spline through 48 sections in time, as harmonics by frequency
        limit = 1e-9 if modal else 1e-3
        fixed = (wave * (rows[part] @ swinging)).real
        np.testing.assert_allclose(fixed, wanted[:, 1], atol=limit * scale, err_msg=f"{name}, fixed")
        spectrum = 2.0 / SAMPLES * np.abs(np.fft.rfft(wanted[:, 0], axis=0)[1:-1])
        np.testing.assert_allclose(np.sqrt(turning[:, part]), spectrum, atol=limit * scale, err_msg=f"{name}, turning")


def test_lines_of_a_steady_load_and_a_swing_are_those_of_the_time_history(body):
    """Root-mean-square in bands of a node that turns through a field that stands and one that swings."""
    still, swinging = amplitudes(body)
    h = len(body.frequency_hz)
    still[h:], swinging[h:] = 0.0, 0.0
    found = control_node_results(body, history(body, still, swinging, True), modal_only=True)
    centre = np.array([4.0, 8.0, 12.5, 40.0, 50.0, 63.0])
    lines = np.array([0.0, HZ]), np.array([still, swinging])
    got = turning_lines(node_waves(body, 0), 2.0 * np.pi * PASSES, lines, centre)
    lower, upper = band_edges(centre)
    hz = np.arange(SAMPLES // 2 + 1)
    for name, part in (("displacement", slice(0, 3)), ("acceleration", slice(3, 6)), ("stress", slice(6, 12))):
        for point in range(2):
            power = 0.5 * (2.0 / SAMPLES * np.abs(np.fft.rfft(found[name][:, 0, point], axis=0))) ** 2
            wanted = [np.sqrt(power[(hz >= a) & (hz < b)].sum(axis=0)) for a, b in zip(lower, upper, strict=True)]
            np.testing.assert_allclose(got[point][:, part], wanted, atol=1e-9 * np.max(wanted), err_msg=name)


def test_a_rail_that_moves_as_a_whole_has_no_slope():
    """Head e with the material's velocity s e: the answer does not know how forces take a slope."""
    random = np.random.default_rng(4)
    modes, wrenches, heads = 5, 12, 8
    outputs = 2 * wrenches + heads
    rail = 0.01 * random.normal(size=(3, outputs, heads))
    contact = SimpleNamespace(
        force=random.normal(size=(modes, wrenches)), output_force=0.01 * random.normal(size=(outputs, wrenches)),
        output_rail=rail, output_motion=0.01 * random.normal(size=(3, outputs, modes)),
    )  # fmt: skip
    linear = SimpleNamespace(
        contact=contact, speed=20.0, mass=np.eye(modes), free_damping=0.1 * np.eye(modes),
        free_stiffness=1e5 * np.eye(modes), state_rate=np.zeros((0, 0)),
    )  # fmt: skip
    hz = np.array([1.0, 30.0])
    s = 2j * np.pi * hz[:, None, None]

    def whole(system):
        return [
            x[..., :heads] + s * x[..., heads : 2 * heads] for x in (system.wrench, system.head_force, system.journal)
        ]

    sloping = whole(contact_system(linear, hz))
    contact.output_rail = np.stack([rail[0], rail[1], 0.0 * rail[2]])
    for a, b in zip(sloping, whole(contact_system(linear, hz)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-10)


def test_phases_of_wheels_along_the_track():
    """A wheel x ahead is at x + V t: it meets the rail's stiffness and the irregularity of that place."""
    speed, bay, hz = 20.0, 0.6, 3.0
    places = WheelPlaces(np.array([2.03, -0.5]))
    distances = places.distances()
    table = np.zeros((len(distances), 3, 1, 4, 4), dtype=complex)
    own = int(np.argmin(np.abs(distances)))
    # compliance 1 + 0.5 cos(2 pi (x - 0.1)/b) of a load at x
    table[own, 1], table[own, 0], table[own, 2] = 1.0, 0.25 * np.exp(2j * np.pi / 6), 0.25 * np.exp(-2j * np.pi / 6)
    rail = MovingReceptance(np.zeros(1), speed / bay, np.arange(-1, 2), distances, table, table)
    coupling = rail_coupling(rail, places, bay)
    running = SimpleNamespace(places=places, linear=SimpleNamespace(speed=speed))
    uneven = irregularity_inputs(running, np.array([hz]))[0]
    t = 0.0123
    passing = np.exp(2j * np.pi * rail.harmonics * rail.passing * t)
    for w, x in enumerate(places.position):
        at = 8 * w + 2
        met = np.sum(coupling[0, :, 0, at, at] * passing)
        assert met == pytest.approx(1.0 + 0.5 * np.cos(2.0 * np.pi * (x + speed * t - 0.1) / bay), abs=1e-12)
        left_vertical = uneven[32 + 4 * w + 1, 1] * np.exp(2j * np.pi * hz * t)
        assert left_vertical == pytest.approx(np.exp(2j * np.pi * hz * (t + x / speed)), abs=1e-12)
        right_lateral = uneven[32 + 4 * w + 2, 2] * np.exp(2j * np.pi * hz * t)
        assert right_lateral == pytest.approx(np.exp(2j * np.pi * hz * (t + x / speed)), abs=1e-12)


def test_densities_of_the_rails_are_those_of_their_mean_and_difference():
    """Mean height and side, cross level over the spacing and gauge: each its own density, nothing between them."""
    falls = [lambda k, a=a: a / (k**2 + 0.1) ** 2 for a in (1e-7, 2e-7, 3e-7, 4e-7)]
    spectra = TrackSpectra(*falls, half_spacing=0.75)
    hz, speed = np.arange(1.0, 20.0), 20.0
    density = spectral_matrix(spectra, 50.0, 2.0, True, hz, speed)
    mixed = np.array([[0, 0.5, 0, 0.5], [0.5, 0, 0.5, 0], [1, 0, -1, 0], [0, 1 / 1.5, 0, -1 / 1.5]])
    found = mixed @ density @ mixed.T
    order = [spectra.vertical, spectra.lateral, spectra.gauge, spectra.cross_level]
    wanted = np.zeros_like(found)
    for k, spectrum in enumerate(order):
        frequency, variance = cumulative_variance(spectrum, 50.0, 2.0)
        edges = np.append(hz - 0.5, hz[-1] + 0.5) / speed
        wanted[:, k, k] = np.diff(np.interp(edges, frequency, variance))
    np.testing.assert_allclose(found, wanted, atol=1e-12 * wanted.max())
