"""Test on twisted track: wheel loads at rest while the rails under the wheelsets are raised crosswise, there and back.

Each wheelset stands on a cross level that grows along the track with the twist: that of the body over the distance of
the frames (of the outer wheelsets where there are none), that of a bogie over its own wheelbase, both in one sense. The
twist goes from nothing to its full size, to the opposite and back, in steps from rest to rest, so that dry friction
gives its hysteresis. Wheelsets and rails are rigid, the contact has no friction.
"""

from dataclasses import dataclass

import numpy as np

from flexwheel.assess.linear_analysis import straight_scenario
from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.base.errors import ConvergenceError, ScenarioError
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.vehicle.step.equilibrium import static_equilibrium
from flexwheel.vehicle.suspension import suspension_accept

BASE = 1.5  # [m] over which a cross level is measured
STEPS = 4  # from level to the full twist


@dataclass(frozen=True)
class Twist:
    """Wheel loads on twisted track."""

    wheels: tuple[str, ...]
    body_twist: float  # [-] rise of the cross level over length
    body_length: float  # [m]
    bogie_twist: float  # [-]; 0 without bogies
    bogie_length: float  # [m] longest; 0 without bogies
    share: np.ndarray  # (n,) of the full twist
    loads: np.ndarray  # (n, wheel) Q [N]
    level: np.ndarray  # (wheel,) Q on level track at the start [N]

    @property
    def unloading(self):
        """Largest (Q0 - Q)/Q0 (wheel,) of the cycle, Q0 the wheelset's mean load on level track."""
        mean = np.repeat(0.5 * (self.level[0::2] + self.level[1::2]), 2)
        return np.max(1.0 - self.loads / mean, axis=0)


def twist_test(scenario, body_permille=None, bogie_permille=None, report=lambda line: None):
    """Twist of a vehicle scenario.

    Parameters
    ----------
    scenario : VehicleScenario
    body_permille, bogie_permille : float or None      over frames and over a bogie; those of the test of EN 14363 were
                                                       not read, so that each that the vehicle has must be given

    Raises
    ------
    ScenarioError       a vehicle of one wheelset, a twist that is not given
    ConvergenceError    no equilibrium, as when a wheel has lost its load
    """
    s = _standing(scenario, report)
    wheelsets, frames = s.vehicle.wheelsets, {}
    place = {w.name: w.position for w in s.assembly.wheelset_specs}
    for name in place:
        frames.setdefault(wheelsets[name].get("frame") or name, []).append(name)
    middle = {frame: np.mean([place[name] for name in names]) for frame, names in frames.items()}
    length = max(middle.values()) - min(middle.values())
    own = max(max(place[n] for n in names) - min(place[n] for n in names) for names in frames.values())
    if length <= 0.0 and own <= 0.0:
        raise ScenarioError(f"twist: a vehicle must have two wheelsets or more, {s.vehicle.name} has one")
    body, bogie = (
        _given(size, permille, option)
        for size, permille, option in ((length, body_permille, "body"), (own, bogie_permille, "bogie"))
    )
    centre = 0.5 * (max(middle.values()) + min(middle.values()))
    of = {name: frame for frame, names in frames.items() for name in names}
    cross = np.array([
        body * (middle[of[name]] - centre) + bogie * (place[name] - middle[of[name]]) for name in place
    ])  # fmt: skip
    share = np.concatenate([
        np.linspace(0, 1, STEPS + 1), np.linspace(1, -1, 2 * STEPS + 1)[1:], np.linspace(-1, 1, 2 * STEPS + 1)[1:]
    ])  # fmt: skip
    loads, before = [], 0.0
    rolls = s.assembly.units.offset[s.assembly.wheelsets.unit] + 4
    for k, part in enumerate(share):
        report(f"twist {100.0 * part:.0f} %, {k + 1} of {len(share)}")
        turn = (part - before) * cross / BASE  # to start from: wheelsets go with their rails
        s.state.history[0, 0, rolls] += turn
        s.state.history[0, 0, rolls - 3] -= turn * s.assembly.wheelsets.radius
        try:
            loads.append(_loads(s, part * cross))
        except ConvergenceError as error:
            most = 1e3 * np.abs(part * cross).max()
            raise ConvergenceError(f"twist: at {100.0 * part:.0f} %, {most:.0f} mm of cross level: {error}") from None
        before = part
    names = tuple(f"{name} {side}" for name in place for side in ("left", "right"))
    return Twist(names, body, length, bogie, own, share, np.array(loads), loads[0])


def _given(length, permille, part):
    """Twist [-] over a length [m] that the vehicle has, 0 where it has none."""
    if length > 0.0 and permille is None:
        raise ScenarioError(
            f"--{part}-twist-permille must be given: twist of the test over {length:g} m, from your edition of EN 14363"
        )
    return 1e-3 * permille if length > 0.0 else 0.0


def _standing(scenario, report):
    """Simulation of the scenario's vehicle at rest, rigid wheelsets on rigid straight rails."""
    rigid = {name: part.model_copy(update={"formulation": "rigid"}) for name, part in scenario.wheelset.items()}
    straight = straight_scenario(scenario, scenario.run.speed)
    track = straight.track.model_copy(update={"model": "rigid"})
    whole = {"wheelset": rigid, "track": track, **dict.fromkeys(COUPLED_SYSTEMS)}
    return build_simulation(straight.model_copy(update=whole), {}, report)


def _loads(s, cross):
    """Q (wheel,) [N] at rest on cross levels (W,) [m] over BASE, left rail up; sliders stay where they come to rest."""
    offset = np.zeros((len(cross), 2, 4))
    beside = np.reshape([pair.offset for pair in s.model.contact], (-1, 2)) * [1.0, -1.0]
    across = s.model.wheelsets.lateral - beside  # of the crowns, which are not BASE apart
    offset[:, :, 2] = cross[:, None] * across / BASE
    offset[:, :, 3] = cross[:, None] / BASE
    wrench = static_equilibrium(
        s.model, s.assembly, s.state, s.work, s.contact_work, np.zeros((4, 4)), rail_offset=offset
    )
    suspension_accept(s.work.spring_state)
    return wrench[:, :, 2].ravel().copy()


def twist_lines(twist, limit=np.nan):
    """What is printed; limit: largest (Q0 - Q)/Q0, nan for none."""
    lines = [f"twist of the body {1e3 * twist.body_twist:.3g} permille over {twist.body_length:g} m"]
    if twist.bogie_length > 0.0:
        lines.append(f"twist of the bogies {1e3 * twist.bogie_twist:.3g} permille over {twist.bogie_length:g} m")
    lines += [f"{'wheel':28s}{'level':>9s}{'least':>9s}{'most':>9s}{'(Q0-Q)/Q0':>12s}   [kN]"]
    for k, wheel in enumerate(twist.wheels):
        q, share = 1e-3 * twist.loads[:, k], twist.unloading[k]
        verdict = "" if np.isnan(limit) else "within" if share <= limit else "EXCEEDED"
        lines.append(f"{wheel:28s}{q[0]:9.2f}{q.min():9.2f}{q.max():9.2f}{share:12.3f}   {verdict}".rstrip())
    said = "no limit given (--unloading-limit)" if np.isnan(limit) else f"limit {limit:g}, as given"
    return [*lines, f"{said}; {len(twist.share)} states from rest to rest, there and back"]


def twist_values(twist, limit=np.nan):
    """Plain values for JSON, SI units; limit as of `twist_lines`."""
    none = bool(np.isnan(limit))
    return {
        "body_twist": twist.body_twist, "body_length_m": twist.body_length, "bogie_twist": twist.bogie_twist,
        "bogie_length_m": twist.bogie_length, "limit": None if none else limit, "share": twist.share.tolist(),
        "wheels": {
            name: {"q": twist.loads[:, k].tolist(), "unloading": float(twist.unloading[k]),
                   "within": None if none else bool(twist.unloading[k] <= limit)}
            for k, name in enumerate(twist.wheels)
        },
    }  # fmt: skip
