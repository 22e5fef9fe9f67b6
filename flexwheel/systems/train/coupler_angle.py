"""Direction of the coupler forces on a vehicle in a curve, for a vehicle modelled in detail.

A coupler lies along the chord between the pivots of two vehicles, so nearly along the track where they meet; that is
turned against the vehicle's own tangent by the curvature integrated over half its length. Draft pulls the vehicle
inwards at both ends, buff presses it outwards: in a constant curve the two add up to F L/R with L the length over
couplers. A pivot moved sideways from the track's centre line (a vehicle shifted or yawed) turns the coupler by
its offset over the coupler's length between pivots.
"""

import numpy as np

from flexwheel.numerics.kernels import kernel


@kernel
def coupler_angle(end, turn, offset, neighbour_offset, coupler_length):
    """Angle [rad] of the coupler line against the track tangent at the vehicle, left positive, seen along running.

    Parameters
    ----------
    end : float                  +1 front, -1 rear
    turn : float [rad]           angle of the track between the vehicle's centre and the middle of the coupler, left
                                 positive, taken in running direction (for the rear end from the coupler to the centre)
    offset, neighbour_offset : floats [m]   pivot of this and of the next vehicle, left of the centre line
    coupler_length : float [m]   between the pivots
    """
    return end * (turn + (neighbour_offset - offset) / coupler_length)


@kernel
def coupler_components(force, end, angle):
    """Coupler force on the vehicle in the track frame at the vehicle: (forward, to the left) [N].

    Parameters
    ----------
    force : float [N]    coupling force, draft positive
    end : float          +1 front, -1 rear
    angle : float [rad]  of `coupler_angle`
    """
    return end * force * np.cos(angle), end * force * np.sin(angle)
