"""flexwheel run on a scenario of the simplified model, and the declaration of its kind."""

import json

from flexwheel.assess.assessment import Assessment
from flexwheel.base.kind import Kind, Pictures
from flexwheel.systems.reduced.reduced_keys import ReducedScenario
from flexwheel.systems.reduced.reduced_variables import REDUCED


def run_reduced(source, folder, options, checkpoints=None):
    """Run simplified and full model, write results.nc, agreement.csv and pictures into a folder, `say` the agreement.

    JSON keys: results, complete, status, simplified_real_time_factor, full_real_time_factor,
    full_steps_not_converged, agreement (level, quantity,
    unit, full_rms, full_peak, difference_rms, difference_peak), assumed, warnings.
    """
    from flexwheel.base.errors import IncompleteRun
    from flexwheel.base.output_files import write_whole
    from flexwheel.results.files import write_results
    from flexwheel.run.assumptions import assumed_summary
    from flexwheel.run.interrupts import held_interrupt
    from flexwheel.run.progress import progress
    from flexwheel.run.run_size import require_fit, run_size
    from flexwheel.systems.reduced.model_comparison import agreement_csv, agreement_table, compare_models
    from flexwheel.systems.reduced.reduced_run import run_both

    say = options.say
    require_fit(run_size(source.scenario), source.scenario, folder)
    with progress("run", not options.quiet) as report:
        results = run_both(source, report, checkpoints)
    rows = compare_models(results) if results.sizes["time"] else []
    with held_interrupt():
        path = write_results(results, folder)
        if rows:
            text = agreement_csv(rows)
            write_whole(path.with_name("agreement.csv"), lambda target: target.write_text(text, encoding="utf-8"))
    a = results.attrs
    say(
        *assumed_summary(a["assumed"]),
        f"contact: {a['zones']}",
        f"simplified: {1e3 * a['simplified_seconds']:.1f} ms, real-time factor {a['simplified_real_time_factor']:.5f}",
    )  # fmt: skip
    if rows:
        say(
            f"full:       {a['full_seconds']:.1f} s, real-time factor {a['full_real_time_factor']:.3f} (with what it "
            f"had to compile): {a['full_seconds'] / a['simplified_seconds']:.0f} times the simplified model; steps "
            f"not converged: {a['full_steps_not_converged']}",
            f"agreement over the whole run, its start included, to {float(results.time[-1]):g} s",
            *agreement_table(rows),
        )
    say(*(f"warning: {line}" for line in a["warnings"]), f"results: {path}")
    if options.as_json:
        print(json.dumps({
            "results": str(path), "complete": bool(a["complete"]), "status": a["status"],
            "simplified_real_time_factor": a["simplified_real_time_factor"],
            "full_real_time_factor": a["full_real_time_factor"] if rows else None,
            "full_steps_not_converged": int(a["full_steps_not_converged"]),
            "agreement": [
                {"level": r.level, "quantity": r.quantity, "unit": r.unit, "full_rms": r.rms_full,
                 "full_peak": r.peak_full, "difference_rms": r.rms, "difference_peak": r.peak} for r in rows
            ],
            "assumed": list(a["assumed"]), "warnings": list(a["warnings"]),
        }, indent=1))  # fmt: skip
    if results.sizes["time"] >= 50 and "interrupted" not in a["status"]:
        draw(results, folder / "pictures", say)
    if not a["complete"]:
        raise IncompleteRun(f"run not complete: {a['status']}; partial results: {path}")


def draw(results, folder, say, options=None):
    """Pictures of a run into a folder."""
    from flexwheel.base.output_files import output_folder
    from flexwheel.systems.reduced.reduced_figures import draw_reduced

    made = draw_reduced(results, output_folder(folder))
    say(f"{len(made)} pictures in {folder}")
    return made


def _check(source):
    from flexwheel.run.check_vehicle import common_warnings
    from flexwheel.run.run_size import require_fit, run_size

    require_fit(run_size(source.scenario), source.scenario)  # its samples are held in memory
    return common_warnings(source)


def _results(source, report, wheelsets, out, checkpoints):
    from flexwheel.run.any_kind import written
    from flexwheel.systems.reduced.reduced_run import run_both

    return written(run_both(source, report, checkpoints), out)


def _wrong(results):
    from flexwheel.results.check_results import wrong_bodies

    models = list(map(str, results.model.values)) if "model" in results.coords else []
    if models not in (["simplified"], ["simplified", "full"]):
        return f"model = {models}, expected simplified, and full where it was run beside"
    return wrong_bodies(results)


def _summary(results):
    """Lines of a report's first page: cost of both models and how far they are from each other."""
    from flexwheel.systems.reduced.model_comparison import compare_models

    a, end = results.attrs, float(results.time[-1])
    lines = [f"Simplified model: {a['simplified_seconds']:.3g} s for {end:g} s."]
    if "full" in results.model.values and end > 0.0:
        lines[0] = (
            f"Simplified model: {a['simplified_seconds']:.3g} s for {end:g} s; full model: {a['full_seconds']:.3g} s, "
            f"{a['full_seconds'] / a['simplified_seconds']:.0f} times as long, steps not converged: "
            f"{a['full_steps_not_converged']}."
        )
        rows = [row for row in compare_models(results) if row.relative == row.relative]
        share = lambda x: f"{x:.2g}" if x < 10.0 else f"{x:.0f}"  # noqa: E731
        parts = [f"{r.level}, {r.quantity.removeprefix(r.level + ' ')}: {share(100 * r.relative)} %" for r in rows]
        lines.append(f"Difference of the models over the full model, rms of the whole run: {'; '.join(parts)}.")
    else:
        lines.append("The full model was not run beside it: nothing here says how far off the simplified model is.")
    return [*lines, f"Contact of the simplified model: {a['zones']}."]


KIND = Kind(
    name="reduced",
    meaning="the simplified model, and the full one with it",
    keys=ReducedScenario,
    variables=REDUCED,
    check=_check,
    run=_results,
    command=run_reduced,
    summary=_summary,
    wrong=_wrong,
)


def _scenes(results):
    from flexwheel.systems.reduced.reduced_scenes import reduced_scenes

    return reduced_scenes(results)


PICTURES_OF_RUN = Pictures("reduced", draw, scenes=_scenes)


def _agreement(run, say):
    from flexwheel.assess.figures.report_blocks import Table
    from flexwheel.base.errors import FlexwheelError
    from flexwheel.systems.reduced.model_comparison import compare_models

    if run.results.sizes["model"] < 2:
        raise FlexwheelError("The full model was not run (reduced.full_model = false).")
    number = lambda x: f"{x:.4g}" if x == x else "-"  # noqa: E731
    rows = [
        (r.level, f"{r.quantity} [{r.unit}]", *map(number, (r.rms_full, r.peak_full, r.rms, r.peak, r.relative)))
        for r in compare_models(run.results)
    ]
    head = ("level", "quantity", "full rms", "full peak", "difference rms", "difference peak", "rms ratio")
    yield Table("Difference of both models over the whole run, its start included", head, tuple(rows))


AGREEMENT = Assessment("agreement", "Simplified against full model", _agreement, ("reduced",))
