"""A scenario of any kind run to its results."""


def run_source(source, report=None, wheelsets=None, out=None, checkpoints=None):
    """Results of a scenario of any kind.

    Parameters
    ----------
    source : ScenarioSource
    report : callable(fraction, note), optional
    wheelsets : dict, optional          name -> FlexibleWheelset already at hand
    out : Path, optional                folder that takes results.nc; samples of a vehicle go there as the run goes on
    checkpoints : Checkpoints, optional     of run.resume.resumable: those that it leaves in `out` or goes on from

    Returns
    -------
    Dataset         attribute complete = False, with the reason in `status`, where the run did not reach its end

    Raises
    ------
    FlexwheelError  when the scenario cannot be built or the numbers fail
    """
    report = report or (lambda fraction, note="": None)
    kind = source.scenario.kind
    if kind == "vehicle":
        from flexwheel.run.simulation import own_stage, run_scenario

        resume = checkpoints and (checkpoints, own_stage(source.scenario))
        return run_scenario(source.scenario, report, source.text, wheelsets, out, resume)
    if kind == "reduced":
        from flexwheel.run.reduced import run_both

        results = run_both(source, report, checkpoints)
    elif kind == "train":
        from flexwheel.builders.train_run import build_train_run
        from flexwheel.run.run_train import train_results

        results = train_results(build_train_run(source), report, checkpoints)[0]
    else:
        from flexwheel.builders.locomotive import build_locomotive_run, locomotive_of
        from flexwheel.run.run_realtime import realtime_results

        built = locomotive_of(source)
        results = realtime_results(built, build_locomotive_run(built), checkpoints)[0]
    if out is not None:
        from flexwheel.results.files import write_results

        write_results(results, out)
    return results
