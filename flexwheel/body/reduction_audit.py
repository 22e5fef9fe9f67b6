"""What a reduction did, in lines for the user."""

from __future__ import annotations

import numpy as np

from flexwheel.body.reduced_body import MARKED
from flexwheel.body.stress_error import stress_warning
from flexwheel.body.tread_compliance import LEAST, bounded_below


def complete_hz(modal, options) -> float:
    """Frequency [Hz] below which a basis holds every mode of the mesh."""
    if options.fixed_interface_modes is None:
        return float(options.modes_up_to_hz)
    last = modal.fixed_frequency[-1] if len(modal.fixed_frequency) else 0.0
    return float(min(options.exact_below_hz, last))


def reduction_audit(body, modal, route, interfaces, rings, residual, options) -> list[str]:
    """Lines on mass, frequencies, counts, closure and residual of a reduced body."""
    wanted, tolerance = options.fixed_interface_modes, options.control_tolerance
    taken = len(modal.fixed_frequency)
    constraint = 6 * len(interfaces)
    lines = [
        f"route: {route}",
        f"mass {body.mass:.6f} kg, centre ({_numbers(body.centre, '.6g')}) m",
        f"inertia xx yy zz {_numbers(np.diag(body.inertia), '.6g')} kg m2, largest product "
        f"{np.abs(body.inertia - np.diag(np.diag(body.inertia))).max():.2e} kg m2",
    ]
    for interface, position in zip(interfaces, body.interface_position, strict=True):
        tied = f"{len(interface.nodes)} nodes, {options.coupling} coupling"
        lines.append(f"interface {interface.name}: {tied}, y = {position[1]:.5g} m")
    lines += _of_the_basis(body, modal, constraint, options)
    if wanted is not None and taken != wanted:
        lines.append(f"{wanted} fixed-interface modes were asked for; {taken} is the nearest count that splits no pair")
    lines.append(
        "frequencies [Hz] (order n): "
        + ", ".join(f"{f:.2f} ({n if n >= 0 else '-'})" for f, n in zip(body.frequency_hz, body.order, strict=True))
    )
    lines += _of_the_mesh(body)
    if np.isfinite(body.closure_defect):
        lines.append(
            f"closure of the modes under a turn by {np.degrees(body.sector_angle):.6g} degrees: "
            f"defect {body.closure_defect:.1e}"
        )
    elif body.whole_sectors:
        lines.append(f"{body.whole_sectors}-fold: runs in 'lagrangian', or in 'eulerian' by whole sectors")
    else:
        lines.append("not of revolution: runs in 'lagrangian' only")
    for tread, raw in zip(body.treads, residual.compliance, strict=True):
        which, least = "left" if tread.side > 0 else "right", bounded_below(raw)[1]
        lines.append(
            f"{which} tread: {len(tread.angle)} sections of "
            f"{len(tread.profile)} nodes, "
            f"datum y = {tread.lateral:.5g} m, radius {tread.radius:.5g} m, residual compliance "
            f"{_numbers(np.diag(tread.residual_compliance)[:3] * 1e12, '.4g')} m/TN (x y z)"
        )
        if least < LEAST:
            lines.append(
                f"WARNING: {which} tread: residual compliance {1e12 * least:.4g} m/TN, taken as {1e12 * LEAST:g}: the "
                "elements there are too coarse for the compliance of a contact; take a finer mesh"
            )
    if residual.spread > 0.02:
        share = 100 * residual.spread
        lines.append(f"residual compliance of the treads differs by {share:.1f} % between sections; the mean is taken")
    errors = zip(body.control.stress_error, body.control.corner, strict=True)
    for ring, number, (error, corner) in zip(rings, body.control.node_id, errors, strict=True):
        missing = int((ring.nodes < 0).sum())
        note = f"; no nodes in {missing} other sections: no fixed-point output" if missing else ""
        far = f", {1e3 * ring.distance:.2f} mm from the place asked for" if ring.distance > 0 else ""
        lines.append(f"control node {ring.name}: id {number}, section {ring.home}{far}{note}")
        if corner > 0 or error > MARKED:
            lines.append(f"WARNING: control node {ring.name}: {stress_warning(error, corner)}")
        elif options.submodel:
            lines.append(
                f"control node {ring.name}: stress of a submodel, changed by {100 * error:.2g} % by its last split"
            )
        if ring.distance > tolerance:
            lines.append(
                f"WARNING: control node {ring.name}: node {number} lies {1e3 * ring.distance:.1f} mm from the place of "
                f"the preset, more than {1e3 * tolerance:g} mm: the mesh has none nearer"
            )
    return lines


def corner_lines(mesh, free, most=12) -> list[str]:
    """Line on the corners without a radius, circles of equal |y| and radius together, the sharpest first."""
    if not len(free.corners):
        return []
    x, y, z = mesh.nodes[free.corners].T
    place = np.round(1e3 * np.stack([np.abs(y), np.hypot(x, z)], axis=1), 1)
    circles, of = np.unique(place, axis=0, return_inverse=True)
    turn = np.zeros(len(circles))
    np.maximum.at(turn, of.ravel(), free.turn)
    named = [
        f"r {circles[k, 1]:g} at |y| {circles[k, 0]:g} mm ({np.degrees(turn[k]):.0f} deg)" for k in np.argsort(-turn)
    ]
    rest = f" and {len(named) - most} more" if len(named) > most else ""
    return [f"corners without a radius, where stress has no limit: {', '.join(named[:most])}{rest}"]


def _of_the_basis(body, modal, constraint, options):
    """Lines on the kind and number of modes, and up to where every circumferential order is complete."""
    hz, number = body.frequency_hz, len(body.frequency_hz)
    if not number:
        return ["no flexible modes"]
    taken, whole = len(modal.fixed_frequency), options.modes_up_to_hz
    exact = body.complete_hz
    if options.fixed_interface_modes is not None:
        whole = modal.fixed_frequency[-1] if taken else 0.0
        top = f" up to {whole:.4g} Hz" if taken else ""
        kind = f"Craig-Bampton: {constraint} constraint modes + {taken} fixed-interface modes{top}"
    else:
        below = int((hz < whole).sum())
        kind = f"{below} free modes below {whole:g} Hz + {number - below} shapes for loads on the journals"
    rigid = " - 6 rigid" if options.fixed_interface_modes is not None else ""
    lines = [f"{kind}{rigid} = {number} flexible modes, {hz[0]:.5g} to {hz[-1]:.5g} Hz"]
    if (hz < exact).any():
        lines.append(f"the {(hz < exact).sum()} modes below {exact:g} Hz are those of the full mesh")
    orders = [int(n) for n in np.unique(body.order[hz <= whole]) if n >= 0]
    if whole and orders:
        held = ", ".join(map(str, orders))
        beyond = int((hz > whole).sum())
        lines.append(
            f"every circumferential order is complete up to {whole:.4g} Hz (those with modes there: {held}) and none "
            f"above, where the basis holds {beyond} shapes for loads on the journals; the rest acts statically"
        )
    return lines


def _of_the_mesh(body):
    """Line on the estimated error of the frequencies from the mesh."""
    known = np.flatnonzero(np.isfinite(body.mesh_error))
    if not len(known):
        return []
    worst = known[np.argmax(body.mesh_error[known])]
    return [
        "frequencies too high by the mesh, estimated from jumps of stress: "
        f"{100 * body.mesh_error[known[0]]:.2g} % (lowest mode), "
        f"at most {100 * body.mesh_error[worst]:.2g} % ({body.frequency_hz[worst]:.0f} Hz)"
    ]


def _numbers(values, form):
    return " ".join(format(float(v) + 0.0, form) for v in values)
