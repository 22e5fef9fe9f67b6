"""The response of the linearised AS4 beside its run in time: the run's own roughness through transfer functions."""

import numpy as np
from scipy.interpolate import make_interp_spline

from flexwheel.assess.linear.lines import passing_lines
from flexwheel.assess.linear.move_limits import relative_move
from flexwheel.assess.linear.near_waves import standing_patches
from flexwheel.assess.linear.node_motion import fixed_rows, node_waves
from flexwheel.assess.linear.on_rails import solve_harmonics
from flexwheel.assess.response import ResponseSettings, response_scenario, vehicle_on_rails
from flexwheel.base.shipped import EXAMPLES
from flexwheel.numerics.spectra import third_octaves
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.reduced_bodies import flexible_wheelsets
from flexwheel.run.simulation import run_scenario
from flexwheel.run.valid_bands import MOST_MOVE, response_bands
from flexwheel.verification.check_registry import check, distance, information, other_code
from flexwheel.verification.norms import levels

KEYS = (
    'track.layout=[{kind="straight", length_m=400.0}]',
    "track.elements_per_bay=8",
    "irregularity.level=low",
    "irregularity.longest_wave_m=3.0",
    "run.step_s=1.25e-5",
    "run.output_step_s=1e-4",
    "run.duration_s=5.0",
    "wheelset.front.modes_up_to_hz=3000",  # what a run lacks above 2 kHz is another check's
    "contact.strips=32",  # with the 16 of a response its law's slopes leave 0.5 dB in the band of 1.25 kHz
    "run.contact_tolerance_n=0.5",
    "run.compare_modes=[]",
)
BEGIN, END = 1.0, 4.9  # [s] of the run that is compared
HIGHEST_HZ, STEP_HZ, CHUNK = 1250.0, 0.5, 32
LIMIT_DB = 0.5
ROWS_AT_ONCE = 4000  # frequencies of a node's rows


def transfer(running, drive_rows, chosen):
    """Outputs (F, M, O, S) at f + m passing per irregularity of each wheel (S = 2 W2), f on the grid from its second.

    chosen : callable   index (B,) on the grid, inputs (B, 10 W2, S) -> outputs (B, O, S)
    """
    reach, parts, count = len(running.rail.harmonics) // 2, running.parts, len(running.rail.frequency)
    sources, known = len(drive_rows), np.arange(1, count - (reach + 1) * parts)
    out = None
    for start in range(0, len(known), CHUNK):
        index = known[start : start + CHUNK]
        drive = np.zeros((len(index), 2 * reach + 1, running.system.wrench.shape[2], sources), dtype=complex)
        drive[:, reach, drive_rows, range(sources)] = 1.0
        inputs = solve_harmonics(running.system, running.coupling, parts, index, drive)
        for m in range(2 * reach + 1):
            at = index + (m - reach) * parts
            found = chosen(np.abs(at), np.where((at < 0)[:, None, None], inputs[:, m].conj(), inputs[:, m]))
            found = np.where((at < 0)[:, None, None], found.conj(), found)
            if out is None:
                out = np.zeros((len(known), 2 * reach + 1, *found.shape[1:]), dtype=complex)
            out[start : start + len(index), m] = found
    return running.rail.frequency[known], out


def synthesised(running, steady, outputs, steady_outputs, uneven, step, start):
    """Time series (T, O) of the response to the irregularity under the wheels (T, 2 W2); lines of the sleepers too.

    start : float [s]   since the reference of the vehicle was over a support
    """
    sides = running.places.count
    hz, found = transfer(running, np.arange(8 * sides, 10 * sides), outputs)
    count = 2 * len(uneven)
    frequency, spectrum = np.fft.rfftfreq(count, step), np.fft.rfft(uneven, count, axis=0)
    inside = (frequency >= hz[0]) & (frequency <= hz[-1])
    time = step * np.arange(len(uneven))
    reach = found.shape[1] // 2
    out = np.zeros((len(uneven), found.shape[2]))
    for m in range(-reach, reach + 1):
        at_bins = make_interp_spline(hz, found[:, m + reach], axis=0)(frequency[inside])
        answer = np.zeros((count, found.shape[2]), dtype=complex)
        answer[np.flatnonzero(inside)] = np.einsum("fos,fs->fo", at_bins, spectrum[inside])
        analytic = np.fft.ifft(answer, axis=0)[: len(uneven)]
        out += 2.0 * (analytic * np.exp(2j * np.pi * m * running.rail.passing * (time + start))[:, None]).real
    lines = passing_lines(running, steady)
    turn = np.exp(2j * np.pi * np.outer(time + start, lines.frequency))
    return out + (turn @ steady_outputs(lines)).real


def synthesis(scenario, results, name="front"):
    """What the response makes of a run's irregularity: wheel forces (T, W2, 3), inputs of the nodes of a wheelset
    (T, H + L), its spin, its reduced body, its patches."""
    settings = ResponseSettings(HIGHEST_HZ, STEP_HZ, harmonics=3)
    chosen = response_scenario(scenario, settings)
    bodies = {name: item.body for name, item in flexible_wheelsets(chosen).items()}
    running, simulation, steady = vehicle_on_rails(chosen, bodies, settings)
    assembly, system = simulation.assembly, running.system
    w = next(k for k, spec in enumerate(assembly.wheelset_specs) if spec.name == name)
    offset, h = assembly.units.offset[assembly.wheelsets.unit[w]] + 6, len(bodies[name].frequency_hz)
    sides = running.places.count
    forces = [6 * k + c for k in range(sides) for c in range(3)]
    own, places = slice(12 * w, 12 * w + 12), slice(8 * w, 8 * w + 8)

    def outputs(index, inputs):
        wrench = system.wrench[index] @ inputs
        modal = system.coordinate[index, offset : offset + h] @ wrench
        journal = system.journal[index, own] @ inputs
        moves = system.patch[index, places] @ inputs
        return np.concatenate([wrench[:, forces], modal, wrench[:, own], journal, moves], axis=1)

    def steady_outputs(lines):
        _, nodes = lines.node_inputs(running, slice(offset, offset + h), w)
        return np.concatenate([lines.wrench[:, forces], nodes], axis=1)

    step = float(results.time[1] - results.time[0])
    uneven = results.irregularity.values.reshape(results.sizes["time"], -1).astype(float)
    place = scenario.run.start_position_m / running.linear.speed
    found = synthesised(running, steady, outputs, steady_outputs, uneven, step, place)
    spin = running.linear.steady[1][offset - 1]
    forces = found[:, : 3 * sides].reshape(-1, sides, 3)
    return forces, found[:, 3 * sides :], spin, bodies[name], standing_patches(running.linear, w)


def node_motion(body, node, spin, drive, step, patches=None):
    """Acceleration of a control node that turns, and fixed, and displacement of the fixed point, (3, T, 3) together,
    from the inputs (T, H + L + 8) of its NodeWaves."""
    waves = node_waves(body, node, True, patches)
    both = np.concatenate([waves.modal, waves.load], axis=2)[:, :3]
    frequency = np.fft.fftfreq(2 * len(drive), step)
    time = step * np.arange(len(drive))
    padded = np.concatenate([drive, drive[::-1]])  # no jump where the period ends
    spectrum = np.fft.fft(padded, axis=0)
    parts = [slice(n, n + ROWS_AT_ONCE) for n in range(0, len(frequency), ROWS_AT_ONCE)]
    moved = [np.einsum("fab,fb->fa", fixed_rows(waves, spin, frequency[n])[:, :6], spectrum[n]) for n in parts]
    fixed = np.fft.ifft(np.concatenate(moved), axis=0)[: len(drive)].real
    turning = np.zeros((len(drive), 3), dtype=complex)
    for k, row in zip(waves.order, both, strict=True):
        turning += (drive @ row.T) * np.exp(1j * k * spin * time)[:, None]
    moved = np.concatenate([turning.real, turning.real[::-1]])
    rate = -((2.0 * np.pi * frequency) ** 2)[:, None]
    acceleration = np.fft.ifft(rate * np.fft.fft(moved, axis=0), axis=0)[: len(drive)].real
    return np.stack([acceleration, fixed[:, 3:], fixed[:, :3]])


def compared(keys=()):
    """(names, centres, run's levels (B, S), response's (B, S), where the response holds [Hz] (S,)) of forces and
    motion of nodes, and the series."""
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", (*KEYS, *keys))
    wheelsets = flexible_wheelsets(scenario)
    results = run_scenario(scenario, wheelsets=wheelsets)
    forces, drive, spin, body, patches = synthesis(scenario, results)
    step = float(results.time[1] - results.time[0])
    part = (results.time.values > BEGIN) & (results.time.values < END)
    moves = np.std(drive[part, -8:], axis=0)
    relative = np.array([relative_move(body, n, patches, moves) for n in range(len(body.control.name))])
    held = {name: np.where(relative > MOST_MOVE, 0.0, np.inf) for name in wheelsets}
    bodies = {name: item.body for name, item in wheelsets.items()}
    bands = response_bands(scenario, bodies, list(wheelsets), held)
    holds = bands["node_valid_to_hz"][1]
    names, mine, runs, valid = [], [], [], []
    for w, wheel in enumerate(results.wheel.values):
        for axis in "xyz":
            names.append(f"{axis} {wheel}")
            mine.append(forces[:, w, "xyz".index(axis)])
            runs.append(results.contact_force.sel(wheel=wheel, axis=axis).values)
            valid.append(np.inf)
    for n, node in enumerate(results.control_node.values):
        found = node_motion(body, n, spin, drive, step, patches)
        of = ("acceleration", "rotating"), ("acceleration", "fixed"), ("displacement", "fixed")
        for (quantity, point), motion, hz in zip(of, found, (*holds[n], holds[n, 0]), strict=True):
            for axis in "xyz":
                names.append(f"{quantity} {axis}, {node}, {point}")
                mine.append(motion[:, "xyz".index(axis)])
                runs.append(results[quantity].sel(control_node=node, point=point, axis=axis).values)
                valid.append(hz)
    series = [np.stack(x, axis=1)[part] for x in (runs, mine)]
    centres, _ = third_octaves(series[0], step, 31.5, HIGHEST_HZ)
    levels = [third_octaves(x, step, 31.5, HIGHEST_HZ)[1] for x in series]
    return names, centres, *levels, np.array(valid), series


@check(
    "Response and run of the AS4 on straight rough track", subject="Response", slow=True,
    ground=other_code("a run in time shares parameters but no step, no rail elements; 0.5 dB set beforehand"),
)  # fmt: skip
def response_and_run():
    """Third octaves 31.5 Hz to 1.25 kHz of forces and node accelerations, the run's own roughness; 12.5 us, 8 elements
    a bay.

    A node of the tread feels the patch in both, and its moves: of the run's samples there, linear here. At an edge of
    the patch displacement is linear in them, its second derivative along, and with it the fixed point's acceleration,
    is not. Bands that a response says do not hold are told, not judged.
    """
    names, centres, run, mine, valid, _ = compared()
    rows = []
    for k, name in enumerate(names):
        holds = centres * 10.0**0.05 <= valid[k]
        if holds.any():
            text = f"{name}: largest deviation of a band"
            rows.append(distance(text, mine[holds, k], run[holds, k], LIMIT_DB, "dB", "run in time", levels))
        if not holds.all():
            off = np.abs(20.0 * np.log10(mine[~holds, k] / run[~holds, k])).max()
            rows.append(
                information(f"{name}: largest deviation above {valid[k]:.0f} Hz, where it does not hold", off, "dB")
            )
    return rows
