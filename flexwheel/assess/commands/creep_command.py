"""flexwheel creep: creep forces of one elliptic contact patch."""

from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.assess.commands import contact_options
from flexwheel.base.command import Command
from flexwheel.contact.friction.coefficient import FRICTION

METHODS = ("linear", "fastsim", "polach")
BOUNDS = ("elliptic", "parabolic")


@dataclass(frozen=True)
class PatchOptions:
    """An elliptic contact patch, its creepages and the law."""

    method: Annotated[str, typer.Option("--method", help="linear (saturated where --mu is given), fastsim or polach.")]
    a_mm: Annotated[float, typer.Option("--a-mm", help="Semi-axis along rolling.")]
    b_mm: Annotated[float, typer.Option("--b-mm", help="Lateral semi-axis.")]
    load_kn: Annotated[float | None, typer.Option("--load-kn", help="Normal load.")] = None
    mu: Annotated[float | None, typer.Option("--mu", help=contact_options.MU_HELP)] = None
    xi: Annotated[float, typer.Option("--xi", help="Longitudinal creepage.")] = 0.0
    eta: Annotated[float, typer.Option("--eta", help="Lateral creepage.")] = 0.0
    phi_1_mm: Annotated[float, typer.Option("--phi-1-mm", help="Spin creepage [1/mm].")] = 0.0
    g_gpa: Annotated[float, typer.Option("--g-gpa", help="Shear modulus of both bodies.")] = 82.0
    nu: Annotated[float, typer.Option("--nu", help="Poisson's ratio of both bodies.")] = 0.28
    traction_bound: Annotated[
        str,
        typer.Option("--bound", help="Traction bound of fastsim: elliptic, or parabolic as in Kalker 1982."),
    ] = "elliptic"
    cells: Annotated[int, typer.Option("--cells", help="Cells of a strip along rolling (fastsim).")] = 100
    strips: Annotated[int, typer.Option("--strips", help="Strips across (fastsim).")] = 100
    k_adhesion: Annotated[float, typer.Option("--k-adhesion", help="Polach's factor in the adhesion area.")] = 1.0
    k_slip: Annotated[float, typer.Option("--k-slip", help="Polach's factor in the slip area.")] = 1.0
    frame: Annotated[
        str,
        typer.Option(
            "--frame",
            help="wheel: x forward, y left, creepage wheel minus rail, force on the wheel; "
            "rail: x forward, y right, z down, creepage rail minus wheel, force on the rail (as CONTACT). "
            "Counts for input and output.",
        ),
    ] = "wheel"


TOPIC = "contact"
EXAMPLES = ("flexwheel creep --method fastsim --a-mm 6 --b-mm 4 --load-kn 60 --xi 0.001 --mu 0.3",)


def command(*, patch: PatchOptions, printed: contact_options.Printed):
    """Creep force of an elliptic contact patch by Kalker's linear theory, FASTSIM or Polach's formula.

    JSON keys (docs/contact.md): method, frame, force_x_n, force_y_n, moment_z_n_m, force_x_mu_n, force_y_mu_n (over
    mu N), saturation (|F| over mu N), kalker (c11, c22, c23, c33), inputs.
    """
    printed.write(creep_force(patch), _text)


def creep_force(patch):
    """What the command prints, as plain values in SI."""
    import numpy as np

    from flexwheel.contact.fastsim import fastsim
    from flexwheel.contact.kalker_coefficients import kalker_coefficients
    from flexwheel.contact.kalker_linear import kalker_linear
    from flexwheel.extensions.tangential_laws.polach import polach

    _check(patch)
    a, b, mu = 1e-3 * patch.a_mm, 1e-3 * patch.b_mm, patch.mu
    load = None if patch.load_kn is None else 1e3 * patch.load_kn
    sign = 1.0 if patch.frame == "wheel" else -1.0  # half a turn about x, and the bodies exchanged
    creepage = sign * patch.xi, patch.eta, 1e3 * patch.phi_1_mm
    material = dict(shear_modulus=1e9 * patch.g_gpa, poisson=patch.nu)
    bounds, grid = patch.traction_bound, (patch.cells, patch.strips)
    marched = patch.method == "fastsim"
    if marched:
        force = fastsim(a, b, load, mu, creepage, bound=bounds, grid=grid, **material)
    elif patch.method == "polach":
        force = polach(a, b, load, mu, creepage, k_adhesion=patch.k_adhesion, k_slip=patch.k_slip, **material)
    else:
        force = kalker_linear(a, b, creepage, mu=mu, load=load, **material)
    fx, fy, mz = sign * force[0], force[1], force[2]
    bound = mu * load if mu is not None and load is not None else np.nan
    c11, c22, c23, c33 = kalker_coefficients(a / b, patch.nu)
    return {
        "method": patch.method,
        "frame": patch.frame,
        "force_x_n": float(fx) + 0.0,
        "force_y_n": float(fy) + 0.0,
        "moment_z_n_m": float(mz) + 0.0,
        "force_x_mu_n": float(fx / bound) + 0.0 if bound else np.nan,
        "force_y_mu_n": float(fy / bound) + 0.0 if bound else np.nan,
        "saturation": float(np.hypot(fx, fy) / bound) if bound else np.nan,
        "kalker": {"c11": float(c11), "c22": float(c22), "c23": float(c23), "c33": float(c33)},
        "inputs": {
            "a_m": a, "b_m": b, "load_n": load, "mu": mu, "xi": patch.xi, "eta": patch.eta,
            "phi_1_m": 1e3 * patch.phi_1_mm, "shear_modulus_pa": 1e9 * patch.g_gpa, "poisson": patch.nu,
            "bound": bounds if marched else None, "cells": patch.cells if marched else None,
            "strips": patch.strips if marched else None,
        },
    }  # fmt: skip


def _check(patch):
    from flexwheel.base.errors import ScenarioError

    for name, value, known in (
        ("--method", patch.method, METHODS),
        ("--bound", patch.traction_bound, BOUNDS),
        ("--frame", patch.frame, ("wheel", "rail")),
    ):
        if value not in known:
            raise ScenarioError(f"{name} must be one of {', '.join(known)}, got {value}")
    if patch.method != "linear" and (patch.load_kn is None or patch.mu is None):
        raise ScenarioError(f"--method {patch.method} needs --load-kn and --mu")
    ranges = [
        ("--a-mm", patch.a_mm, 1e-3, 1e3), ("--b-mm", patch.b_mm, 1e-3, 1e3), ("--g-gpa", patch.g_gpa, 1e-3, 1e4),
        ("--nu", patch.nu, 0.0, 0.5), ("--cells", patch.cells, 4, 4000), ("--strips", patch.strips, 4, 4000),
        ("--load-kn", patch.load_kn, 0.0, 1e5), ("--mu", patch.mu, FRICTION.low, FRICTION.high),
        ("--xi", patch.xi, -10.0, 10.0), ("--eta", patch.eta, -10.0, 10.0),
        ("--phi-1-mm", patch.phi_1_mm, -10.0, 10.0),
    ]  # fmt: skip
    for name, value, low, high in ranges:
        # of a whole number too, however many digits it has; nan is in no range
        if value is not None and not low <= value <= high:
            raise ScenarioError(f"{name} must be {low:g} to {high:g}, got {value!r}")


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


COMMAND = Command("creep", command, TOPIC, EXAMPLES)
