"""Short versions of the stories under examples/stories: arguments of their main()."""

from pathlib import Path

STORIES = Path(__file__).resolve().parents[1] / "examples" / "stories"
COARSE = str(STORIES.parents[1] / "meshes" / "wheelset_coarse.inp")
SHORT = {"run.duration_s": 0.6, "run.settling_s": 0.1}
MESHES = {f"wheelset.wheelset_{k}.mesh": COARSE for k in (1, 2, 3, 4)}
ROUGH = {"run.speed_kmh": 100.0, "wheelset.front.mesh": COARSE}
FEWER = {"modes_up_to_hz": 1500.0, "highest_hz": 100.0, "step_hz": 4.0, "harmonics": 1}
NEEDS = {"functional_unit": "fmpy", "safety": "plotly"}  # libraries that are no dependencies
CALLS = {
    "hot_spots": {"mesh": COARSE, **SHORT},
    "coach": {**SHORT, **MESHES, "run.duration_s": 0.3},
    "polygon": {**SHORT, "wheelset.front.formulation": "rigid", "run.duration_s": 1.0},
    "heat_map": {**SHORT, "track.model": "massless", "speeds": (50.0, 80.0), "radii": (250.0, 300.0), "workers": 0},
    "axle_fatigue": {"mesh": COARSE, **SHORT},
    "response_band": {"changes": ROUGH, "variants": ({},), **FEWER},
    "functional_unit": {"seconds": 0.2},
    "safety": {"run.end_position_m": 60.0, "run.settling_s": 0.2},
    "locomotive": {"run.duration_s": 0.5},
    "resume": {},
    "vary_stiffness": {"primary": (0.6e6,)},
    "fit_stiffness": {"true": 4.0e5},
    "state_space": {},
    "own_irregularity": {},
    "own_friction_law": {"run.end_position_m": 52.0},
    "point_sensor": {"run.end_position_m": 40.0},
}
