"""Track side of a scenario: alignment, irregularity, rail model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from flexwheel.errors import ScenarioError
from flexwheel.integration import newmark, park
from flexwheel.track.flexible_build import make_full_length, make_window
from flexwheel.track.inertial import make_inertial
from flexwheel.track.irregularity import file_record, make_irregularity, roughness_record, spectral_record
from flexwheel.track.layout import make_layout
from flexwheel.track.massless import make_massless
from flexwheel.track.parameters import flexible_track, rail_section
from flexwheel.track.psd import erri_b176, fra
from flexwheel.track.segments import Arc, GradeChange, Straight, Transition

MARGIN = 40.0  # [m] of irregularity and full-length track beyond the run's end
PATCH_HALF_LENGTH = 0.006  # [m] of the contact filter


def coefficients_of(run):
    """Integrator of the section [run]."""
    if run.integrator == "park":
        return park(run.step_s)
    return newmark(run.step_s, run.newmark_beta)


def layout_of(track):
    """Alignment of the section [track]."""
    segments = [_segment(item) for item in track.layout]
    grades = [GradeChange(p.position_m, p.gradient_permille, p.rounding_m) for p in track.vertical]
    return make_layout(segments, grades)


def _segment(item):
    if item.kind == "straight":
        return Straight(item.length_m)
    if item.kind == "transition":
        return Transition(item.length_m)
    return Arc(item.length_m, abs(item.radius_m), "left" if item.radius_m > 0.0 else "right", item.cant_mm or 0.0)


def check_length(scenario, vehicle_length):
    """Refuse a run that leaves the track."""
    run = scenario.run
    length = sum(item.length_m for item in scenario.track.layout)
    end = run.start_position_m + run.speed * run.duration
    if end > length:
        raise ScenarioError(
            f"track too short: the leading wheelset ends at {end:.1f} m, the layout is {length:.1f} m long; "
            "lengthen track.layout or shorten run.duration_s"
        )
    if run.start_position_m - vehicle_length < -1e3:
        raise ScenarioError(f"run.start_position_m = {run.start_position_m:g}: more than 1 km before the track")


def irregularity_of(scenario):
    """Spline table of the section [irregularity] over the run."""
    section, run = scenario.irregularity, scenario.run
    length = run.start_position_m + run.speed * run.duration + MARGIN
    if section.file is not None:
        long = file_record(section.file)
    elif section.spectrum == "none":
        long = None
    else:
        spectra = erri_b176(section.level) if section.spectrum == "erri_b176" else fra(section.track_class)
        long = spectral_record(
            spectra, length, section.seed, section.longest_wave_m, section.shortest_wave_m, section.lateral
        )
    roughness = None
    if section.roughness != "none":
        roughness = roughness_record(
            length,
            section.seed,
            section.roughness,
            section.roughness_shift_db,
            section.roughness_longest_wave_m,
            section.roughness_shortest_wave_m,
            PATCH_HALF_LENGTH if section.contact_filter else 0.0,
        )
    return make_irregularity(long, roughness, start=run.start_position_m, ramp=section.ramp_m)


def rail_model_of(scenario, coefficients, vehicle_length):
    """Rail model of the section [track]."""
    track = scenario.track
    rigid = track.rigid_rail
    if track.model != "flexible":
        stiffness = (
            rigid.longitudinal_stiffness_n_m,
            rigid.lateral_stiffness_n_m,
            rigid.vertical_stiffness_n_m,
            rigid.roll_stiffness_nm_rad,
        )
        damping = (
            rigid.longitudinal_damping_ns_m,
            rigid.lateral_damping_ns_m,
            rigid.vertical_damping_ns_m,
            rigid.roll_damping_nms_rad,
        )
        if track.model == "massless":
            return make_massless(stiffness, damping, coefficients)
        section = rail_section(track.rail)
        return make_inertial(
            rigid.mass_kg,
            rigid.roll_inertia_kg_m2,
            stiffness,
            damping,
            section.head_above_centroid,
            section.centroid_height,
            coefficients,
        )
    parameters = track_parameters(track)
    if track.extent == "window":
        vehicle_bays = int(np.ceil(vehicle_length / parameters.bay - 1e-9))
        return make_window(
            parameters,
            coefficients,
            vehicle_length,
            2 * track.window_margin_bays + vehicle_bays + 1,
            track.elements_per_bay,
            track.rail_mass,
            track.absorbing_bays,
            track.absorbing_rate_1_s,
        )
    end = scenario.run.start_position_m + scenario.run.speed * scenario.run.duration + MARGIN
    return make_full_length(parameters, coefficients, end, track.elements_per_bay, track.rail_mass)


def track_parameters(track):
    """FlexibleTrack of the support file, with the keys of the scenario put in."""
    base = flexible_track(track.support, track.rail)
    rail = base.rail
    if track.rail_loss_factor is not None:
        rail = replace(rail, loss_factor=track.rail_loss_factor)
    fastener = base.fastener
    for name in ("vertical", "lateral", "longitudinal", "roll"):
        fastener = replace(fastener, **{name: _spring(getattr(fastener, name), getattr(track.fastener, name))})
    sleeper, foundation = base.sleeper, base.foundation
    if sleeper is not None:
        if track.sleeper.mass_kg is not None:
            sleeper = replace(sleeper, mass=track.sleeper.mass_kg)
        if track.sleeper.roll_inertia_kg_m2 is not None:
            sleeper = replace(sleeper, roll_inertia=track.sleeper.roll_inertia_kg_m2)
        for name in ("vertical", "lateral", "roll"):
            spring = _spring(getattr(foundation, name), getattr(track.foundation, name))
            foundation = replace(foundation, **{name: spring})
        if track.foundation.lift_off:
            foundation = replace(foundation, vertical=_lifting(foundation.vertical))
    return replace(
        base, rail=rail, fastener=fastener, sleeper=sleeper, foundation=foundation, bay=track.bay_m or base.bay
    )


def _spring(spring, keys):
    """Support spring with the given keys in place of its own."""
    values = keys.model_dump()
    stiffness = values.get("stiffness_n_m") or values.get("stiffness_nm_rad")
    damping = values.get("damping_ns_m")
    if damping is None:
        damping = values.get("damping_nms_rad")
    if stiffness is not None:
        spring = replace(spring, stiffness=stiffness)
    if damping is not None:
        spring = replace(spring, damping=damping)
    if values.get("law_mm_kn"):
        spring = replace(spring, law=tuple((1e-3 * x, 1e3 * f) for x, f in values["law_mm_kn"]))
    return spring


def _lifting(spring):
    """A spring that pushes as before and does not pull."""
    if spring.law is not None:
        return spring
    depth = 0.1
    return replace(spring, law=((-depth, 0.0), (0.0, 0.0), (depth, depth * spring.stiffness)))
