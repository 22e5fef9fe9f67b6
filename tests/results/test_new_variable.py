"""A new variable is its row in the table and the line of its kernel: the diff of docs/extending.md, applied here.

The changed modules run in a process of their own, as plain Python: kernels are functions of arrays.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ASKED = '''
import importlib.util, json, sys, types
plain = types.ModuleType("flexwheel.numerics.kernels")
plain.kernel = lambda function=None, **options: function or (lambda given: given)
plain.handle = lambda value: value
plain.entry, plain.without_compiling = (lambda function, *arguments, **options: function), None
plain.far_call = lambda *arguments, **options: lambda function, values: function(*values)
plain.Entry, plain.Each = (lambda *values: values), tuple
from numba import types as numba_types
plain.FAST, plain.types, plain.overload = None, numba_types, lambda function: lambda given: given
plain.__path__ = ["flexwheel/numerics/kernels"]  # its modules that know no numba
sys.modules["flexwheel.numerics.kernels"] = plain
sys.path.insert(0, "tests")
import plain_lanes
plain_lanes.install()
folder, out = sys.argv[1:]
class Changed:
    """Finds the changed modules before those of the package."""
    def find_spec(self, name, path=None, target=None):
        from pathlib import Path
        file = Path(folder, *name.split(".")).with_suffix(".py")
        return importlib.util.spec_from_file_location(name, file) if file.is_file() else None
sys.meta_path.insert(0, Changed())

import inspect
import numpy as np
from flexwheel.contact import wheel_rail
from flexwheel.contact.contact_tables import make_contact_result, make_contact_scratch
from flexwheel.contact.detection import detect
wheel_rail.first_points = detect._first_points(  # chosen by type where kernels are compiled: here the scan
    *[numba_types.none for _ in inspect.signature(detect.first_points).parameters])
from flexwheel.run.build.build_simulation import assemble_simulation
from flexwheel.contact.wheel_rail import WheelMotion, wheel_rail_contact
from flexwheel.vehicle.step.residual import update_motion
from flexwheel.vehicle.step.simulate_record import make_sampling, record, source_arrays, unpacked
from flexwheel.results.dataset import make_dataset
from docs.results_document import results_document
from flexwheel.results.files import read_results, write_results
from flexwheel.results.recording import chosen_variables, recorded
from flexwheel.run.keys.reader import read_scenario

s = assemble_simulation(read_scenario("examples/manchester_tight_curve.toml"), {})
work, first = s.work, s.assembly.units.offset[:-1]
work.q[:], work.qd[:] = s.state.history[0, 0], s.state.history[0, 1]
work.q[first] += 60.0  # into the arc
update_motion(s.model, s.state, work)
pose, rate = np.array([0.0, 0.0, -4e-4, 0.0, 0.0, 0.0]), np.array([0.002, 0.0, 0.0, 0.0, 0.0, 0.0])
tables, result = s.model.contact[0], make_contact_result()
motion = WheelMotion(pose, rate, np.zeros(3), 4.4)
_, work.patch_count[0, 0] = wheel_rail_contact(tables, 0.46, motion, make_contact_scratch(tables), result)
work.patches[0, 0] = result.patches
arrays = source_arrays(s.state, work)
sampling = make_sampling(arrays, 1, 1, 0)
record(sampling, 0)
records = unpacked(arrays, sampling.rows)
found = recorded(records, s.assembly, chosen_variables(s.assembly, None))
wheelsets = [w.name for w in s.assembly.wheelset_specs]
labels = {"time": records.time, "wheelset": wheelsets, "body": list(s.assembly.unit_names)}
back = read_results(write_results(make_dataset("vehicle", found, labels), out))
patch = {name: float(back["patch_" + name][0, 0, 0]) for name in
         ("friction_used", "creep_force_x", "creep_force_y", "normal_force")}
page = results_document()
print(json.dumps(patch | {
    "friction": s.model.contact[0].friction, "felt": float(back.body_lateral_force_per_mass[0, 0]),
    "dims": list(back.body_lateral_force_per_mass.dims), "type": str(back.body_lateral_force_per_mass.dtype),
    "units": back.body_lateral_force_per_mass.units, "absent": float(back.patch_friction_used[0, 1, 0]),
    "page": [name in page for name in ("`patch_friction_used`", "`body_lateral_force_per_mass`")],
}))
'''


def printed_hunks():
    """File -> [(line that stays, lines put after it)] of the diff on the page."""
    page = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    section = page.partition("## A new variable of patches or bodies")[2]
    files, stays = {}, ""
    for line in section.partition("```diff\n")[2].partition("```")[0].splitlines():
        if line.startswith("--- "):
            hunks = files.setdefault(line[4:], [])
        elif line.startswith("+"):
            if not hunks or hunks[-1][0] != stays:
                hunks.append((stays, []))
            hunks[-1][1].append(line[1:])
        else:
            stays = line[1:]
    return files


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("variable")
    for name, hunks in printed_hunks().items():
        text = (ROOT / name).read_text(encoding="utf-8")
        for stays, added in hunks:
            assert text.count(stays + "\n") == 1, f"the diff of docs/extending.md does not fit {name}: {stays}"
            text = text.replace(stays + "\n", "\n".join([stays, *added, ""]))
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    command = [sys.executable, "-c", ASKED, str(folder), str(folder / "out")]
    plain = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, env=plain)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_patch_variable(answers):
    force = (answers["creep_force_x"] ** 2 + answers["creep_force_y"] ** 2) ** 0.5
    assert answers["friction_used"] == pytest.approx(force / (answers["friction"] * answers["normal_force"]), rel=1e-6)
    assert 0.0 < answers["friction_used"] <= 1.0 + 1e-6 and answers["absent"] == 0.0


def test_body_variable(answers):
    """v^2/R to the right less what the cant gives back: R = 150 m, 0.1 m over 1.5 m, 4.4 m/s."""
    expected = -(4.4**2) / 150.0 + 9.81 * 0.1 / 1.5
    assert answers["felt"] == pytest.approx(expected, rel=2e-3)
    assert answers["dims"] == ["time", "body"] and answers["units"] == "m s-2" and answers["type"] == "float64"


def test_page_follows(answers):
    assert answers["page"] == [True, True]
