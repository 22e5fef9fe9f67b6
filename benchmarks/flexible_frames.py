"""Cost of flexible bogie frames in a coach with four flexible wheelsets (examples/manchester_frames.toml).

    python benchmarks/flexible_frames.py [TURNS]

Processor time of a simulated second, from runs of 0.5 and 1.5 s, so that start and compilation drop out; in turns.
"""

import sys
import time
from statistics import median

import flexwheel as fw
from flexwheel.base.shipped import EXAMPLES

CASES = {"wheelsets": {"body": {}, "assumed": {}}, "wheelsets and frames": {}}


def cost(changes):
    """Processor time [s] of a simulated second."""
    spent = []
    for seconds in (0.5, 1.5):
        scenario = fw.Scenario.read(EXAMPLES / "manchester_frames.toml", {"run.duration_s": seconds, **changes})
        started = time.process_time()
        fw.run(scenario, quiet=True)
        spent.append(time.process_time() - started)
    return spent[1] - spent[0]


def main(turns=3):
    """Print both costs, turn by turn, and the ratio of their medians."""
    for changes in CASES.values():
        cost(changes)  # compiles, and reduces what is not in the cache
    found = [[cost(changes) for changes in CASES.values()] for _ in range(turns)]
    for k, name in enumerate(CASES):
        print(f"{name}: " + ", ".join(f"{row[k]:.2f}" for row in found) + " s per simulated second")
    alone, both = (median(column) for column in zip(*found, strict=True))
    print(f"ratio of the medians: {both / alone:.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
