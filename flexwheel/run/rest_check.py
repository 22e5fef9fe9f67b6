"""Does a wheel find its rest on its rail, or is there noise in a profile? What a run would refuse is refused before it.

Of two profiles without noise the height of one over the other has one to three maxima where they touch, and nothing is
compiled. Where there are more, a wheel is let down by the run's own normal contact, as a run does it
(`equilibrium.sink_into_contact`), with some CPU seconds to compile, once.
"""

import numpy as np

from flexwheel.base.errors import ConvergenceError
from flexwheel.base.gravity import GRAVITY
from flexwheel.base.variables import PATCH_MAX
from flexwheel.contact.contact_tables import make_contact_scratch
from flexwheel.contact.wheel_rail import elastic_load
from flexwheel.numerics.kernels import handle
from flexwheel.run.build.build_contact import build_contacts
from flexwheel.vehicle.step.equilibrium import SINKING
from flexwheel.vehicle.step.rigid_linear import MODULUS, RAIL_HEAD, heights_over

SMOOTH = 3  # maxima of one profile over another that touch, without noise
STEPS = 200  # by which a wheel is let down at most


def require_rest(parts, contact):
    """Refuse profiles that touch at more places than a contact has patches, before they bear the load.

    Parameters
    ----------
    parts : VehicleOnTrack
    contact : ContactSection    of the scenario

    Raises
    ------
    ConvergenceError            naming the noisier profile, its noise and the key of its smoothing
    """
    assembly = parts.assembly
    mass = float(np.sum(assembly.units.mass) + np.sum(assembly.wheelsets.box_mass))
    load = mass * GRAVITY / len(parts.of_wheels)
    for own in {id(own): own for own in parts.of_wheels}.values():
        if _maxima(own, load) > SMOOTH and not _stands(own, contact, load):
            files = [q for q in (own.wheel.quality, own.rail.quality) if q is not None]
            worse = max(files, key=lambda q: np.nan_to_num(q.curvature), default=None)
            raise ConvergenceError(
                f"no static equilibrium: wheel profile {own.wheel.name} and rail profile {own.rail.name} touch at more "
                f"places than a contact has patches ({PATCH_MAX}) before they bear {1e-3 * load:.0f} kN"
                + (f": noise of {1e6 * worse.noise:.2g} um in {worse.source}; smooth it ({worse.key})" if worse else "")
            )


def _maxima(own, load):
    """Maxima of the wheel's height over the rail's no further below the highest than twice Hertz's approach."""
    mean = np.sqrt(own.placement.radius * RAIL_HEAD)
    depth = 2.0 * (0.75 * load / MODULUS) ** (2.0 / 3.0) * mean ** (-1.0 / 3.0)
    total = heights_over(own, 0.0)[2]
    total = total[np.isfinite(total)]
    inner = total[1:-1]
    top = inner[(inner > total[:-2]) & (inner >= total[2:])]
    return int(np.count_nonzero(top > np.max(total) - depth))


def _stands(own, contact, load):
    """Whether a wheel, let down as a run does it and then to its load [N], never touches at more places than fit."""
    tables = build_contacts(contact, (own,))[0]._replace(detection=None)
    compiled, pose, radius = (handle(tables), handle(make_contact_scratch(tables))), np.zeros(6), own.placement.radius

    def borne(height):
        pose[2] = height
        return elastic_load(compiled[0], radius, pose, compiled[1])

    step = int(np.floor(-np.nanmax(heights_over(own, 0.0)[2]) / SINKING))
    for low in -SINKING * np.arange(step + 1, step + STEPS):
        force, fits = borne(low)
        if not fits:
            return False
        if force > load:
            break
    high = low + SINKING
    while high - low > 1e-9:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if borne(middle)[0] > load else (low, middle)
    return borne(low)[1]
