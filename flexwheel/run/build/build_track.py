"""Alignment, rails and irregularity from the [track] and [irregularity] sections."""

from dataclasses import replace
from functools import partial

import numpy as np

from flexwheel.base.errors import ScenarioError
from flexwheel.numerics.kept_arrays import kept_arrays
from flexwheel.run.build.build_bed import bed_of_mesh
from flexwheel.track.flexible_assembly import make_elements
from flexwheel.track.flexible_build import MARGIN, carries_inertia
from flexwheel.track.irregularity import (
    excitation_record,
    file_record,
    make_irregularity,
    roughness_record,
    spectral_record,
)
from flexwheel.track.layout import cant_base, make_layout
from flexwheel.track.psd import erri_b176, fra
from flexwheel.track.rail_error import BANDS, DIRECTIONS, RailError, rail_error
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.track.rail_types import make_state as make_rail_state
from flexwheel.track.roughness import PATCH_HALF_LENGTH
from flexwheel.track.segments import Arc, GradeChange, Straight, Transition
from flexwheel.track.track_parameters import flexible_track

WINDOWS_KEPT = 2
_WINDOWS = {}  # text of all that a window of flexible track is made of -> its RailModel, which never changes
TOLD_DB, MOST_DB = 0.48, 3.0
"""Error of a third octave of the rails' receptance from which a line says so, a little below the 0.5 that spectra are
held to, and beyond which a run is refused: twice the power."""
BEST_LENGTH = 3000.0  # [m/s] element over step, at most, from which waves are followed
ERRORS_KEPT = 8
_ERRORS = {}  # text of rail, step and elements -> RailError


def build_layout(track, gauge_mm=1435.0):
    """Alignment of the [track] section; gauge_mm: contact.gauge_mm, from which the base of the cant follows."""
    segments = []
    for segment in track.layout:
        if segment.kind == "straight":
            segments.append(Straight(segment.length_m))
        elif segment.kind == "transition":
            segments.append(Transition(segment.length_m))
        else:
            turn = "left" if segment.radius_m > 0.0 else "right"
            segments.append(Arc(segment.length_m, abs(segment.radius_m), turn, segment.cant_mm or 0.0))
    segments = with_joints(segments, track.joint_length_m)
    grades = [GradeChange(p.position_m, p.gradient_permille, max(p.rounding_m, 1.0)) for p in track.vertical]
    return make_layout(segments, grades, cant_base(1e-3 * gauge_mm))


def with_joints(segments, length):
    """Segments with a transition of `length` [m], half of it in each neighbour, where the curvature would jump.

    A body that is described relative to the track frame would be turned with the track at a jump of curvature,
    as if it had no inertia.
    """
    value = [(s.curvature, s.cant) if isinstance(s, Arc) else (0.0, 0.0) for s in segments]
    out, taken = [], [0.0] * len(segments)
    jumps = []
    for i in range(len(segments) - 1):
        plain = not isinstance(segments[i], Transition) and not isinstance(segments[i + 1], Transition)
        if plain and value[i][0] != value[i + 1][0] and value[i][1] == value[i + 1][1]:
            jumps.append(i)
            taken[i] += 0.5 * length
            taken[i + 1] += 0.5 * length
    for i, segment in enumerate(segments):
        if taken[i] >= segment.length_m:
            raise ScenarioError(
                f"track.layout.{i}: {segment.length_m:g} m is too short for curvature joints of {length:g} m; lower "
                "track.joint_length_m or add a transition"
            )
        out.append(replace(segment, length_m=segment.length_m - taken[i]) if taken[i] else segment)
        if i in jumps:
            out.append(Transition(length))
    return out


def build_rail(track, coefficients, reach, end):
    """Rail model of the [track] section; reach: distance of the outer wheelsets [m], end: end of the track [m].

    The last windows of flexible track stay at hand for runs on the same one: half of what a run takes to begin.
    """
    make = partial(RAIL_MODELS[track.model].make, track)
    if track.model != "flexible" or track.extent != "window" or track.foundation.mesh is not None:
        return make(partial(build_supports, track), coefficients, reach, end)
    supports = build_supports(track)
    own = track.model_dump(exclude={"layout", "vertical", "joint_length_m"})
    key = repr((own, supports, coefficients, reach))
    if key not in _WINDOWS:
        while len(_WINDOWS) >= WINDOWS_KEPT:
            del _WINDOWS[next(iter(_WINDOWS))]
        _WINDOWS[key] = make(lambda: supports, coefficients, reach, end)
    return _WINDOWS[key]


def element_warnings(track, coefficients, rail):
    """Lines on rail elements that do not suit the step or the integrator; rail: the RailModel made of them.

    Raises ScenarioError as `error_lines`.
    """
    if track.model != "flexible":
        return []
    carried, out = carries_inertia(rail), []
    if not carried:
        out.append(
            f"{_elements_and_step(track, coefficients)}: rail elements are too long for the step: their local "
            "deflection under a wheel has no inertia, so forces contain false lines at multiples of speed over "
            "element length; raise track.elements_per_bay"
        )
    if track.rail_mass == "matched" and coefficients.depth > 1:
        out.append(
            "track.rail_mass = 'matched': the mass corrects the error of the elements only, because the integrator "
            "uses past steps; the error of the step in the waves, of second order, remains"
        )
    return out + error_lines(track, coefficients, carried)


def error_lines(track, coefficients, carried=True):
    """The line on the error of the rails' receptance where a third octave of a direction passes TOLD_DB.

    Raises ScenarioError where one passes MOST_DB, unless the scenario asks for another mass than the matched one or
    for a scheme with past steps: those are the choices of papers that are computed again, and told.
    """
    found = rail_error_of(track, coefficients, carried)
    worst = np.abs(found.third).max(axis=1)  # (4, B)
    bad = [d for d in np.argsort(-worst.max(axis=1)) if worst[d].max() > TOLD_DB]
    if not bad:
        return []
    names, narrow = list(DIRECTIONS), np.abs(found.narrow).max(axis=1)
    said = ", ".join(
        f"{names[d]} {worst[d].max():.1f} dB at {BANDS[worst[d].argmax()]:.0f} Hz (narrow {narrow[d].max():.1f} dB at "
        f"{found.frequency[narrow[d].argmax()]:.0f} Hz)"
        for d in bad
    )
    line = f"{_elements_and_step(track, coefficients)}: error of the rail receptance in third octaves: {said}"
    own_choice = track.rail_mass != "matched" or coefficients.depth > 1
    if own_choice:
        chosen = f"track.rail_mass = {track.rail_mass!r}" if track.rail_mass != "matched" else "the integrator"
        return [f"{line}; accepted because {chosen} is asked for"]
    length = own_supports(track).bay
    wanted = int(np.ceil(length / (BEST_LENGTH * coefficients.dt) - 1e-9))
    cure = f"track.elements_per_bay = {max(wanted, track.elements_per_bay + 1)}"
    if coefficients.dt > 1e-4 or max(wanted, track.elements_per_bay + 1) > 8:
        cure = f"run.step_s = {min(1e-4, 0.5 * coefficients.dt):g} and {cure if wanted <= 8 else 'elements for it'}"
    if worst.max() > MOST_DB:
        raise ScenarioError(f"{line}, above the limit of {MOST_DB:g} dB; set {cure}")
    return [f"{line}, above the limit of {TOLD_DB:g} dB; better with {cure}"]


def rail_error_of(track, coefficients, carried=True):
    """RailError of the [track] section's rails, on rigid ground, as a step makes them; the last ones stay at hand.

    carried : bool   of track.rail_error.rail_error
    """
    own, per_bay = own_supports(track), track.elements_per_bay
    scheme = coefficients.dt, coefficients.beta, coefficients.gamma, coefficients.depth
    key = repr((own, per_bay, track.rail_mass, scheme, carried))
    if key not in _ERRORS:
        while len(_ERRORS) >= ERRORS_KEPT:
            del _ERRORS[next(iter(_ERRORS))]

        def make():
            parts = make_elements(own.rail, own.bay, per_bay, track.rail_mass, coefficients)
            return rail_error(own, parts, per_bay, coefficients, carried)._asdict()

        _ERRORS[key] = RailError(**kept_arrays("track", key, [__file__], make))
    return _ERRORS[key]


def _elements_and_step(track, coefficients):
    """The two keys, as a line begins."""
    return f"track.elements_per_bay = {track.elements_per_bay} at a step of {coefficients.dt:g} s"


def bed_notes(track):
    """Lines on the elastic bed of the [track] section; none where there is none."""
    if track.model != "flexible" or track.foundation.mesh is None:
        return []
    return bed_of_mesh(track.foundation, own_supports(track))[1]


def build_supports(track):
    """Flexible track of the support file with the scenario's own values put in."""
    base = own_supports(track)
    if track.foundation.mesh is not None:
        base = replace(base, bed=bed_of_mesh(track.foundation, base)[0])
    return base


def own_supports(track):
    """The same on rigid ground."""
    base = flexible_track(track.support, track.rail)
    if track.bay_m is not None:
        base = replace(base, bay=track.bay_m)
    fastener = {name: _spring(getattr(base.fastener, name), keys) for name, keys in track.fastener}
    base = replace(base, fastener=replace(base.fastener, **fastener))
    if base.sleeper is None:
        given = [f"track.{name}" for name in ("sleeper", "foundation") if getattr(track, name).model_fields_set]
        if given:
            raise ScenarioError(
                f"{given[0]} is not read with track.support = {track.support!r}, which has none; remove it"
            )
    else:
        own = {"mass": track.sleeper.mass_kg, "roll_inertia": track.sleeper.roll_inertia_kg_m2}
        base = replace(base, sleeper=replace(base.sleeper, **{k: v for k, v in own.items() if v is not None}))
        names = ("vertical", "lateral", "roll")
        springs = {name: _spring(getattr(base.foundation, name), getattr(track.foundation, name)) for name in names}
        if track.foundation.lift_off and springs["vertical"].law is None:
            k = springs["vertical"].stiffness
            law = ((-0.05, 0.0), (0.0, 0.0), (0.05, 0.05 * k))
            springs["vertical"] = replace(springs["vertical"], law=law)
        base = replace(base, foundation=replace(base.foundation, **springs))
    return base


def _spring(spring, keys):
    found = {}
    for name, value in keys:
        if value is None:
            continue
        if name.startswith("stiffness"):
            found["stiffness"] = value
        elif name.startswith("damping"):
            found["damping"] = value
        else:
            found["law"] = tuple((1e-3 * u, 1e3 * f) for u, f in value)
    return replace(spring, **found) if found else spring


def build_rail_state(model, assembly, start, reach):
    """Rail at rest under the vehicle's starting place."""
    axles = len(assembly.wheelset_specs)
    front = start + max(w.position for w in assembly.wheelset_specs)
    return make_rail_state(model.rail, axles, model.coefficients.depth, front, start - reach - MARGIN)


def build_irregularity(section, length, start):
    """Irregularity table of the [irregularity] section over `length` [m], growing from `start` on."""
    long, rough = None, None
    if section.file is not None:
        long = file_record(section.file)
        long = long._replace(
            values=long.values * (np.array([1, 1, 1, 1]) if section.lateral else np.array([0, 1, 0, 1]))
        )
    elif section.spectrum != "none":
        long = spectral_record(
            erri_b176(section.level) if section.spectrum == "erri_b176" else fra(section.track_class),
            length + 2.0 * section.ramp_m,
            section.seed,
            section.longest_wave_m,
            section.shortest_wave_m,
            lateral=section.lateral,
        )
    if section.roughness != "none":
        rough = roughness_record(
            length + 2.0 * section.ramp_m,
            section.seed,
            section.roughness,
            section.roughness_shift_db,
            section.roughness_longest_wave_m,
            section.roughness_shortest_wave_m,
            PATCH_HALF_LENGTH if section.contact_filter else 0.0,
        )
    local = excitation_record(section, length + 2.0 * section.ramp_m)
    return make_irregularity(long, rough, start=max(start, 0.0), ramp=section.ramp_m, local=local)
