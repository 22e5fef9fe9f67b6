"""The pictures of the run of a vehicle."""

from flexwheel.base.kind import VEHICLE, Pictures, ViewOptions


def draw(results, folder, say, options, show=True):
    """Pictures of a run, its curves beside those of others, into a folder; returns the files made."""
    from flexwheel.assess.pictures import PictureBook, require_drawable, run_names
    from flexwheel.base.errors import ScenarioError
    from flexwheel.base.output_files import output_folder
    from flexwheel.run.progress import progress

    datasets, time_s = [results, *options.against], options.time_s
    for item in datasets:
        require_drawable(item)
    book = PictureBook(results, output_folder(folder), say, options.spread_nodes)
    first, last = float(book.results.time[0]), float(book.results.time[-1])
    if time_s is not None and not first <= time_s <= last:
        raise ScenarioError(f"--time-s {time_s:g}: the run goes from {first:g} to {last:g} s")
    with progress("pictures", show) as report:
        report(0.0, "figures")
        book.figures()
        book.compared(run_names(datasets))
        if options.scenes:
            book.shapes(report)
            book.scenes(time_s, options.factor, options.frames, report)
        if options.paraview:
            book.paraview(time_s)
    say(f"{len(book.made)} pictures and files in {folder}")
    return book.made


def _beside(scenario, folder):
    from flexwheel.assess.drawing_process import drawing

    return drawing(scenario, folder, _main)


def _main():
    from flexwheel.assess.draw_as_they_come import main

    main()


def _motions(results, say):
    from flexwheel.assess.linear_shapes import vehicle_motions

    return vehicle_motions(results, say)


HEEDED = tuple(name for name in ViewOptions.__dataclass_fields__ if name not in ("motions", "body"))


def _strips(results, scenario, wanted):
    from flexwheel.assess.evaluate.strips_of_run import strips_of_samples

    return strips_of_samples(results, scenario, wanted)


PICTURES_OF_RUN = Pictures(VEHICLE, draw, options=HEEDED, fewest=50, motions=_motions, strips=_strips, beside=_beside)
