"""flexwheel creep: creep forces of one elliptic contact patch."""

from __future__ import annotations

from typing import Annotated

import typer

from flexwheel.command_line import contact_options, mesh_options

METHODS = ("linear", "fastsim", "polach")
BOUNDS = {"par": "parabolic", "ell": "elliptic"}


def command(
    method: Annotated[str, typer.Option("--method", help="linear (saturated where --mu is given), fastsim or polach.")],
    a_mm: Annotated[float, typer.Option("--a-mm", help="Semi-axis along rolling.")],
    b_mm: Annotated[float, typer.Option("--b-mm", help="Lateral semi-axis.")],
    load_kn: Annotated[float | None, typer.Option("--load-kn", help="Normal load.")] = None,
    mu: Annotated[float | None, typer.Option("--mu", help="Friction coefficient.")] = None,
    xi: Annotated[float, typer.Option("--xi", help="Longitudinal creepage.")] = 0.0,
    eta: Annotated[float, typer.Option("--eta", help="Lateral creepage.")] = 0.0,
    phi_1_mm: Annotated[float, typer.Option("--phi-1-mm", help="Spin creepage [1/mm].")] = 0.0,
    g_gpa: Annotated[float, typer.Option("--g-gpa", help="Shear modulus of both bodies.")] = 82.0,
    nu: Annotated[float, typer.Option("--nu", help="Poisson's ratio of both bodies.")] = 0.28,
    traction_bound: Annotated[
        str, typer.Option("--bound", help="Traction bound of fastsim: ell, or par as in Kalker 1982.")
    ] = "ell",
    cells: Annotated[int, typer.Option("--cells", help="Cells of a strip along rolling (fastsim).")] = 100,
    strips: Annotated[int, typer.Option("--strips", help="Strips across (fastsim).")] = 100,
    k_adhesion: Annotated[float, typer.Option("--k-adhesion", help="Polach's factor in the adhesion area.")] = 1.0,
    k_slip: Annotated[float, typer.Option("--k-slip", help="Polach's factor in the slip area.")] = 1.0,
    frame: Annotated[
        str,
        typer.Option(
            "--frame",
            help="wheel: x forward, y left, creepage wheel minus rail, force on the wheel; "
            "rail: x forward, y right, z down, creepage rail minus wheel, force on the rail (as CONTACT). "
            "Counts for input and output.",
        ),
    ] = "wheel",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units.")] = False,
    output: mesh_options.Output = None,
):
    """Creep force of an elliptic contact patch by Kalker's linear theory, FASTSIM or Polach's formula.

    JSON keys (docs/contact.md): method, frame, force_x_n, force_y_n, moment_z_n_m, force_x_mu_n, force_y_mu_n (over
    mu N), saturation (|F| over mu N), kalker (c11, c22, c23, c33), inputs.
    """
    result = creep_force(
        method, a_mm, b_mm, load_kn, mu, xi, eta, phi_1_mm, g_gpa, nu, traction_bound, cells, strips, k_adhesion,
        k_slip, frame,
    )  # fmt: skip
    mesh_options.write_text(contact_options.to_json(result) if as_json else _text(result), output)


def creep_force(
    method, a_mm, b_mm, load_kn, mu, xi=0.0, eta=0.0, phi_1_mm=0.0, g_gpa=82.0, nu=0.28, traction_bound="ell",
    cells=100, strips=100, k_adhesion=1.0, k_slip=1.0, frame="wheel",
):  # fmt: skip
    """What the command prints, as plain values in SI."""
    import numpy as np

    from flexwheel.contact.fastsim import fastsim
    from flexwheel.contact.kalker_coefficients import kalker_coefficients
    from flexwheel.contact.kalker_linear import kalker_linear
    from flexwheel.contact.polach import polach

    _check(method, a_mm, b_mm, load_kn, mu, (xi, eta, phi_1_mm), g_gpa, nu, traction_bound, (cells, strips), frame)
    a, b, load = 1e-3 * a_mm, 1e-3 * b_mm, None if load_kn is None else 1e3 * load_kn
    sign = 1.0 if frame == "wheel" else -1.0  # half a turn about x, and the bodies exchanged
    creepage = sign * xi, eta, 1e3 * phi_1_mm
    material = dict(shear_modulus=1e9 * g_gpa, poisson=nu)
    if method == "fastsim":
        force = fastsim(a, b, load, mu, creepage, bound=BOUNDS[traction_bound], grid=(cells, strips), **material)
    elif method == "polach":
        force = polach(a, b, load, mu, creepage, k_adhesion=k_adhesion, k_slip=k_slip, **material)
    else:
        force = kalker_linear(a, b, creepage, mu=mu, load=load, **material)
    fx, fy, mz = sign * force[0], force[1], force[2]
    bound = mu * load if mu is not None and load is not None else np.nan
    c11, c22, c23, c33 = kalker_coefficients(a / b, nu)
    return {
        "method": method,
        "frame": frame,
        "force_x_n": float(fx) + 0.0,
        "force_y_n": float(fy) + 0.0,
        "moment_z_n_m": float(mz) + 0.0,
        "force_x_mu_n": float(fx / bound) + 0.0 if bound else np.nan,
        "force_y_mu_n": float(fy / bound) + 0.0 if bound else np.nan,
        "saturation": float(np.hypot(fx, fy) / bound) if bound else np.nan,
        "kalker": {"c11": float(c11), "c22": float(c22), "c23": float(c23), "c33": float(c33)},
        "inputs": {
            "a_m": a, "b_m": b, "load_n": load, "mu": mu, "xi": xi, "eta": eta, "phi_1_m": 1e3 * phi_1_mm,
            "shear_modulus_pa": 1e9 * g_gpa, "poisson": nu,
            "bound": BOUNDS[traction_bound] if method == "fastsim" else None,
            "cells": cells if method == "fastsim" else None, "strips": strips if method == "fastsim" else None,
        },
    }  # fmt: skip


def _check(method, a_mm, b_mm, load_kn, mu, creepage, g_gpa, nu, traction_bound, grid, frame):
    """Refuse at the door, naming the option."""

    from flexwheel.errors import ScenarioError

    for name, value, known in (
        ("--method", method, METHODS),
        ("--bound", traction_bound, tuple(BOUNDS)),
        ("--frame", frame, ("wheel", "rail")),
    ):
        if value not in known:
            raise ScenarioError(f"{name} {value}: expected one of {', '.join(known)}")
    if method != "linear" and (load_kn is None or mu is None):
        raise ScenarioError(f"--method {method} needs --load-kn and --mu")
    ranges = [("--a-mm", a_mm, 1e-3, 1e3), ("--b-mm", b_mm, 1e-3, 1e3), ("--g-gpa", g_gpa, 1e-3, 1e4)]
    ranges += [("--nu", nu, 0.0, 0.5), ("--cells", grid[0], 4, 4000), ("--strips", grid[1], 4, 4000)]
    if load_kn is not None:
        ranges.append(("--load-kn", load_kn, 0.0, 1e5))
    if mu is not None:
        ranges.append(("--mu", mu, 0.0, 10.0))
    ranges += [
        (name, value, -10.0, 10.0) for name, value in zip(("--xi", "--eta", "--phi-1-mm"), creepage, strict=True)
    ]
    for name, value, low, high in ranges:
        if not low <= value <= high:  # of a whole number too, however many digits it has; nan is in no range
            raise ScenarioError(f"{name} {value!r}: expected {low:g} to {high:g}")


def _text(result):
    inputs = result["inputs"]
    turned = {"wheel": "on the wheel, y left", "rail": "on the rail, y right"}[result["frame"]]
    lines = [
        f"{result['method']}: a/b = {inputs['a_m'] / inputs['b_m']:.4g}, "
        + ", ".join(f"{name} = {value:.4f}" for name, value in result["kalker"].items()),
        f"Fx = {result['force_x_n']:.6g} N, Fy = {result['force_y_n']:.6g} N, "
        f"Mz = {result['moment_z_n_m']:.6g} N m ({turned})",
    ]
    if inputs["mu"] and inputs["load_n"]:
        lines.append(
            f"over mu N: {result['force_x_mu_n']:.5f}, {result['force_y_mu_n']:.5f}; "
            f"together {result['saturation']:.5f}"
        )
    return "\n".join(lines)
