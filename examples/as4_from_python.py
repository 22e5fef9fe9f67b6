"""The AS4 run from Python: scenario, run, results, figure; ends by checking itself against the vehicle's weight."""

from pathlib import Path

from flexwheel.assess.figures.control_node_figures import stress_figure
from flexwheel.assess.figures.style import save_figure
from flexwheel.results.files import write_results
from flexwheel.run import run_scenario
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.progress import progress

HERE = Path(__file__).resolve().parent


def main(out="runs/as4_from_python", duration_s=14.0, *overrides):
    """Run, write results.nc and a figure into `out`; returns the Dataset."""
    scenario = read_scenario(HERE / "as4_curve.toml", [f"run.duration_s={duration_s}", *overrides])
    with progress("AS4") as report:
        results = run_scenario(scenario, report)
    write_results(results, out)
    node = str(results.control_node.values[0])
    save_figure(stress_figure({"": results}, node), Path(out) / "von_mises.png")
    static = sum(results.attrs["static_wheel_load_n"])
    mean = float(results.wheel_force.sel(force="Q").sum("wheel").mean())
    print(f"mean of all Q {mean / 1e3:.2f} kN, weight {static / 1e3:.2f} kN")
    assert abs(mean / static - 1.0) < 0.05  # cant, vertical curvature and friction change it by less
    return results


if __name__ == "__main__":
    main()
