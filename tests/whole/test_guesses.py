"""Words a newcomer looks for lead to room, file and function by the theory page or the first page of a room.

The guesses were written from the field before the page had its table of models and methods; of the first fifteen none
led anywhere. The second fifteen were written before that table too, and kept aside until it was there.
"""

import ast
import re
from pathlib import Path

import pytest

HOME = Path(__file__).resolve().parents[2]
FIRST = {  # equation or feature, in the words of the field: file, function
    "Craig-Bampton reduction": ("body/craig_bampton.py", "fixed_interface_modes"),
    "centrifugal stiffening": ("vehicle/structural.py", "spin_stiffness"),
    "gyroscopic forces": ("vehicle/floating_frame.py", "inertia_forces"),
    "Newmark": ("numerics/integration.py", "newmark"),
    "semi-Hertzian penetration reduction": ("contact/semi_hertzian.py", "fill_zone"),
    "FASTSIM": ("contact/fastsim.py", "fastsim"),
    "Kalker coefficients": ("contact/kalker_coefficients.py", "kalker_coefficients"),
    "equivalent conicity": ("assess/conicity.py", "equivalent_conicity"),
    "critical speed": ("assess/linearise.py", "critical_speed"),
    "Timoshenko rail": ("track/timoshenko.py", "beam_stiffness"),
    "ERRI B176": ("track/psd.py", "erri_b176"),
    "out-of-round wheel": ("track/roundness.py", "rolling_deviation"),
    "Y/Q Nadal": ("assess/evaluate/flange_climb.py", "nadal"),
    "rainflow": ("assess/evaluate/fatigue.py", "counted_cycles"),
    "draw gear hysteresis": ("systems/train/coupler_force.py", "coupler_force"),
}
SECOND = {
    "wear law Archard": ("assess/wear/wear_law.py", "wear_law"),
    "polygonised wheel growth": ("assess/wear/worn_wheel.py", "order_growth"),
    "rail pad": ("track/support_law.py", "law_force"),
    "track receptance": ("track/receptance.py", "receptance"),
    "Hertz ellipse": ("contact/hertz.py", "zone_factors"),
    "Polach": ("extensions/tangential_laws/polach.py", "polach_force"),
    "von Mises": ("body/stress.py", "von_mises"),
    "bump stop": ("extensions/elements/bump_stop.py", "stop_force"),
    "friction damper": ("extensions/elements/friction_damper.py", "friction_force"),
    "air brake": ("systems/train/air_brake.py", "cylinder"),
    "Sperling": ("assess/evaluate/ride_comfort.py", "ride_index"),
    "third octave": ("numerics/spectra.py", "third_octaves"),
    "Dang Van": ("assess/evaluate/fatigue.py", "fatigue_criteria"),
    "mode acceleration": ("body/truncation_residual.py", "residual_fields"),
    "Eulerian mesh turn": ("vehicle/eulerian_map.py", "turn_modes"),
}
NEEDED = 14  # of fifteen
ROOMS = sorted((HOME / "flexwheel").glob("*/__init__.py"))


def first_page(room):
    return ast.get_docstring(ast.parse(room.read_text(encoding="utf-8"))) or ""


def entries(page):
    """What the eye takes in at once: a row of a table, an item of a list, a paragraph."""
    return re.split(r"\n\s*\n|\n(?=\||- |\* )", page)


def leads(words, file, function):
    pages = [(HOME / "docs" / "theory.md").read_text(encoding="utf-8"), *map(first_page, ROOMS)]
    named = [*words.lower().split(), file, function]
    return any(all(name in entry.lower() for name in named) for page in pages for entry in entries(page))


@pytest.mark.parametrize("guesses", [FIRST, SECOND], ids=["first", "second"])
def test_guesses_lead_to_room_file_and_function(guesses):
    astray = [words for words, place in guesses.items() if not leads(words, *place)]
    assert len(guesses) == 15
    assert len(guesses) - len(astray) >= NEEDED, astray


@pytest.mark.parametrize("file, function", [*FIRST.values(), *SECOND.values()])
def test_the_function_is_in_its_file(file, function):
    tree = ast.parse((HOME / "flexwheel" / file).read_text(encoding="utf-8"))
    assert function in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.parent.name)
def test_a_first_page_names_files_of_its_room(room):
    other = {"fw", "base"} if room.parent.name == "face" else set()
    for name in set(re.findall(r"`(\w+)`", first_page(room))) - other:
        assert (room.parent / name).is_dir() or (room.parent / f"{name}.py").is_file(), name
