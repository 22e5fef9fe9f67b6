"""Where a run of the simplified model leaves what it assumes: lines for the user.

It assumes contacts on the tread, or a tread and a flange contact that are told apart by the play, and small yaw. On the
flange root the one contact of real profiles climbs instead: sums of forces are still right, their split is not. Real
profiles also lift a wheelset that shifts; straight treads (`tread = "cone"`, `"conicity"`) do not. A
wheelset whose yaw no suspension holds is steered by that contact alone, and there its motion is not the real one.
"""

import numpy as np

ROOT_ANGLE = np.radians(10.0)
"""Contact angle from which a contact stands on the flange root; S1002 on its tread stays below 5 degrees."""
LARGEST_YAW = 0.02
"""[rad] to which the closed form of the knife edge is checked (verification, "knife-edge contact")."""
YAW, VERTICAL = 2, 3
"""Places of the yaw and of the vertical displacement among the coordinates of a unit."""
LIFT_SHARE, LEAST_LIFT = 0.1, 1e-5
"""Rise of the axles that the model leaves out, over its vertical displacement (rms), and in metres: below either it
does not matter. A few per cent is how well the model follows the full one elsewhere (docs/reduced.md)."""


def root_share(model, records):
    """Share of the samples with a contact on the flange root, by wheelset (W,) [-]."""
    table, radius = model.kernels.tread, model.kernels.radius
    first = len(model.vehicle.bodies)
    y, roll = records.coordinates[:, first:, 0], records.coordinates[:, first:, 1]
    on_root = np.zeros(y.shape, bool)
    for side, toward in ((0, 1.0), (1, -1.0)):
        shift = toward * (y + radius * roll - records.irregularity[:, :, 2 * side])
        angle = np.arctan(np.interp(shift, table[:, 0], table[:, 2]))
        on_root |= (angle > ROOT_ANGLE) | (records.wheel[:, :, side, 3] > 0.0)
    return on_root.mean(axis=0)


def free_wheelsets(vehicle):
    """Whether no suspension holds the yaw of a wheelset, (W,) bool."""
    first = len(vehicle.bodies)
    diagonal = np.diag(vehicle.stiffness).reshape(-1, 5)
    return diagonal[first:, YAW] <= 1e-9 * max(1.0, float(diagonal.max()))


def lift_left_out(model, records):
    """Rise (T, W) [m] of the wheelsets on their profiles as they shift, to flange contact and no further, where the
    flange holds them in both models; straight treads do not have it."""
    first, table = len(model.vehicle.bodies), model.zones.lift
    shift = records.coordinates[:, first:, 0] - records.irregularity[:, :, 0::2].mean(axis=2)
    play = model.zones.flange_clearance
    return np.interp(np.clip(shift, -play, play), table[:, 0], table[:, 1])


def _vertical(model, records):
    """A line where what the wheelsets rise on their profiles is not small beside the vertical motion of the run."""
    lift = lift_left_out(model, records)
    rise = np.sqrt(np.mean(lift**2))
    own = np.sqrt(np.mean(records.coordinates[:, :, VERTICAL] ** 2))
    if rise < max(LEAST_LIFT, LIFT_SHARE * own):
        return []
    return [
        f"vertical displacements ({1e3 * own:.2g} mm rms) are not to be relied on: wheelsets that shift rise on their "
        f"profiles by {1e3 * rise:.2g} mm rms, up to {1e3 * np.abs(lift).max():.2g} mm, which straight treads leave "
        'out; take reduced.tread = "profiles", or those of the full model'
    ]


def validity_warnings(model, records) -> list[str]:
    """What of a run is outside the model's assumptions, one line each.

    Parameters
    ----------
    model : ReducedModel
    records : ReducedRecords
    """
    if not len(records.time):
        return []
    lines, vehicle = [], model.vehicle
    share, free = root_share(model, records), free_wheelsets(vehicle)
    names = [w.name for w in vehicle.wheelsets]
    for k in np.flatnonzero(share > 0.0):
        held = "take its wheel forces Q and Y, not their parts"
        steered = "no suspension holds its yaw, this contact steers it: its yaw and forces are not to be relied on"
        lines.append(
            f"wheelset {names[k]}: contact on the flange root for {100.0 * share[k]:.2g} % of the time, which the "
            f"simplified model splits into tread and flange; {steered if free[k] else held}"
        )
    first = len(vehicle.bodies)
    yaw = np.abs(records.coordinates[:, first:, YAW]).max(axis=0)
    for k in np.flatnonzero(yaw > LARGEST_YAW):
        lines.append(
            f"wheelset {names[k]}: yaw of {1e3 * yaw[k]:.3g} mrad, the simplified contact is checked to "
            f"{1e3 * LARGEST_YAW:g} mrad"
        )
    return lines + _vertical(model, records)
