"""A run is killed and taken up where it was: the result is that of an undisturbed one."""

import subprocess
import sys
import time
from pathlib import Path

import flexwheel as fw


def main(*settings, out="out/resume"):
    begin = [cli := Path(sys.executable).with_name("flexwheel"), "run", fw.Scenario.example("train_2").source.path]
    with subprocess.Popen([*begin, *settings, "--out", f"{out}/killed"]) as run:
        while run.poll() is None and not list(Path(out).glob("killed/resume/*.npz")):
            time.sleep(0.05)  # until its first checkpoint
        run.kill()
    for words in ([cli, "run", "--resume", f"{out}/killed"], [*begin, *settings, "--out", f"{out}/whole"]):
        subprocess.run(words, check=True)
    assert fw.open_results(f"{out}/killed").force.equals(fw.open_results(f"{out}/whole").force)


if __name__ == "__main__":
    main()
