"""The Manchester coach on the S-curve with every detection method: the same histories.

In the bends wheels on their flange chatter at 70 to 140 Hz. The model has two states there, chatter and rest, at any
step down to 0.125 ms, and the last digits decide how long which of them lasts: two runs of one method, started a
micrometre apart, part there too. Histories are therefore compared in the band of EN 14363, below 20 Hz.
"""

import numpy as np
from scipy.signal import butter, sosfiltfilt

from flexwheel.assess.detection.train_detection import train_detection
from flexwheel.contact.detection.detection_file import detection_path, save_detection
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute
from flexwheel.verification.check_registry import check, distance, information, other_code
from flexwheel.verification.manchester import S_CURVE

BAND = 20.0  # [Hz] EN 14363, wheel-rail forces
METHODS = ("dist", "diff", "grid", "table", "network")


def s_curve(method):
    """Results of the S-curve with one detection method."""
    return execute(build_simulation(read_scenario(S_CURVE, (f"contact.detection={method}",)), {}))


def train_if_none(contact):
    """Train and store the networks and the table of a ContactTables' pair where none are stored; a minute."""
    path = detection_path(contact)
    if not path.is_file():
        save_detection(train_detection(contact), path)


def _rms(histories):
    """Largest rms of the forces (time, wheel, direction)."""
    return float(np.sqrt(np.mean(histories**2, axis=0)).max())


@check(
    "Manchester coach: S-curve with every detection method", slow=True,
    ground=other_code("the scan; two runs of one method started a micrometre apart part by 0.14 % of the load below "
                      "20 Hz, 1 % leaves room for seven times that"),
)  # fmt: skip
def every_detection_method():
    """Wheel forces of each method beside those of the scan, rms of the difference over the static load."""
    train_if_none(build_simulation(read_scenario(S_CURVE, ("contact.detection=scan",)), {}).model.contact[0])
    scan = s_curve("scan")
    load = float(np.mean(scan.attrs["static_wheel_load_n"]))
    rows = []
    for method in METHODS:
        other = s_curve(method)
        forces = [run.wheel_force.values / load for run in (other, scan)]
        sections = butter(4, BAND, fs=1.0 / float(np.diff(scan.time.values).mean()), output="sos")
        slow = [sosfiltfilt(sections, f, axis=0) for f in forces]
        text = f"{method}: rms of the difference of a wheel force over the load"
        rows.append(distance(f"{text}, below {BAND:g} Hz", *slow, 1e-2, "-", "scan", lambda a, b: _rms(a - b)))
        rows.append(information(f"{text}, chatter included", _rms(forces[0] - forces[1]), "-", "scan"))
        seconds = other.attrs["loop_seconds"] / other.attrs["steps"]
        rows.append(information(f"{method}: time of a step, compilation included", 1e6 * seconds, "us"))
    return rows
