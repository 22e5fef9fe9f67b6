"""Valid inputs that the fuzzer starts from: shipped ones made short, and small files of every kind."""

from __future__ import annotations

import copy
import tomllib
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
VEHICLES = ROOT / "flexwheel" / "vehicle" / "files"
TRACK = ROOT / "track"
MESHES = ROOT / "meshes"
STEEL = {"youngs_modulus_pa": 2.1e11, "poissons_ratio": 0.3, "density_kg_m3": 7850.0}


@cache
def _tree(path):
    return tomllib.loads(Path(path).read_text(encoding="utf-8"))


def tree(path):
    """Tree of a shipped TOML file."""
    return copy.deepcopy(_tree(path))


def unlabelled(table):
    """Tables with plain values in place of { value, source, confidence }."""
    if not isinstance(table, dict):
        return table
    return table["value"] if "value" in table else {key: unlabelled(item) for key, item in table.items()}


def vehicle_run():
    """AS4 on a flexible track, 40 steps."""
    t = tree(ROOT / "examples" / "as4_curve.toml")
    t["run"] |= {"duration_s": 0.002, "step_s": 5e-5, "output_step_s": 1e-4, "compare_modes": []}
    del t["wheelset"], t["assumed"]
    t["track"]["layout"][-1]["length_m"] = 100.0
    return t


def flexible_run():
    """AS4 with the coarse wheelset."""
    t = vehicle_run()
    t["wheelset"] = {"front": {
        "formulation": "flexible", "mesh": str(MESHES / "wheelset_coarse.inp"), "mode": "eulerian",
        "fixed_interface_modes": 7, "exact_below_hz": 0.0, "damping_ratio": 0.01,
        "control_nodes": ["web_fillet_right", "tread_right"],
    }}  # fmt: skip
    t["track"]["model"] = "massless"
    for key in ("extent", "elements_per_bay"):
        t["track"].pop(key, None)
    return t


def coach_run():
    """Manchester coach on rigid rails, 20 steps."""
    t = tree(ROOT / "examples" / "manchester_s_curve.toml")
    del t["run"]["end_position_m"], t["assumed"]
    t["run"] |= {"duration_s": 0.01}
    return t


def wagon_in_train():
    """A wagon in a short train."""
    t = tree(ROOT / "examples" / "freight_wagon_in_train.toml")
    del t["assumed"]
    t["run"] |= {"duration_s": 0.02}
    t["train"]["formation"] = [{"vehicle": "locomotive"}, {"vehicle": "four_axle_wagon_empty", "count": 3}]
    t["train"]["place"] = 3
    return t


def train_run():
    """Five vehicles, ten seconds."""
    t = tree(ROOT / "examples" / "train_2.toml")
    t["run"] |= {"duration_s": 10.0, "start_position_m": 500.0, "speed_kmh": 30.0, "check_tolerance": False}
    t["run"].pop("deflection_coupler")
    t["train"]["formation"] = [
        {"vehicle": "locomotive", "count": 1},
        {"vehicle": "ore_wagon", "count": 4, "pair": "rigid_bar"},
    ]
    t["route"] = {
        "distance_m": [0.0, 1000.0, 5000.0],
        "gradient_permille": [0.0, 2.0, 0.0],
        "curvature_1_km": [0.0, 1.0, 0.0],
    }
    t["driving"] = {
        "mode": "by_time", "at": [0.0, 2.0, 6.0], "notch": [4.0, 4.0, 0.0], "brake_at": [0.0, 5.0], "brake": [0.0, 0.5]
    }  # fmt: skip
    return t


def realtime_run():
    """Locomotive of the real-time core, 50 steps."""
    t = tree(ROOT / "examples" / "feve3000_curve.toml")
    t["run"]["duration_s"] = 0.05
    del t["assumed"]
    return t


def reduced_run():
    """Simplified model of the Manchester coach, beside the full one, 0.02 s."""
    t = tree(ROOT / "examples" / "manchester_curve.toml")
    del t["assumed"], t["run"]["end_position_m"]
    t["run"] |= {"duration_s": 0.02}
    return t


def irregularity_csv():
    """Track irregularity file."""
    s = np.arange(0.0, 80.0, 0.5)
    rows = [
        f"{x:g},{1.5 * np.sin(x):.4f},{2 * np.cos(x / 3):.4f},{-1.5 * np.sin(x):.4f},{2 * np.cos(x / 3 + 1):.4f}"
        for x in s
    ]
    head = "s_m,left_lateral_mm,left_vertical_mm,right_lateral_mm,right_vertical_mm"
    return "\n".join([head, *rows]) + "\n"


def delta_r_csv():
    """Difference of rolling radii of a wheelset."""
    y = np.arange(-8.0, 8.01, 0.25)
    return "\n".join(["y_mm,delta_r_mm", *(f"{v:g},{0.25 * v + 0.002 * v**3:.5f}" for v in y)]) + "\n"


def box_inp(nx=2, ny=4, nz=2):
    """Bar of 8-node hexahedra, Abaqus deck."""
    nodes, elements = [], []
    number = lambda i, j, k: 1 + i + (nx + 1) * (j + (ny + 1) * k)  # noqa: E731
    for k in range(nz + 1):
        for j in range(ny + 1):
            for i in range(nx + 1):
                nodes.append(f"{number(i, j, k)}, {0.05 * i:.4f}, {0.2 * j:.4f}, {0.05 * k:.4f}")
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                ring = [(0, 0), (1, 0), (1, 1), (0, 1)]
                ids = [number(i + a, j + b, k + c) for c in (0, 1) for a, b in ring]
                elements.append(f"{len(elements) + 1}, " + ", ".join(map(str, ids)))
    fixed = [str(number(i, 0, k)) for k in range(nz + 1) for i in range(nx + 1)]
    return "\n".join([
        "*HEADING", "bar", "*NODE", *nodes, "*ELEMENT, TYPE=C3D8, ELSET=ALL", *elements,
        "*NSET, NSET=END", ", ".join(fixed), "*MATERIAL, NAME=STEEL", "*ELASTIC", "2.1e11, 0.3", "*DENSITY", "7850.",
        "*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL", "",
    ])  # fmt: skip


@cache
def small_meshes():
    """Small meshes of every format: (suffix, bytes)."""
    import meshio

    grid = np.array([[i * 0.05, j * 0.2, k * 0.05] for k in range(2) for j in range(4) for i in range(2)])
    cells = np.array([[4 * 2 * 0 + 2 * j + n for n in (0, 1, 3, 2, 8, 9, 11, 10)] for j in range(3)])
    mesh = meshio.Mesh(grid, [("hexahedron", cells)])
    out = [(".inp", box_inp().encode())]
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        for suffix, options in (
            (".msh", {"file_format": "gmsh22", "binary": False}),
            (".msh", {"file_format": "gmsh", "binary": False}),
            (".msh", {"file_format": "gmsh"}),
            (".bdf", {}),
            (".vtk", {}),
            (".vtu", {}),
        ):
            path = Path(folder) / f"m{suffix}"
            try:
                mesh.write(path, **options)
                out.append((suffix, path.read_bytes()))
            except Exception:  # noqa: S112  a writer that this meshio has not
                continue
    bdf = ["SOL 103", "CEND", "BEGIN BULK", "MAT1,1,2.1+11,,.3,7850.", "PSOLID,1,1"]
    bdf += [f"GRID,{n + 1},,{x:.3f},{y:.3f},{z:.3f}" for n, (x, y, z) in enumerate(grid)]
    bdf += [
        f"CHEXA,{e + 1},1,{','.join(str(n + 1) for n in row[:6])},+\n+,{row[6] + 1},{row[7] + 1}"
        for e, row in enumerate(cells)
    ]
    out.append((".bdf", "\n".join([*bdf, "ENDDATA", ""]).encode()))
    return out
