"""A key that the chosen context ignores is refused; one that only an override made idle is a warning."""

import re
from pathlib import Path

import pytest

from flexwheel.base.errors import ScenarioError
from flexwheel.base.kind import KINDS
from flexwheel.run.keys.idle_keys import idle_keys, idle_lines, rules_of
from flexwheel.run.keys.reader import parse_scenario, read_scenario, read_scenario_source
from flexwheel.run.keys.section import section_in, unit_of
from flexwheel.run.keys.toml_text import scenario_toml
from tests import rooms

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
HEAD = "[run]\nduration_s = 1.0\n"
PURE = {
    "unconverged_share_max", "poissons_ratio", "damping_ratio", "rail_inclination", "inclination", "conicity",
    "tolerance", "newmark_beta", "friction", "values", "notch", "at", "brake_at", "brake", "max_notch",
    "max_brake_notch", "air_brake", "limit_ratio", "epsilon", "k_adhesion", "k_slip", "initial_slope", "gauge_face",
    "face_inclination",
}  # fmt: skip
IDLE = {  # text of a scenario -> key that is refused, and beside what
    "[track]\nmodel = 'rigid'\nbay_m = 0.6": ("track.bay_m", "track.model = 'rigid'"),
    "[track]\nmodel = 'massless'\n[track.fastener.vertical]\nstiffness_n_m = 1e8": (
        "track.fastener.vertical.stiffness_n_m", "track.model = 'massless'"),
    "[track]\nmodel = 'massless'\nrail = 'r65'": ("track.rail", "track.model = 'massless'"),
    "[track]\nmodel = 'massless'\n[track.sleeper]\nmass_kg = 100": ("track.sleeper.mass_kg", "'massless'"),
    "[track]\nmodel = 'massless'\n[track.rigid_rail]\nmass_kg = 50": (
        "track.rigid_rail.mass_kg", "track.model = 'massless'"),
    "[track.rigid_rail]\nvertical_damping_ns_m = 50": ("track.rigid_rail.vertical", "track.model = 'flexible'"),
    "[track]\nextent = 'full_length'\nwindow_margin_bays = 30": (
        "track.window_margin_bays", "track.extent = 'full_length'"),
    "[track]\njoint_length_m = 1.0": ("track.joint_length_m", "track.layout"),
    "[track.foundation]\nmesh_unit = 'mm'": ("track.foundation.mesh_unit", "track.foundation.mesh left out"),
    "[irregularity]\nspectrum = 'erri_b176'\ntrack_class = 3": ("irregularity.track_class", "'erri_b176'"),
    "[irregularity]\nspectrum = 'fra'\nlevel = 'low'": ("irregularity.level", "irregularity.spectrum = 'fra'"),
    "[irregularity]\nroughness = 'none'\ncontact_filter = false": ("irregularity.contact_filter", "roughness = 'none'"),
    "[irregularity]\nroughness = 'none'\nspectrum = 'none'\nseed = 3": ("irregularity.seed", "with irregularity;"),
    "[contact]\ntangential = 'polach'\ncells_per_strip = 20": ("contact.cells_per_strip", "tangential = 'polach'"),
    "[contact]\nnormal = 'hertz'\nplain_kp_normal.epsilon = 0.5": (
        "contact.plain_kp_normal", "contact.normal = 'hertz'"),
    "[drive]\nkind = 'none'\ngain_ns_m = 1e4": ("drive.gain_ns_m", "drive.kind = 'none'"),
    "[wheelset.front]\nresidual = 'static'": ("wheelset.front.residual", "wheelset.front.formulation = 'rigid'"),
}  # fmt: skip


@pytest.mark.parametrize("text", IDLE)
def test_a_key_that_nothing_reads_is_refused(text, tmp_path):
    key, beside = IDLE[text]
    path = tmp_path / "s.toml"
    path.write_text(HEAD + text, encoding="utf-8")
    with pytest.raises(ScenarioError, match=rf"{re.escape(key)}.* is not read with .*s\.toml:\d+") as caught:
        read_scenario(path)
    assert beside in str(caught.value) and "remove it, or " in str(caught.value)


MEASURED = HEAD + "[irregularity]\nfile = 'i.csv'\n"


def test_a_measured_file_gets_no_roughness_unless_a_key_asks(tmp_path):
    """Measured spectra hold what they hold; the run's first lines say what it adds. `none` beside it asks nothing."""
    from flexwheel.run.assumptions import irregularity_line

    (tmp_path / "i.csv").write_text("s_m,left_vertical_mm\n0,0\n1,1\n2,0\n3,1\n4,0\n", encoding="utf-8")
    found = {}
    for keys in ("", "spectrum = 'none'\n", "roughness = 'none'\n", "roughness = 'iso3095'\n"):
        (tmp_path / "s.toml").write_text(MEASURED + keys, encoding="utf-8")
        scenario = read_scenario(tmp_path / "s.toml")
        again = parse_scenario(scenario_toml(scenario), tmp_path / "s.toml").irregularity
        assert again.roughness == scenario.irregularity.roughness
        found[keys] = scenario.irregularity.roughness, irregularity_line(scenario.irregularity)
    assert [rough for rough, _ in found.values()] == ["none", "none", "none", "iso3095"]
    assert "as measured, no roughness added" in found[""][1]
    assert "roughness iso3095, 0.63 to 0.01 m, added to both rails" in found["roughness = 'iso3095'\n"][1]
    (tmp_path / "s.toml").write_text(MEASURED + "roughness_shift_db = 3.0", encoding="utf-8")
    with pytest.raises(ScenarioError, match="roughness_shift_db is not read with irregularity.roughness = 'none'"):
        read_scenario(tmp_path / "s.toml")


def test_beta_of_another_integrator(tmp_path):
    path = tmp_path / "s.toml"
    path.write_text(HEAD + "integrator = 'park'\nnewmark_beta = 0.25", encoding="utf-8")
    with pytest.raises(ScenarioError, match="run.newmark_beta is not read with run.integrator = 'park'"):
        read_scenario(path)


def test_wheelsets_in_phase_beside_another_beta(tmp_path):
    """gain_in_phase knows beta = 1/4 alone: beside another the key would do nothing."""
    path = tmp_path / "s.toml"
    path.write_text(HEAD + "newmark_beta = 0.1\nwheelsets_in_phase = false", encoding="utf-8")
    with pytest.raises(ScenarioError, match="run.wheelsets_in_phase is not read with run.newmark_beta = 0.1"):
        read_scenario(path)


def test_an_override_may_leave_keys_of_the_file_idle():
    """They are warnings; a key that an override itself gives in vain is refused."""
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", ["wheelset.front.formulation=rigid", "track.model=rigid"])
    lines = idle_lines(scenario)
    track = "track.extent, track.elements_per_bay: not read with track.model = 'rigid'"
    assert any(line.startswith(track) for line in lines)
    assert any("wheelset.front.mesh, " in line for line in lines)
    with pytest.raises(ScenarioError, match="track.bay_m is not read with"):
        read_scenario(EXAMPLES / "as4_curve.toml", ["track.model=rigid", "track.bay_m=0.6"])


def test_resolved_scenario_holds_no_idle_key():
    """The text that goes with the results can be run as it stands."""
    scenario = read_scenario(EXAMPLES / "as4_curve.toml", ["track.model=rigid"])
    again = parse_scenario(scenario_toml(scenario), EXAMPLES / "as4_curve.toml")
    assert idle_keys(again) == [] and again.track.model == "rigid"


OTHER_KINDS = {
    "train_2": ("driving.max_notch=3", "driving.max_notch is not read with driving.mode = 'by_distance'"),
    "ml95_curve": ("reduced.conicity=0.1", "reduced.conicity is not read with reduced.tread = 'profiles'"),
}


@pytest.mark.parametrize("path", rooms.examples(*OTHER_KINDS), ids=lambda p: p.stem)
def test_other_kinds(path):
    setting, said = OTHER_KINDS[path.stem]
    with pytest.raises(ScenarioError, match=said):
        read_scenario_source(path, [setting])


@pytest.mark.parametrize("kind", KINDS)
def test_rules_name_keys_that_exist(kind):
    """A key renamed elsewhere must not leave its rule behind."""
    found = list(declared(KINDS[kind].keys))
    keys = {key for key, _, _ in found} | {key.rpartition(".")[0] for key, _, _ in found}
    everywhere = {key for value in KINDS.values() for key, _, _ in declared(value.keys)}
    for _, section, name in found:
        for rule in rules_of(section, name):
            if rule.decides.startswith("."):
                assert rule.decides[1:] in section.model_fields, (section, rule)
            else:
                gone = rule.decides.startswith("reduced.") and not rooms.there("systems/reduced")
                assert rule.decides in keys or rule.decides in everywhere or gone, (section, rule)


def declared(model, where=()):
    """(dotted key, section, name) of every key of a kind, sections too."""
    for name, field in model.model_fields.items():
        yield ".".join((*where, name)), model, name
        if section_in(field.annotation):
            yield from declared(section_in(field.annotation), (*where, name))


@pytest.mark.parametrize("kind", KINDS)
def test_units_are_in_the_names(kind):
    """Every number has its unit at the end of its name, or is a pure number on this list."""
    for key, section, name in declared(KINDS[kind].keys):
        text = str(section.model_fields[name].annotation)
        if unit_of(name) or "float" not in text or section_in(section.model_fields[name].annotation):
            continue
        assert name in PURE, key
