"""The real-time locomotive: steps from Python, then as a functional mock-up unit in fmpy."""

import fmpy
import matplotlib.pyplot as plt
import numpy as np

import flexwheel as fw


def main(folder, seconds=10.0, torque=400.0):
    """Step with a torque from outside, here and in the unit; returns the largest difference and a picture."""
    example = fw.Scenario.example("feve3000_curve")
    locomotive = fw.realtime(example)
    locomotive.set_motor_torque(torque)
    rows = []
    for _ in range(round(seconds / 0.01)):
        locomotive.step(10)
        rows.append([locomotive.time, *locomotive.q[:2], *locomotive.normal_forces[:2]])
    own = np.array(rows)

    unit = fw.fmu(example, folder / "locomotive.fmu").file
    outputs = ["q.x", "q.y", "normal_force.front.1.left", "normal_force.front.1.right"]
    torques = {name: torque for name in locomotive.inputs if name.startswith("motor")}
    found = fmpy.simulate_fmu(
        str(unit), stop_time=seconds, step_size=0.01, output_interval=0.01, start_values=torques, output=outputs
    )
    theirs = np.column_stack([found[name][1:] for name in outputs])
    figure, axis = plt.subplots(figsize=(7, 3.5))
    axis.plot(own[:, 0], own[:, 3] / 1e3, label="left, this package")
    axis.plot(found["time"], found["normal_force.front.1.left"] / 1e3, "--", label="left, unit in fmpy")
    axis.plot(own[:, 0], own[:, 4] / 1e3, label="right, this package")
    axis.set(xlabel="time [s]", ylabel="normal force [kN]", title="FEVE 3000, leading wheelset")
    axis.legend()
    picture = folder / "realtime_and_fmu.png"
    figure.savefig(picture, dpi=120, bbox_inches="tight")
    plt.close(figure)
    difference = np.abs(theirs[:, :2] - own[:, 1:3]).max()
    assert difference < 1e-9
    return difference, picture
