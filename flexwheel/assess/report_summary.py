"""First page of a report: what was asked, the verdicts with their utilisation, the picture, what was assumed."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from flexwheel.assess.collective import judge_collective
from flexwheel.assess.figures.report_blocks import Table, Text
from flexwheel.assess.figures.style import speed_words
from flexwheel.assess.node_fatigue import fatigue_of_nodes, limits_at, node_histories, press_fit_words
from flexwheel.assess.report_assumed import assumed_of
from flexwheel.assess.report_figures import history_plots
from flexwheel.assess.surface_stress import StressOfRun
from flexwheel.base.errors import FlexwheelError
from flexwheel.base.input_files import parse_toml
from flexwheel.base.kind import VEHICLE
from flexwheel.results.evaluate.stress_marks import node_marks

NAMED = 6  # assumed values that the first page names; the appendix has all
STRENGTH = 4  # verdicts on strength on the first page, the highest; `flexwheel fatigue` has all nodes
NOT_JUDGED = 3  # control nodes without a limit that it names


class Verdict(NamedTuple):
    """A quantity where it comes closest to its limit."""

    what: str
    where: str
    value: str
    limit: str
    utilisation: float  # nan where there is no limit
    word: str  # within | EXCEEDED | open | no limit given | no verdict


def summary_blocks(run, template, left_out=()):
    """Blocks of the first page of a Reported; left_out: titles of sections that the template does not show."""
    yield from incomplete(run)
    asked = Table("What was asked", ("question", "answer"), tuple(_asked(run, template)))
    if run.kind.name != VEHICLE:
        lines = run.kind.summary(run.results)
        yield Text(lines[0] if lines else answer(()), "lead")
        yield from (asked, *map(Text, lines[1:]))
        yield from (Text(f"Warning: {line}.", "warn") for line in np.atleast_1d(run.results.attrs.get("warnings", ())))
    else:
        try:
            safety, without = run.safety, ""
        except FlexwheelError as error:
            safety, without = None, str(error).removeprefix("no running safety: ")
        strength, limits = strength_verdicts(run, template)
        of_mix, words = collective_verdicts(template)
        found = [*(verdicts(safety) if safety else ()), *of_mix, *(strength or stress_verdicts(run))]
        if safety is None:
            yield Text(f"No verdict on running safety: {without}.", "lead")
        elif not any(np.isfinite(a.limit) for a in safety.assessments):
            yield Text("No verdict after EN 14363: no section of a test zone with a limit lies in the run.", "warn")
        if safety is not None:
            yield Text(answer(found), "lead")
        yield asked
        if found:
            yield Table("Verdicts", ("quantity", "of", "value", "limit", "utilisation", "verdict"),
                        tuple((*v[:4], _percent(v.utilisation), v.word) for v in found))  # fmt: skip
        yield from (*words, *limits)
        yield from _reservations(safety)
        if safety is not None:
            yield governing_plot(run, found)
    yield from _assumed(run, left_out)


def incomplete(run):
    """What is wrong with the run as a whole, to be read before any verdict."""
    attributes = run.results.attrs
    last = float(run.results.time[-1])
    if not attributes.get("complete", attributes["status"] == "complete"):
        keys = _keys(run).get("run", {})
        if (asked := keys.get("duration_s")) is None and "end_position_m" in keys:
            asked = 3.6 * (keys["end_position_m"] - keys["start_position_m"]) / keys["speed_kmh"]
        of = f" of {asked:.4g} s" if asked is not None else " s"
        yield Text(f"INCOMPLETE RUN: {last:g}{of} were simulated ({attributes['status']}). "
                   "All that follows is of this part only.", "warn")  # fmt: skip
    steps = attributes.get("steps_not_converged", 0)
    if steps:
        yield Text(f"Steps of the run that have not converged: {steps} of {attributes['steps']}.", "warn")


def _keys(run):
    return parse_toml(str(run.results.attrs["scenario"]), "scenario of the results")


def _asked(run, template):
    """Rows of the question: of whom, of what, where, how fast, how long."""
    attributes, keys = run.results.attrs, _keys(run)
    rows = [("client", template.client), ("author", template.author), ("revision", template.revision)]
    rows.append(("vehicle", str(attributes.get("vehicle", "")) or run.kind.meaning))
    if run.kind.constant_speed and "speed_kmh" in keys.get("run", {}):
        rows.append(("speed", speed_words(keys["run"])))
    rows.append(("simulated", f"{float(run.results.time[-1]):g} s"))
    if run.kind.name == VEHICLE:
        if "body_position" in run.results and "wheel_force" in run.results:
            rows.append(("track", "; ".join(part.words() for part in run.sections[:5])))
        names = run.results.control_node.values if "control_node" in run.results.coords else ()
        asked = ["running safety after EN 14363"] + [f"stress at {len(names)} control nodes"] * bool(len(names))
        rows.append(("assessed", "; ".join(asked)))
    return [row for row in rows if row[1]]


def verdicts(safety):
    """Verdict of each quantity of a Safety that has a limit: the item and zone of its largest utilisation."""
    best = {}
    for a in safety.assessments:
        if np.isfinite(a.limit):
            share = a.estimated / a.limit
            if a.quantity.name not in best or share > best[a.quantity.name][0]:
                best[a.quantity.name] = share, a
    found = []
    for share, a in best.values():
        f, unit = (1e-3, " kN") if a.quantity.unit == "N" else (1.0, "" if a.quantity.unit == "1" else " m/s2")
        words = f"{a.item}, {zone_words(a.zone.name)}"
        value, limit = (f"{f * x:.3g}{unit}" for x in (a.estimated, a.limit))
        found.append(Verdict(a.quantity.symbol, words, value, limit, share, "within" if a.within else "EXCEEDED"))
    for c in worst_climb(safety):
        word = "within" if c.largest <= c.limit else "open" if c.ratio <= 1.0 else "EXCEEDED"
        found.append(Verdict("Y/Q, Nadal", c.wheel, f"{c.largest:.3g}", f"{c.limit:.3g}", c.largest / c.limit, word))
    for i in sorted((i for i in safety.instability if np.isfinite(i.limit)), key=lambda i: i.rms / i.limit)[-1:]:
        word = "within" if i.rms <= i.limit else "EXCEEDED"
        value, limit = f"{i.rms / 1e3:.3g} kN", f"{i.limit / 1e3:.3g} kN"
        found.append(Verdict("instability, rms of sum Y", i.wheelset, value, limit, i.rms / i.limit, word))
    return sorted(found, key=lambda v: -v.utilisation)


def worst_climb(safety):
    """The Climb (none or one) that decides: of those that climb by their duration, else of all, the largest Y/Q."""
    return sorted(safety.climbs, key=lambda c: (c.ratio > 1.0, c.largest))[-1:]


def zone_words(name):
    """A test zone by its name."""
    return name if name.isalpha() else f"zone {name}"


def strength_verdicts(run, template):
    """Verdicts of the control nodes of each flexible wheelset by the template's grade, and blocks on their limits."""
    if not template.grade:
        return [], []
    if not run.results.sizes.get("flexible"):
        return [], [Text("No verdict on strength: the run has no flexible wheelset.", "warn")]
    found, words, left, fits = [], [], [], []
    try:
        for wheelset in map(str, run.results.flexible.values):
            stress = StressOfRun(run.place, wheelset)
            if not (nodes := stress.watched_nodes()):
                left.append(f"{wheelset} has no control node off its running surface")
            known, without = limits_at(stress, nodes, template.table, template.grade, template.zones)
            nodes, limits = list(known), list(known.values())
            words += [limit.words() for limit in limits]
            left += [f"{wheelset} {why}" for why in without.values()]
            figures = fatigue_of_nodes([node_histories(stress, nodes, limits)], [1.0], nodes, limits) if nodes else ()
            found += [_stress_verdict("stress amplitude", wheelset, item, item["verdict"]) for item in figures]
            fits += [f"{wheelset} {line}." for line in press_fit_words(figures)]
    except FlexwheelError as error:
        why = str(error).replace("--zone", "zones of the template", 1)  # a report is asked by its template
        return [], [Text(f"No verdict on strength: {why}.", "warn")]
    found.sort(key=lambda v: -v.utilisation)
    lines = [*(f"Strength by {line}." for line in dict.fromkeys(words)), *fits]
    if left:
        more = f"; and {len(left) - NOT_JUDGED} more" if len(left) > NOT_JUDGED else ""
        lines.append(f"No verdict on strength: {'; '.join(left[:NOT_JUDGED])}{more}.")
    if template.collective is None:
        lines.append("One run gives no life (flexwheel collective).")
    return found[:STRENGTH], [Text(line) for line in lines]


def _stress_verdict(what, wheelset, item, word):
    """Verdict of an item of `fatigue_of_nodes`."""
    mark = f" ({item['mark']})" if item["mark"] else ""
    where = f"{wheelset} {item['node']}, {item['zone']}{mark}".strip()
    value, limit = (f"{1e-6 * item[key]:.3g} MPa" for key in ("amplitude_pa", "permissible_pa"))
    return Verdict(what, where, value, limit, item["utilisation"], "within" if word == "holds" else word)


def collective_verdicts(template):
    """Verdicts of the template's collective, the highest of stress and of damage, and blocks on what it weighs."""
    if template.collective is None:
        return [], []
    mix = template.collective
    try:
        judged = judge_collective(mix)
    except FlexwheelError as error:
        return [], [Text(f"No verdict of the collective: {error}.", "warn")]
    wheelset, stress, damage = mix.data.get("wheelset", ""), [], []
    for item in judged["nodes"]:
        stress.append(_stress_verdict("stress amplitude, collective", wheelset, item,
                                      item.get("verdict_of_stress", item["verdict"])))  # fmt: skip
        if (share := item.get("damage_of_service")) is not None:
            word = "within" if item["verdict_of_damage"] == "holds" else item["verdict_of_damage"]
            value = f"{share:.3g}, bound {item['damage_bound_of_service']:.3g}"
            what = f"damage over {mix.data['service_km']:g} km"
            damage.append(Verdict(what, stress[-1].where, value, "1", share, word))
    found = [v for kind in (stress, damage) for v in sorted(kind, key=lambda v: -v.utilisation)[:STRENGTH]]
    ways = zip(judged["shares"], mix.folders, judged["ways_m"], strict=True)
    lines = [f"Collective: {'; '.join(f'{100.0 * share:.3g} % {run.name}, {way:.0f} m' for share, run, way in ways)}."]
    lines += [f"Strength by {line}." for line in judged["limits"]]
    lines += [f"{wheelset} {line}.".strip() for line in press_fit_words(judged["nodes"])]
    warnings = [f"Incomplete run of the collective: {words}." for words in judged["unfinished"]]
    if judged["comparison"] or not damage:
        why = judged["comparison"] or "the file has no service_km"
        warnings.append(f"No verdict on damage of the collective: {why}.")
    return found, [*(Text(line, "warn") for line in warnings), *map(Text, lines)]


def stress_verdicts(run):
    """Largest von Mises stress of the control nodes; a run alone has no permissible stress (flexwheel fatigue)."""
    if "von_mises" not in run.results or not run.results.sizes.get("control_node"):
        return
    try:
        after = run.after
    except FlexwheelError as error:
        yield Verdict("von Mises stress", str(error), "-", "-", np.nan, "no verdict")
        return
    largest = after.von_mises.max([dim for dim in after.von_mises.dims if dim != "control_node"]).values
    if "load_spread" in after.coords:  # no stress of the material under a force that is spread over nodes
        largest = np.where(after.load_spread.values != 0, np.nan, largest)
    for k in np.argsort(-np.nan_to_num(largest))[: bool(np.isfinite(largest).any())]:
        mark = node_marks(after)[k]
        where = f"{after.control_node.values[k]}{f' ({mark})' if mark else ''}"
        yield Verdict("von Mises stress", where, f"{largest[k] / 1e6:.3g} MPa", "-", np.nan, "no limit given")


def answer(found):
    """One sentence on all verdicts."""
    judged = [v for v in found if np.isfinite(v.utilisation)]
    over, open_ = ([v.what for v in judged if v.word == word] for word in ("EXCEEDED", "open"))
    if not judged:
        return "No verdict: the run has no quantity with a limit."
    top = max(judged, key=lambda v: v.utilisation)
    if over:
        return f"EXCEEDED: {len(over)} of {len(judged)} limits, by {', '.join(over)}."
    if open_:
        if len(open_) == len(judged):
            return f"All limits that were assessed are open: {', '.join(open_)}."
        return f"Open: {len(open_)} of {len(judged)} limits, {', '.join(open_)}; the others are kept."
    return (
        f"Limits that were assessed: {len(judged)}, all kept; highest utilisation {100.0 * top.utilisation:.0f} % "
        f"({top.what}, {top.where})."
    )


def _percent(share):
    return "-" if not np.isfinite(share) else f"{100.0 * share:.0f} %"


def _reservations(safety):
    """What keeps the verdicts from being a proof."""
    if safety is None:
        return
    for c in worst_climb(safety):
        if c.largest > c.limit:
            yield Text(
                f"Y/Q above Nadal's limit: {c.wheel}, {c.times} times, longest {1e3 * c.longest:.1f} ms, farthest "
                f"{c.farthest:.3f} m; over what a peak of its duration permits {c.ratio:.2f}, above 1 it is EXCEEDED."
            )
    sources = list(dict.fromkeys(a.limit_source for a in safety.assessments if a.limit_source))
    if sources:
        yield Text(f"Limits are from: {'; '.join(sources)}.")
    known = {a.quantity.symbol for a in safety.assessments if np.isfinite(a.limit)}
    without = dict.fromkeys(a.quantity.symbol for a in safety.assessments if a.quantity.symbol not in known)
    if without:
        yield Text(f"No limit is known of: {'; '.join(without)}. A template gives them (limits).")
    if safety.assessed:
        counts = {}
        for part in safety.assessed:
            counts[part.zone.name] = counts.get(part.zone.name, 0) + 1
        words = ", ".join(f"{count} in {zone_words(name)}" for name, count in counts.items())
        yield Text(f"Sections of test zones: {words}; a proof takes the number that EN 14363 asks for.")


def governing_plot(run, found):
    """History of the quantity with the largest utilisation among Q, Y, Y/Q and sum Y, of its wheelset alone."""
    plots = dict(zip(("Q", "Y", "Y/Q", "sum Y"), history_plots(run), strict=True))
    chosen = next(((v, plots[v.what.partition(",")[0]]) for v in found if v.what.partition(",")[0] in plots), None)
    verdict, plot = chosen or (None, plots["Y/Q"])
    names = [str(name) for name in run.results.wheelset.values if verdict and verdict.where.startswith(str(name))]
    own = max(names, key=len, default=str(run.results.wheelset.values[0]))
    curves = tuple(c for c in plot.curves if c.name in (own, f"{own} left", f"{own} right"))
    return replace(plot, curves=curves or plot.curves)


def _assumed(run, left_out):
    """The count of assumed values with the first names; warnings; sections that the template leaves out."""
    found = assumed_of(run)
    if "assumed" not in run.results.attrs:
        yield Text(f"Results of kind {run.kind.name!r} do not list assumed values.")
    elif found:
        names = [value.words() for value in found]
        more = f", and {len(names) - NAMED} more (appendix)" if len(names) > NAMED else ""
        yield Text(f"Assumed, without a published source, are {len(names)} values: {'; '.join(names[:NAMED])}{more}.")
    else:
        yield Text("No value is marked as assumed.")
    if left_out:
        yield Text(f"The template leaves out: {', '.join(left_out)}.")
