"""The job script of a cluster on this machine: `python -m tests.cluster_job`; opt-in, some 20 s of processor time.

`srun` is a stand-in that starts what follows it once. The study is two runs of a train.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from flexwheel.base.shipped import EXAMPLES
from flexwheel.results.files import loaded
from tests.studies.test_cluster import STUDY
from tests.train_scenario_text import GOOD

SCRIPT = EXAMPLES.parent / "docs" / "container" / "sweep.slurm"


def main():
    """Run the script; exit code."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "train.toml").write_text(GOOD, encoding="utf-8")
        (folder / "study.toml").write_text(STUDY, encoding="utf-8")
        stand_in = folder / "srun"
        stand_in.write_text('#!/bin/sh\nexec "$@"\n', encoding="utf-8")
        stand_in.chmod(0o755)
        path = os.pathsep.join([name, str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(["bash", SCRIPT, "study.toml", "out"], cwd=folder, env=os.environ | {"PATH": path})
        status = loaded(folder / "out" / "study.nc").status.values.tolist() if done.returncode == 0 else []
        left = sorted(item.name for item in (folder / "out").iterdir() if item.name.startswith("job"))
    print(f"exit code {done.returncode}, runs {status}, left of the job {left}")
    return 0 if status == ["complete", "complete"] and not left else 1


if __name__ == "__main__":
    sys.exit(main())
