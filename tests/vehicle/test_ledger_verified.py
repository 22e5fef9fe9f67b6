"""Force elements and the energy ledger of a run against hand statics, momentum and the balance of energy.

Coach of the Manchester benchmark into its S-curve: forces, masses and angles of the run itself.
"""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import flexwheel.face.accessor  # noqa: F401  (results.fw)
from flexwheel.base.errors import ScenarioError
from flexwheel.base.shipped import EXAMPLES, MESHES
from flexwheel.extensions.elements.bump_stop import STOP
from flexwheel.extensions.elements.damper import SERIES_DAMPER
from flexwheel.run.build.build_simulation import build_simulation
from flexwheel.run.keys.reader import read_scenario
from flexwheel.run.simulation import execute, run_scenario
from flexwheel.track.layout import track_frame
from flexwheel.vehicle.elements.axial import AXIAL
from flexwheel.vehicle.elements.columns import AXES_OF_B, AXIS, BODY_A, BODY_B, LAW, POINT_A, POINT_B
from flexwheel.vehicle.elements.force_law import LAWS, place_of
from flexwheel.vehicle.step.watch import make_watch

ALSO = 'output.also=["elements", "energy"]'
CLOSES = 0.005
"""Share of what was lost that the ledger may leave unexplained: the claim of the package, half a per cent."""
FLEXIBLE = (
    f"wheelset.front.mesh={MESHES / 'wheelset_coarse.inp'}",
    "wheelset.front.fixed_interface_modes=7",
    "wheelset.front.exact_below_hz=0",
    "run.compare_modes=[]",
)
COACH = ("run.start_position_m=45", "run.end_position_m=65", "run.output_step_s=0.005")


@pytest.fixture(scope="module")
def coach():
    """Simulation and results of the coach at 40 km/h into a curve of 190 m."""
    simulation = build_simulation(read_scenario(EXAMPLES / "manchester_s_curve.toml", (*COACH, ALSO)), {})
    return simulation, execute(simulation)


def mass_of(simulation, name):
    """Mass [kg] of a body."""
    return simulation.model.units.mass[simulation.assembly.unit_names.index(name)]


def test_springs_bear_what_stands_on_them(coach):
    simulation, results = coach
    force = results.element_force.isel(time=0).sel(axis="z")
    above = mass_of(simulation, "car_body") * 9.81
    below = above + 9.81 * sum(mass_of(simulation, f"{end}_bogie") for end in ("front", "rear"))
    for words, weight in (("secondary_spring", above), ("primary_spring", below)):
        own = force.sel(element=[str(name) for name in force.element.values if str(name).startswith(words)])
        assert float(own.sum()) == pytest.approx(-weight, rel=1e-4), words  # equilibrium is found to a few newtons
    assert float(np.abs(results.element_rate.isel(time=0)).max()) < 1e-9


def axes_and_places(simulation, results, body):
    """Axes (T, 3, 3) of a body that carry its elements, and its place (T, 3), global, from its results."""
    layout, place, turn = (
        simulation.model.layout,
        *(results[f"body_{name}"].isel(body=body) for name in ("position", "angle")),
    )
    axes, places = np.zeros((len(place), 3, 3)), np.zeros((len(place), 3))
    for k, (s, y, z) in enumerate(place.values):
        position, frame = np.zeros(3), np.zeros((3, 3))
        track_frame(layout, s, position, frame, np.zeros(3), np.zeros(3))
        places[k] = position + frame @ (0.0, y, z)
        axes[k] = frame @ Rotation.from_euler("ZXY", turn.values[k]).as_matrix()
    return axes, places


def test_forces_of_the_elements_move_the_car_body(coach):
    """Sum over the elements, along lines and axes that the results tell, = mass times acceleration less gravity.

    Left over: what the step's tolerance leaves (5 N) and seven digits of stored forces of 200 kN together.
    """
    simulation, results = coach
    units, elements = list(simulation.assembly.unit_names), simulation.model.suspension
    body, total = units.index("car_body"), np.zeros((results.sizes["time"], 3))
    motion = [axes_and_places(simulation, results, u) for u in range(len(units))]
    for e, (a, b) in enumerate(elements.integer[:, [BODY_A, BODY_B]]):
        if body not in (a, b):
            continue
        force, number, law = (
            results.element_force.isel(element=e).values,
            elements.number[e],
            LAWS[elements.integer[e, LAW]],
        )
        if law in (AXIAL, SERIES_DAMPER):
            ends = [motion[u][1] + motion[u][0] @ number[k : k + 3] for u, k in ((a, POINT_A), (b, POINT_B))]
            way = ends[1] - ends[0]
            force = force[:, :1] * way / np.linalg.norm(way, axis=1, keepdims=True)
        else:
            home = b if elements.integer[e, AXES_OF_B] == 1 else a
            force = force[:, :1] * number[AXIS : AXIS + 3] if law is STOP else force
            force = np.einsum("tij,tj->ti", motion[home][0], force)
        total += force if a == body else -force
    assert simulation.model.drive.unit == body
    drive = results.element_force.sel(element="drive", axis="x").values
    frames = motion[body][0] @ Rotation.from_euler("ZXY", results.body_angle.isel(body=body).values).inv().as_matrix()
    total += drive[:, None] * frames[:, :, 0]
    pitch = Rotation.from_euler("Y", -results.body_angle.isel(body=body).values[:, 2:]).as_matrix()
    felt = np.einsum("tij,tj->ti", motion[body][0] @ pitch, results.body_measured_acceleration.isel(body=body).values)
    felt *= mass_of(simulation, "car_body")
    assert np.abs(felt[:, 1]).max() > 2e3
    np.testing.assert_allclose(total, felt, rtol=0.0, atol=10.0)


def test_a_watched_run_takes_the_same_steps(coach):
    _, results = coach
    plain = execute(build_simulation(read_scenario(EXAMPLES / "manchester_s_curve.toml", COACH), {}))
    assert "element" not in plain.dims and results.sizes["element"] == 34 + 1
    for name in plain.data_vars:
        np.testing.assert_array_equal(results[name].values, plain[name].values, name)


def test_the_face_shows_an_element(coach):
    _, results = coach
    assert results.fw.elements.force.equals(results.element_force.rename("force"))
    assert results.fw.plot.element("secondary_spring front_bogie left") is not None
    with pytest.raises(ScenarioError, match="must be one of primary_spring"):
        results.fw.plot.element("spring")
    with pytest.raises(ScenarioError, match=r"output.also = \['elements'\]"):
        results.drop_dims("element").fw.elements  # noqa: B018


def test_a_law_that_tells_nothing_is_named(coach):
    simulation, _ = coach
    elements = simulation.model.suspension
    integer = elements.integer.copy()
    integer[3, LAW] = place_of(replace(AXIAL, name="of a stranger", measure=None))
    with pytest.raises(ScenarioError, match="wheelset_2 right: its law .of a stranger. does not give"):
        make_watch(simulation.model._replace(suspension=elements._replace(integer=integer)), simulation.assembly)


def lost(energy):
    """All that was lost in a run, over time [J]."""
    return sum(energy[name].values for name in energy.data_vars if str(name).startswith("lost_"))


def check_ledger(energy):
    """It closes against all that goes through it; what is lost never comes back, what is stored stays above zero.

    A step's forces are right to 5 N: against slip of 0.1 m/s within a step of 0.5 ms a loss may run back by 1e-4 J.
    """
    through = sum(float(np.ptp(energy[name].values)) for name in energy.data_vars if name != "residual")
    assert np.abs(energy.residual.values).max() < CLOSES * through
    for name in energy.data_vars:
        if (
            str(name).startswith("lost_") and name != "lost_window"
        ):  # a window's first bay may go with less than it came
            assert np.diff(energy[name].values).min() >= -1e-3, name
    for name in ("kinetic", "modes", "rails_kinetic", "rails_elastic"):
        assert energy[name].values.min() >= -1e-9, name


def test_ledger_of_a_coach_into_a_curve_closes(coach):
    """What creep loses is what the motion and the drive give up; the wheels' own spin and the car's swing are small."""
    energy = coach[1].fw.energy
    check_ledger(energy)
    assert np.abs(energy.residual.values).max() < CLOSES * lost(energy)[-1]
    change = energy.isel(time=-1) - energy.isel(time=0)
    given = float(change.in_drive + change.in_carried - change.kinetic)
    assert float(change.lost_creep) == pytest.approx(given, rel=0.1)
    assert float(change.lost_creep) > 0.9 * lost(energy)[-1] > 1e4
    # a wheel holds 0.4 times 51 kN times an approach of 0.1 mm = 2 J; on two patches of twice the force each some five
    # times as much
    assert np.abs(energy.contact.values).max() < 8 * 2.0 * 5.0


def test_free_oscillation_gives_its_energy_to_the_dampers():
    """A car body thrown up with v brings m v^2/2 along; springs and dampers have it after a quarter of its swing.

    No drive, no curve: wheels roll freely. All is linear but for turning springs, so that little is left over.
    """
    keys = ("track.layout=[{kind='straight', length_m=300.0}]", "drive.kind=none", "run.end_position_m=30", ALSO)
    simulation = build_simulation(read_scenario(EXAMPLES / "manchester_s_curve.toml", keys), {})
    at, thrown, masses = simulation.assembly.units.offset, 0.2, simulation.model.units.mass
    body = simulation.assembly.unit_names.index("car_body")
    simulation.state.history[:, 1, at[body] + 2] = thrown
    energy = execute(simulation).fw.energy
    brought, speed = 0.5 * masses[body] * thrown**2, 40.0 / 3.6
    boxes = simulation.model.wheelsets.box_mass.sum()
    spin = sum(simulation.model.units.inertia[u, 1, 1] * (speed / 0.46) ** 2 / 2 for u in range(3, 7))
    still = 0.5 * (masses.sum() + boxes) * speed**2 + spin
    assert float(energy.kinetic[0]) == pytest.approx(still + brought, rel=1e-6)
    check_ledger(energy)
    assert np.abs(energy.residual.values).max() < 1e-2 * brought
    assert float(np.ptp((energy.weight + energy.suspension).values)) > 0.2 * brought
    assert brought > float(energy.lost_dampers[-1]) > 0.2 * brought


@pytest.mark.parametrize("mode", ["eulerian", "lagrangian"])
def test_ledger_of_flexible_wheelset_and_rails_closes(mode):
    """AS4 on rough flexible rails: modes, rails, pads, ballast, layers and window take part."""
    keys = (*FLEXIBLE, f"wheelset.front.mode={mode}", "run.duration_s=0.3", ALSO)
    results = run_scenario(read_scenario(EXAMPLES / "as4_curve.toml", keys))
    energy = results.fw.energy
    check_ledger(energy)
    end = energy.isel(time=-1)
    for name in ("dampers", "friction", "creep", "contact", "modes", "rails", "pads", "ballast"):
        assert float(end[f"lost_{name}"]) > 0.0, name
    assert float(end.modes) > 1.0 and float(end.rails_kinetic) > 0.01
    # Clapeyron: what a load at rest has put into linear rails is half of it times its way
    force, way = results.wheel_force.isel(time=0), results.rail_displacement.isel(time=0)
    work = -0.5 * float((force.sel(force="Q") * way.sel(axis="z")).sum())
    assert float(energy.rails_elastic[0]) == pytest.approx(work, rel=0.02)


def test_what_has_no_ledger_is_refused():
    for keys, text in (
        (("run.integrator=dormand_prince",), "sums are those of the implicit step"),
        (
            ("track.model=flexible", "track.elements_per_bay=2", "run.step_s=1e-4", "track.foundation.lift_off=true"),
            "force laws",
        ),
    ):
        with pytest.raises(ScenarioError, match=text):
            build_simulation(read_scenario(EXAMPLES / "manchester_s_curve.toml", (*keys, ALSO)), {})
