"""Arrays of all wheelsets, rigid and flexible, from their specifications."""

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.vehicle.between_sections import SPLINE, between_sections, section_slopes
from flexwheel.vehicle.eulerian_map import check_closed
from flexwheel.vehicle.floating_frame import pack_inertia, rigid_inertia
from flexwheel.vehicle.row_slices import slice_rows, stack_slices
from flexwheel.vehicle.step.model import EULERIAN, LAGRANGIAN, MESH_MODES, Wheelsets
from flexwheel.vehicle.structural import spin_stiffness
from flexwheel.vehicle.tread_contact import DISTRIBUTIONS


def check_inertia(name, mass, inertia):
    """Refuse a mass or an inertia (3, 3) that is not positive."""
    inertia = np.asarray(inertia, float)
    if not (np.isfinite(mass) and mass > 0.0):
        raise ScenarioError(f"{name}: mass must be a positive number, got {mass!r} kg")
    if inertia.shape != (3, 3) or not np.all(np.isfinite(inertia)) or np.min(np.linalg.eigvalsh(inertia)) <= 0.0:
        raise ScenarioError(f"{name}: inertia must be a positive definite 3 x 3 matrix")


def wheelset_arrays(wheelsets, first_unit) -> Wheelsets:
    """Padded arrays of all wheelsets, sequence of WheelsetSpec."""
    count = len(wheelsets)
    modes = [0 if w.body is None else len(w.body.frequency_hz) for w in wheelsets]
    h = max([1, *modes])
    packed = [
        rigid_inertia(w.mass, w.inertia) if w.body is None else pack_inertia(w.body.invariants) for w in wheelsets
    ]
    spinning = [np.zeros((0, 0)) if w.body is None else spin_stiffness(w.body, w.centrifugal) for w in wheelsets]
    sections = max([1, *(len(w.body.treads[0].angle) for w in wheelsets if w.body is not None)])
    turn_pairs = h // 2 + 1
    distribution = np.array([DISTRIBUTIONS[w.force_distribution] for w in wheelsets])
    nodes = max(
        [1, *(len(w.body.treads[0].profile) for w in wheelsets if w.body and w.force_distribution != "least_squares")]
    )
    between = [None if w.body is None else _between(w) for w in wheelsets]
    splined = any(b is not None and b.rule == SPLINE for b in between)
    slopes = sections if splined else 1
    z = np.zeros
    a = Wheelsets(
        unit=np.arange(count) + first_unit,
        mode_count=np.array(modes),
        mesh_mode=np.full(count, EULERIAN),
        radius=z(count),
        lateral=z((count, 2)),
        frequency=z((count, h)),
        damping=z((count, h)),
        geometric=stack_slices([slice_rows(k[None], 1e-11 * np.abs(k).max(initial=0.0)) for k in spinning]),
        centrifugal=np.zeros(count, dtype=np.int64),
        mass=z(count),
        s_x=z((count, 3)),
        s_h=z((count, 3, h)),
        p_xx=z((count, 3, 3)),
        p_xh=z((count, 3, 3, h)),
        even=stack_slices([p.even for p in packed]),
        odd=stack_slices([p.odd for p in packed]),
        section_count=np.ones(count, dtype=np.int64),
        tread_rows=z((count, 2, sections, 6, h)),
        between=np.zeros(count, dtype=np.int64),
        tread_slopes=z((count, 2, slopes, 6, h)),
        distribution=distribution,
        section_angle=z((count, sections)),
        profile_nodes=z((count, 2, nodes, 2)),
        node_rows=z((count, 2, sections if nodes > 1 else 1, nodes, 3, h)),
        node_slopes=z((count, 2, slopes if nodes > 1 else 1, nodes, 3, h)),
        generator=z((count, h, h)),
        pair=np.full((count, turn_pairs, 2), -1),
        pair_order=z((count, turn_pairs)),
        sector_map=z((count, h, h)),
        sector_angle=np.ones(count),
        residual=z((count, 2, 6, 6)),
        interface_position=z((count, 2, 3)),
        interface_rows=z((count, 2, 6, h)),
        box_mass=z((count, 2)),
        box_inertia=z((count, 2, 3, 3)),
        box_centre=z((count, 2, 3)),
        box_pitch=np.zeros(count, dtype=np.int64),
        calls=np.zeros((2, 2), dtype=np.int64),
    )
    for k, w in enumerate(wheelsets):
        a.radius[k] = w.radius
        a.lateral[k] = w.lateral, -w.lateral
        p = packed[k]
        n = p.mode_count
        a.mass[k], a.s_x[k], a.s_h[k, :, :n] = p.mass, p.s_x, p.s_h
        a.p_xx[k] = p.p_xx
        a.p_xh[k, :, :, :n] = p.p_xh
        a.interface_position[k, :, 1] = w.journal
        if w.axle_boxes is not None:
            a.box_pitch[k] = 1 if w.revolute else 0
            for side, box in enumerate(w.axle_boxes):
                check_inertia(f"{w.name} axle box", box.mass, box.inertia)
                a.box_mass[k, side] = box.mass
                a.box_inertia[k, side] = box.inertia
                a.box_centre[k, side] = box.centre
        if w.body is not None:
            _fill_flexible(a, k, w, between[k])
    return a


def _between(w):
    """How the rows of a flexible wheelset go on between sections."""
    return between_sections(w.body.generator, w.body.closure_defect, w.between_sections)


def _fill_flexible(a, k, w, between):
    """Arrays of one flexible wheelset."""
    body = w.body
    h = len(body.frequency_hz)
    if w.mesh_mode not in MESH_MODES:
        raise ScenarioError(f"{w.name}: mode must be one of {', '.join(MESH_MODES)}, got {w.mesh_mode!r}")
    mode = MESH_MODES[w.mesh_mode]
    if mode == EULERIAN and body.whole_sectors:  # put back by whole ones the mesh is what it was: the same equations
        mode = LAGRANGIAN
    a.mesh_mode[k] = mode
    if mode != LAGRANGIAN:
        check_closed(body, w.name)
    a.frequency[k, :h] = 2.0 * np.pi * np.asarray(body.frequency_hz)
    a.damping[k, :h] = body.damping_ratio
    if w.centrifugal == "none":
        check_closed(body, w.name, 'centrifugal = "none"', 'centrifugal = "both"')
    a.centrifugal[k] = 0 if w.centrifugal == "paper" else 1
    a.interface_position[k] = body.interface_position
    a.interface_rows[k, :, :, :h] = body.interface_rows
    for side, tread in enumerate(body.treads):
        if tread.side != (1, -1)[side]:
            raise ScenarioError(f"{w.name}: treads of the reduced body are not in the order left, right")
        angle = np.asarray(tread.angle)
        a.section_count[k] = len(angle)
        if not np.allclose(np.diff(angle), 2.0 * np.pi / len(angle), rtol=0.0, atol=1e-6) or abs(angle[0]) > 1e-6:
            raise ScenarioError(f"{w.name}: tread sections are not uniform from the lowest point")
        a.tread_rows[k, side, : len(angle), :, :h] = tread.profile_rows
        if w.force_distribution != "least_squares":
            a.section_angle[k, : len(angle)] = angle
            nodes, count = tread.node_rows, len(tread.profile)
            a.profile_nodes[k, side, :count] = tread.profile
            a.node_rows[k, side, : len(angle), :count, :, :h] = nodes
            if between.rule == SPLINE:
                a.node_slopes[k, side, : len(angle), :count, :, :h] = section_slopes(angle, nodes)
        if between.rule == SPLINE:
            a.tread_slopes[k, side, : len(angle), :, :h] = section_slopes(angle, tread.profile_rows)
        if w.residual:
            a.residual[k, side] = tread.residual_compliance
    generator = np.asarray(body.generator)
    a.generator[k, :h, :h] = generator
    a.sector_map[k, :h, :h] = body.sector_map
    a.sector_angle[k] = body.sector_angle if body.sector_angle > 0.0 else 1.0
    a.between[k] = between.rule
    a.pair[k, : len(between.pair)], a.pair_order[k, : len(between.pair)] = between.pair, between.order
