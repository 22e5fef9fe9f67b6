"""Time of every detection method per wheel and pose: S1002 on UIC60 1:40, over configurations of the paper's table 1.

Run with `python benchmarks/detection.py`. Prints microseconds of processor time, the least of five runs over 2,000
configurations; networks and table are those of the cache (`flexwheel detection-train --rail UIC60`), else small ones.
"""

import platform

import numpy as np

from flexwheel.assess.commands.detection_pair import contact_pair
from flexwheel.assess.detection.compare import NAMES, NETWORKS, POINTS, method_scratch, press, run_method
from flexwheel.assess.detection.configurations import Configurations, chosen, configuration
from flexwheel.assess.detection.train_detection import train_detection
from flexwheel.contact.detection.detection_file import detection_path, load_detection
from flexwheel.contact.detection.detection_tables import make_detection_tables
from flexwheel.contact.detection.trained_detection import TrainingOptions
from flexwheel.numerics.kernels import handle

SMALL = TrainingOptions(samples=1000, validation=300, epochs=5)


def main(configurations=2000, runs=5, inclination="1:40"):
    """Microseconds per method, as a dictionary, also printed."""
    contact, placement = contact_pair("S1002", "UIC60", inclination, 0.46)
    path = detection_path(contact)
    trained = load_detection(path, contact) if path.is_file() else train_detection(contact, SMALL)
    tables = make_detection_tables(contact, trained)
    quick = handle(tables)
    where = configuration(chosen(configurations))
    cases = Configurations(placement.radius, placement.wheel_y, *where, np.zeros(configurations))
    press(quick, cases, np.zeros(POINTS), np.zeros(POINTS))
    scratch = method_scratch(tables)
    times = {}
    for method, name in enumerate(NAMES):
        if method >= NETWORKS and tables.classes.size == 0:
            continue
        run_method(method, quick, cases, scratch)
        times[name] = 1e6 * min(run_method(method, quick, cases, scratch)[3] for _ in range(runs)) / configurations
        print(f"{name:34s} {times[name]:9.2f} us")
    return times


if __name__ == "__main__":
    print(platform.processor() or platform.machine(), platform.python_version())
    main()
