"""A scenario of any kind run to its results."""

from flexwheel.base.kind import KINDS


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
    return KINDS[source.scenario.kind].run(source, report, wheelsets, out, checkpoints)


def written(results, out):
    """Results of a run in memory, written into a folder where one is given."""
    if out is not None:
        from flexwheel.results.files import write_results

        write_results(results, out)
    return results
