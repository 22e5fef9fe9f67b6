"""Every value of a run that no published source stands behind: of vehicle, train, track, irregularity and contact, and
what the scenario itself names. The whole list goes with the results, a line a group is printed."""

from pathlib import Path

from flexwheel.base.coupled_system import COUPLED_SYSTEMS
from flexwheel.contact.friction.coefficient import FRICTION
from flexwheel.run.keys.contact_keys import LAWS, chosen_law
from flexwheel.track.excitation import excitations_of
from flexwheel.track.rail_models import RAIL_MODELS
from flexwheel.track.roughness import PATCH_HALF_LENGTH
from flexwheel.track.track_labels import rail_labels, spectrum_labels, support_labels

DEFAULTS = {
    "contact": {
        "wheel_profile": "new profile; the scenario names none",
        "rail_profile": "new profile; the scenario names none",
        FRICTION.name: "dry rail; the scenario names none",
        "normal_damping_ns_m": "keeps a closed contact quiet; no source",
    },
    "irregularity": {"spectrum": "the scenario names none", "roughness": "the scenario names none"},
    "track": {"support": "the scenario names none", "rail": "the scenario names none"},
}
"""Keys whose default stands in for something a user would know -> reason."""
SHOWN = 3  # keys of a group that its printed line names


def assumed_values(scenario, vehicle, coupled=None):
    """Lines `group: key = value: reason` of every assumed value that acts in a run."""
    name = Path(scenario.vehicle.file).stem
    lines = [f"vehicle {name}: {label.key} = {label.value}: {label.source}" for label in vehicle.assumed]
    if coupled:
        assumed = (label for label in coupled.labels if label.confidence == "assumed")
        lines += [f"{coupled.system.name}: {label.key}: {label.source}" for label in assumed]
    lines += _track(scenario.track) + _irregularity(scenario.irregularity) + _contact(scenario.contact)
    return lines + [f"scenario: {key}: {reason}" for key, reason in scenario.assumed.items()]


def assumed_summary(lines):
    """Lines for the screen, one a group: how many values are assumed and the first of them."""
    groups = {}
    for line in lines:
        group, _, rest = line.partition(": ")
        groups.setdefault(group, []).append(rest)
    out = [f"{len(lines)} assumed values without a published source (all of them: attribute `assumed` of the results)"]
    for group, rest in groups.items():
        keys = [text.partition(" = ")[0] if " = " in text else text.partition(": ")[0] for text in rest]
        more = f" and {len(keys) - SHOWN} more" if len(keys) > SHOWN else ""
        out.append(f"  {group}: {len(keys)}: {', '.join(keys[:SHOWN])}{more}")
    return out


def most_important(lines, ranked, own):
    """Lines for the screen: the three assumed values that change the spectra most, and where the others are.

    Parameters
    ----------
    lines : list of str     of `assumed_values`
    ranked, own             of `read_ranking`: values, the largest change first; whether they are of this scenario
    """
    by_key = {_key(line): line for line in lines}
    found = [(by_key[_nameless(v["key"])], v) for v in ranked if _nameless(v["key"]) in by_key][:SHOWN]
    basis = "this scenario" if own else "the AS4 example (for this one: flexwheel sensitivity SCENARIO --out DIR)"
    out = [f"{len(lines)} assumed values without a published source (all: attribute `assumed` of the results)"]
    if not ranked:
        out[0] += "; the most important of them: flexwheel sensitivity SCENARIO --out DIR"
    if found:
        out[0] += f"; most important, by the sensitivity of {basis}:"
    for line, v in found:
        change = f"{v['change']:+.1f} dB {v['quantity']} at {v['band_hz']:.0f} Hz"
        out.append(f"  {line}; times {v['factor']:g}: {change}")
    return out


def _key(line):
    """What a line of `assumed_values` is about, without the vehicle's name."""
    if line.partition(": ")[0] in ("scenario", *COUPLED_SYSTEMS):
        return ": ".join(line.split(": ")[:2])
    return _nameless(line.partition(" = ")[0])


def _nameless(key):
    """A key without the name of the vehicle."""
    group, _, rest = key.partition(": ")
    return f"{group.split()[0]}: {rest}"


def _track(track):
    reads = RAIL_MODELS[track.model].reads
    rigid = {key.partition(".")[2] for model in RAIL_MODELS.values() for key in model.reads} - {""}
    lines = [
        f"track: rigid_rail.{key} = {value:g}: default without a source"
        for key, value in (track.rigid_rail if "rigid_rail" in reads else ())
        if key not in track.rigid_rail.model_fields_set and (key not in rigid or f"rigid_rail.{key}" in reads)
    ]
    if "support" in reads:
        labels = [*rail_labels(track.rail), *(v for v in support_labels(track.support) if not _given(track, v.key))]
        lines += _defaults("track", track) + [f"track: {label.key} = {label.value}: {label.source}" for label in labels]
    return lines


def _given(track, key):
    """Whether the scenario sets the value of a support file at a key such as `support ballasted: sleeper.mass`."""
    *where, name = key.partition(": ")[2].split(".")
    section = track
    for part in where:
        section = getattr(section, part)
    return any(field.startswith(name) and value is not None for field, value in section)


def irregularity_line(section):
    """Line for the screen: what the irregularity of a run is made of."""
    waves = f"{section.longest_wave_m:g} to {section.shortest_wave_m:g} m"
    long = "" if section.spectrum == "none" else f"spectrum {section.spectrum}, {waves}"
    if section.file is not None:
        long = f"file {section.file}"
    rough = ""
    if section.roughness != "none":
        waves = f"{section.roughness_longest_wave_m:g} to {section.roughness_shortest_wave_m:g} m"
        rough = f"roughness {section.roughness}, {waves}, added to both rails"
    elif section.file is not None:
        rough = "as measured, no roughness added (irregularity.roughness names one)"
    local = (excitation.meaning for excitation, _ in excitations_of(section))
    return f"irregularity: {'; '.join(part for part in (long, rough, *local) if part) or 'none'}"


def _irregularity(section):
    lines = [] if section.file is not None else _defaults("irregularity", section)
    if section.file is None and section.spectrum != "none":
        lines += [f"irregularity: {v.key} = {v.value}: {v.source}" for v in spectrum_labels(section.spectrum)]
    if section.roughness != "none" and section.contact_filter:
        half = 1e3 * PATCH_HALF_LENGTH
        lines.append(f"irregularity: contact_filter = {half:g} mm: usual half length of a patch, not that of the run")
    return lines


def _contact(section):
    unread = {FRICTION.name} if chosen_law(section, "friction_law")[0].rows else set()
    return _defaults("contact", section, unread) + [
        f"contact: {name}.{key.name} = {key.default:g}: {key.source}"
        for law, name, own in (chosen_law(section, key) for key in LAWS)
        for key in law.keys
        if key.source and key.name not in own.model_fields_set
    ]


def _defaults(name, section, unread=frozenset()):
    silent = [key for key in DEFAULTS[name] if key not in section.model_fields_set | unread]
    return [f"{name}: {key} = {getattr(section, key)}: {DEFAULTS[name][key]}" for key in silent]
