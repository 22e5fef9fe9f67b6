"""The locomotive as a functional mock-up unit, run by fmpy beside the run of this package."""

import subprocess
import sys
from pathlib import Path

import fmpy

import flexwheel as fw


def main(out="out/locomotive.fmu", seconds=2.0):
    scenario = fw.Scenario.example("feve3000_curve").source.path
    command = Path(sys.executable).with_name("flexwheel")
    subprocess.run([command, "fmu", scenario, "--out", out, "--quiet"], check=True)
    found = fmpy.simulate_fmu(str(out), stop_time=seconds, step_size=0.01, output_interval=0.01, output=["q.x", "q.y"])
    own = fw.run(fw.Scenario.example("feve3000_curve", {"run.duration_s": seconds}))
    y = float(own.position.sel(coordinate="y").isel(time=-1))
    print(f"after {seconds:g} s: fmpy {found['q.y'][-1]:.9f} m, here {y:.9f} m")
    assert abs(found["q.y"][-1] - y) < 1e-9


if __name__ == "__main__":
    main()
