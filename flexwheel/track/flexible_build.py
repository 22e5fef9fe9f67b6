"""Flexible rail model: its set-up, as a window that moves with the vehicle or as the whole length; declared here."""

from dataclasses import replace

import numpy as np
import scipy

from flexwheel.base.capacity import require_memory
from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kernels.lanes import aligned
from flexwheel.track.bed import on_bed
from flexwheel.track.flexible_assembly import (
    condensed_supports,
    from_both_ends,
    green_columns,
    make_elements,
    track_blocks,
)
from flexwheel.track.flexible_head import flexible_add, flexible_compliance, flexible_free_at, head_rows
from flexwheel.track.flexible_ledger import OF_FLEXIBLE
from flexwheel.track.flexible_rail import (
    finish_by_laws,
    flexible_finish,
    flexible_predict,
    flexible_shift,
    predict_by_laws,
)
from flexwheel.track.irregularity import MOST_MEMORY
from flexwheel.track.loaded_element import CLAMPED, DEGREE, M_X, PROJECTED, TWICE, loaded_tables
from flexwheel.track.rail_mass import bar_impedance, section_stiffness
from flexwheel.track.rail_model import RailDeclaration
from flexwheel.track.rail_types import CONDENSED, FASTENER, FOUNDATION, LOWER, PIVOT, RailStep, empty_model
from flexwheel.track.receptance import receptance
from flexwheel.track.support_law import law_tables
from flexwheel.track.window_margin import absorbing_layer, needed_margin

SAME = 1e-14  # of a factor: rounding, as it comes about from node to node
LEAST_COMPLIANCE = -3.5e-10  # [m/N] half of what a contact yields
MARGIN = 36.0  # [m] of track kept beyond the outer wheelsets on a full-length track
BYTES_PER_METRE = 1500.0  # of a full-length track with one element a bay
CONTINUOUS = 24  # elements a bay of the frequency domain: within 0.06 dB of 48 to 1.4 kHz
STATIC_HZ = 1.0  # of the receptance that stands for the compliance at rest
STEP = RailStep(flexible_shift, flexible_predict, flexible_free_at, flexible_compliance, flexible_add, flexible_finish)
STEP_BY_LAWS = STEP._replace(predict=predict_by_laws, finish=finish_by_laws)


def make_window(
    track,
    coefficients,
    vehicle_length=0.0,
    window_bays=None,
    elements=4,
    mass="matched",
    layer_bays=15,
    layer_rate=1000.0,
):
    """Flexible track as a moving window; its cost does not depend on the track's length.

    Parameters
    ----------
    track : FlexibleTrack
    coefficients : IntegratorCoefficients
    vehicle_length : float [m]        distance of the outer wheelsets
    window_bays : int or None         None: the vehicle and window_margin.needed_margin on each side
    elements : int                    per bay; about one for 3000 m/s times the step of the bay, as in rail_mass
    mass : 'matched', 'blended', 'consistent' or 'lumped'
    layer_bays, layer_rate : int, float [1/s]   absorbing layer at each end: dampers growing with the third power to
                                                layer_rate times the rail's mass

    Returns
    -------
    RailModel
    """
    if not (np.isfinite(vehicle_length) and vehicle_length >= 0.0):
        raise ScenarioError(f"vehicle_length must be a number >= 0, got {vehicle_length!r} m")
    vehicle_bays = int(np.ceil(vehicle_length / track.bay - 1e-9))
    if window_bays is None:
        bare = on_bed(track)[0]
        parts = make_elements(track.rail, track.bay, elements, mass, coefficients)
        window_bays = vehicle_bays + 1
        window_bays += 2 * needed_margin(bare, parts, elements, coefficients, layer_bays, layer_rate)
    bays = int(window_bays)
    if bays < vehicle_bays + 2 * layer_bays + 4:
        raise ScenarioError(
            f"window_bays must be at least {vehicle_bays + 2 * layer_bays + 4} (the vehicle's {vehicle_bays} and two "
            f"absorbing layers of {layer_bays}), got {bays}"
        )
    bays += bays * elements % 2  # there is a middle node
    layer = absorbing_layer(bays * elements + 1, layer_bays * elements, layer_rate)
    margin = (bays - vehicle_bays - 1) // 2
    return _make(track, coefficients, bays, elements, mass, layer, front_bay=bays - 1 - margin)


def make_full_length(track, coefficients, length, elements=4, mass="matched", layer_bays=0, layer_rate=1000.0):
    """Flexible track of length [m] from s = 0 on, with free ends; parameters as for make_window.

    Every wheel has to stay clear of the ends by the reach of a step's response (a dozen bays).
    """
    if not (np.isfinite(length) and length >= 20.0 * track.bay):
        raise ScenarioError(f"full-length track must be at least 20 bays long, {20 * track.bay:g} m, got {length!r} m")
    bays = int(np.ceil(length / track.bay - 1e-9))
    bays += bays * elements % 2  # there is a middle node
    layer = absorbing_layer(bays * elements + 1, layer_bays * elements, layer_rate)
    return _make(track, coefficients, bays, elements, mass, layer, front_bay=-1)


def _make(track, coefficients, bays, elements, mass, layer, front_bay):
    """The model: matrices, factors, columns."""
    track, coupling = on_bed(track)
    parts = make_elements(track.rail, track.bay, elements, mass, coefficients)
    _check_stability(track, parts, elements, coefficients)
    law_start, law_table = law_tables(track)
    model = empty_model(STEP_BY_LAWS if len(law_table) else STEP, coefficients)
    effective = (1.0, model.gamma_dt, model.beta_dt2)
    blocks, upper = track_blocks(track, parts, elements, bays, effective, layer)
    chain, stiffness = np.zeros((bays * elements + 1, 6, 3, 4)), np.zeros((4, 3, 3, 4))
    for lane in range(4):
        p = lane // 2
        chain[:, PIVOT : PIVOT + 3, :, lane], chain[:, LOWER : LOWER + 3, :, lane] = from_both_ends(blocks[p], upper[p])
        k = parts.stiffness[p, :6, :6]
        stiffness[..., lane] = k[:3, :3], k[:3, :3] + k[3:, 3:], k[3:, 3:], k[:3, 3:]
    _, condensed = condensed_supports(track, effective)
    green, nodes = green_columns(track, parts, elements, effective)
    inner = np.zeros((8, 4))
    for lane in range(4):
        p = lane // 2
        k, m = parts.stiffness[p, 6], parts.mass[p, 6]
        own = m + (model.beta_dt2 + model.gamma_dt * track.rail.stiffness_damping) * k
        inner[:, lane] = *(own[:6] / own[6]), 1.0 / own[6], k[6]
    loaded, spread = loaded_tables(track.rail, parts)
    f, b = track.fastener, track.foundation
    springs = [f.longitudinal, f.lateral, f.vertical, f.roll, f.pitch, f.yaw]
    support = np.zeros((12, 2))
    support[FASTENER:FOUNDATION] = _pairs(springs)
    if b is not None:
        support[FOUNDATION:CONDENSED] = _pairs([b.vertical, b.lateral, b.roll])
    support[CONDENSED:] = condensed
    chain, place = images(*shared(chain, elements))
    march = (coefficients.dt, coefficients.dt, (coefficients.gamma - 0.5) * coefficients.dt**2)
    if coefficients.depth > 1:
        march = (model.gamma_dt, 0.0, model.beta_dt2)
    made = model._replace(
        bay=float(track.bay),
        element=float(parts.length),
        elements=int(elements),
        front_bay=int(front_bay),
        chain=chain,
        place=place,
        layer=layer,
        node_mass=parts.node_mass[[0, 0, 1, 1]].T.copy(),
        ends=(bar_impedance(track.rail) if layer[0] != 0.0 else 0.0) * np.array([1.0, 1.0, 0.0, 0.0]),
        stiffness=stiffness,
        support=support,
        bearing=bearing_lanes(springs, b, condensed, track.rail),
        inner=inner,
        section=section_constants(track.rail, parts),
        green=green,
        pair=aligned(_pairs_with_inner(nodes, inner)),
        loaded=loaded,
        march=np.array(march),
        spread=aligned(np.moveaxis(spread, 0, -1)[..., [0, 0, 1, 1]]),
        law_start=law_start,
        law_table=law_table,
        coupling=coupling,
    )
    if least_compliance(made) < LEAST_COMPLIANCE:
        made.loaded[:, M_X:CLAMPED] = made.loaded[:, PROJECTED:] = 0.0
    return made


def shared(chain, elements):
    """Rows of a chain (N, ...) that differ, and the row (N,) that holds for each node.

    Far from the ends the factors of a bay are those of the next one; rows equal to those of the bay beside the middle
    within rounding are kept once.
    """
    nodes = len(chain)
    middle = nodes // 2
    kept = np.arange(nodes)
    for side, step in ((range(middle), -elements), (range(middle + 1, nodes), elements)):
        for i in side:
            distance = (middle - 1 - i) // elements if step < 0 else (i - middle - 1) // elements
            model = i - step * distance
            if np.max(np.abs(chain[i] - chain[model])) <= SAME * np.max(np.abs(chain[model])):
                kept[i] = model
    used, place = np.unique(kept, return_inverse=True)
    return chain[used], place


def images(chain, place):
    """RailModel.chain and .place from rows (n, 6, 3, 4) and those that hold for the nodes (N,): nodes by their images.

    The middle node is its own image.
    """
    pairs, row = np.unique(np.stack([place, place[::-1]])[:, : len(place) // 2 + 1], axis=1, return_inverse=True)
    row = row.ravel().astype(np.int64)
    return aligned(np.concatenate([chain[pairs[0]], chain[pairs[1]]], axis=-1)), np.r_[row, row[-2::-1]]


def bearing_lanes(fastener, foundation, condensed, rail):
    """RailModel.bearing: springs of a fastener (x, y, z, roll, pitch, yaw), foundation or None, condensed (3, 2)."""
    x, y, z, roll, pitch, yaw = fastener
    out = np.zeros((16, 4))
    for at, row in ((0, (z, z, y, y)), (2, (x, x, roll, roll)), (4, (pitch, pitch, yaw, yaw))):
        out[at] = [spring.stiffness for spring in row]
        out[at + 1] = [spring.damping for spring in row]
    if foundation is not None:
        vertical, lateral, turning = _pairs([foundation.vertical, foundation.lateral, foundation.roll])
        out[6:8] = np.stack([vertical, vertical, lateral, lateral], axis=1)
        out[8:10, 2:] = turning[:, None]
    out[10:12] = condensed[[0, 0, 1, 1]].T
    out[12:14, 2:] = condensed[2][:, None]
    out[14, 2:], out[15, :2] = rail.shear_centre_height, rail.centroid_height
    return out


def carries_inertia(model):
    """Whether the loaded elements' own deflection has its inertia: not where a force would be met by the contrary."""
    return bool(np.any(model.loaded[:, M_X:CLAMPED]))


def highest_frequency(track, parts, elements, bays=6):
    """Highest natural frequency [rad/s] of the rails on their fasteners, semi-sleepers held: an upper bound."""
    supports, _ = condensed_supports(replace(track, sleeper=None, foundation=None), (0.0, 0.0, 1.0))
    n = bays * elements + 1
    own = np.r_[0:3, 4:7, 3]
    out = 0.0
    for p in range(2):
        stiffness, mass = np.zeros((2, 4 * n, 4 * n))
        for i in range(n - 1):
            at = np.ix_(4 * i + own, 4 * i + own)
            stiffness[at] += parts.stiffness[p]
            mass[at] += parts.mass[p]
        for i in range(0, n, elements):
            stiffness[4 * i : 4 * i + 3, 4 * i : 4 * i + 3] += supports[p]
        out = max(out, float(np.sqrt(scipy.linalg.eigvalsh(stiffness[:-1, :-1], mass[:-1, :-1])[-1])))
    return out


def _check_stability(track, parts, elements, coefficients):
    """Refuse a conditionally stable Newmark step that the track's highest frequency would blow up."""
    if coefficients.depth > 1 or coefficients.beta >= 0.25:
        return
    limit = 1.0 / np.sqrt(0.25 - coefficients.beta) / highest_frequency(track, parts, elements)
    if coefficients.dt >= limit:
        raise ScenarioError(
            f"the step must be below {limit:.3g} s with Newmark beta = {coefficients.beta:g} on this track of "
            f"{elements} elements per bay, got {coefficients.dt:g} s; or take beta = 0.25"
        )


def least_compliance(model):
    """Smallest compliance [m/N] of the head, up and across, to a force within a step; of a flexible RailModel.

    Negative where elements are long for the step: the loaded element's own deflection is not all in the state then.
    """
    out = np.inf
    for x in np.linspace(0.0, 1.0, 21):
        table, rows = x ** np.arange(DEGREE, -1, -1) @ model.loaded, head_rows(model, x)
        for p, c in ((0, 1), (1, 0)):  # uz of (ux, uz), uy of (uy, roll)
            at = 14 * p + 7 * c
            row = np.array(rows[2 * p + c]) - table[at : at + 7] / model.beta_dt2
            nodal = model.beta_dt2 * np.einsum("i,nij,j->n", row, model.pair[:, p, :, :7], row)
            own = table[CLAMPED + 4 * p + 3 * c] - table[TWICE + 4 * p + 3 * c] / model.beta_dt2
            out = min(out, np.min(nodal) + own)
    return float(out)


def _pairs_with_inner(nodes, inner):
    """RailModel.pair from that of the nodes (elements, 2, 6, 6) and RailModel.inner."""
    out = np.zeros((len(nodes), 2, 7, 8))
    for p in range(2):
        follow = np.vstack([np.eye(6), -inner[:6, 2 * p]])
        out[:, p, :, :7] = np.swapaxes(follow @ nodes[:, p] @ follow.T, 1, 2)
        out[:, p, 6, 6] += inner[6, 2 * p]
    return out


def section_constants(rail, parts):
    """Entries of RailModel.section, in the order of their names."""
    (*upright, bar), (*sideways, shaft) = (section_stiffness(rail, p) for p in range(2))
    return np.array(
        [
            *upright,
            *sideways,
            bar,
            shaft,
            *parts.phi,
            rail.head_above_centroid,
            rail.head_above_shear_centre,
            rail.centroid_height,
            rail.shear_centre_height,
            rail.stiffness_damping,
            4.0 * parts.inner[1],
        ]
    )


def _pairs(springs):
    """Stiffness and damping of springs."""
    return np.array([(s.stiffness, s.damping) for s in springs])


def flexible_of(track, supports, coefficients, reach, end):
    """Flexible rail model of the [track] section."""
    supports = supports()
    if track.extent == "window":
        bays = None
        if track.window_margin_bays is not None:
            bays = 2 * track.window_margin_bays + int(np.ceil(reach / supports.bay - 1e-9)) + 1
        return make_window(
            supports,
            coefficients,
            reach,
            window_bays=bays,
            elements=track.elements_per_bay,
            mass=track.rail_mass,
            layer_bays=track.absorbing_bays,
            layer_rate=track.absorbing_rate_1_s,
        )
    whole = end + reach + MARGIN
    require_memory(
        BYTES_PER_METRE * track.elements_per_bay * whole,
        f"track.extent = 'full_length' over {whole:.0f} m",
        "set it to 'window', or shorten the run",
        MOST_MEMORY,
    )
    return make_full_length(supports, coefficients, whole, elements=track.elements_per_bay, mass=track.rail_mass)


def over_a_sleeper(supports, frequency_hz):
    """Receptance (F, 4, 4) of the rail's head over a sleeper, elements so short that they are the continuous rail."""
    return receptance(supports, 0.0, 0.0, frequency_hz, elements=CONTINUOUS, loss_factors=False)


FLEXIBLE = RailDeclaration(
    name="flexible",
    taken="static compliance of the rail head over a sleeper; receptance of the continuous rail, not of its elements",
    reads=(
        "extent", "window_margin_bays", "absorbing_bays", "absorbing_rate_1_s", "support", "rail", "bay_m",
        "elements_per_bay", "rail_mass", "fastener", "sleeper", "foundation",
    ),
    make=flexible_of,
    static_compliance=lambda track, supports: over_a_sleeper(supports(), [STATIC_HZ])[0].real,
    energy=OF_FLEXIBLE,
    receptance=lambda track, supports, hz: over_a_sleeper(supports(), hz)[:, :3, :3],
)  # fmt: skip
