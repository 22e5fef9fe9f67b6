"""Results beyond what a railway bears: warnings after a run, with figures and times."""

import numpy as np

VERTICAL_SHARE = 5.0  # of the wheel's load at rest; a wheel flat or a dipped joint reaches 3 to 4
LATERAL_SHARE = 2.5  # of the same; Y/Q of derailment stands at 0.8 to 1.2
LOAD_DRIFT = 0.35  # of the mean of all wheel loads against those at rest; a curve or a grade shifts, it does not lift
PRESSURE = 8e9  # [Pa] about eight times where rail steel flows
SLIVER = 0.01  # of its wheel's load: a patch that bears less, as the edge of a flange, is no largest pressure
BODY = (("body_position", [1], 1.0, "m sideways"), ("body_angle", [0, 1], 0.5, "rad"))  # track's middle; roll, yaw


def bears(load):
    """Where a patch carries more than SLIVER of its wheel's load [N]: (..., patch) bool."""
    return load > SLIVER * load.sum("patch")


class ResultBounds:
    """Largest loads, pressures and places over the samples that were added, block after block.

    static : (wheel,) float [N]     loads at rest; empty where they are not known
    """

    def __init__(self, static=()):
        self.static = np.ravel(static)
        self.worst, self.load, self.samples = {}, 0.0, 0  # worst: what -> (size, line)

    def add(self, results):
        """Look at the samples of a Dataset. Settling at the start counts: what comes from there is no result either."""
        if results.sizes.get("time", 0) == 0:
            return
        time = results.time.values
        if "wheel_force" in results and len(self.static) == results.sizes["wheel"] and np.all(self.static > 0.0):
            self._forces(results.wheel_force.values, time, [str(name) for name in results.wheel.values])
        if "patch_peak_pressure" in results:
            load = results.get("patch_normal_force", results.patch_peak_pressure)  # where none is stored
            pressure = results.patch_peak_pressure.where(bears(load)).fillna(0.0).values
            place = np.unravel_index(pressure.argmax(), pressure.shape)
            text = f"contact pressure {pressure[place] / 1e9:.1f} GPa at t = {time[place[0]]:.4f} s"
            self._keep("pressure", pressure[place], PRESSURE, f"{text}, expected at most {PRESSURE / 1e9:g} GPa")
        for name, columns, bound, unit in BODY:
            if name in results:
                size = np.abs(results[name].values[:, :, columns]).max(axis=2)
                row, body = np.unravel_index(size.argmax(), size.shape)
                text = f"{results.body.values[body]} is {size[row, body]:.2f} {unit} at t = {time[row]:.4f} s"
                self._keep(name, size[row, body], bound, f"{text}, expected at most {bound:g} {unit}")

    def _forces(self, force, time, wheels):
        for name, column, share in (("vertical", 2, VERTICAL_SHARE), ("lateral", 1, LATERAL_SHARE)):
            ratio = np.abs(force[:, :, column]) / self.static
            row, wheel = np.unravel_index(np.nanargmax(ratio), ratio.shape)
            text = f"{name} force of {wheels[wheel]} {1e-3 * force[row, wheel, column]:.0f} kN"
            text += f" at t = {time[row]:.4f} s: {ratio[row, wheel]:.1f} times its load at rest"
            self._keep(name, ratio[row, wheel], share, f"{text}, expected at most {share:g}")
        self.load, self.samples = self.load + float(force[:, :, 2].sum()), self.samples + len(time)

    def _keep(self, what, size, bound, line):
        if size > self.worst.get(what, (bound, ""))[0]:
            self.worst[what] = size, line

    def lines(self) -> list[str]:
        """Warnings: wheel loads, lateral forces, pressures, places of bodies out of all bounds."""
        mean = self.load / (self.samples * self.static.sum()) if self.samples else 1.0
        text = f"wheels carry {100 * mean:.0f} % of the weight in the mean, expected 100 %"
        self._keep("weight", abs(mean - 1.0), LOAD_DRIFT, text)
        order = ("vertical", "lateral", "weight", "pressure", "body_position", "body_angle")
        return [self.worst[what][1] for what in order if what in self.worst]
