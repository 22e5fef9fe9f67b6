"""Mesh options that every mesh command shares, and the mesh they give."""

import json
import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.base.errors import MeshError, ScenarioError

MeshPath = Annotated[str, typer.Argument(help="Mesh file: .inp, .bdf, .msh, .cdb, .unv, .med, .vtk", metavar="MESH")]
MassMatrix = Annotated[str, typer.Option("--mass", help="Mass matrix: consistent or lumped.")]
Clamps = Annotated[
    list[str] | None,
    typer.Option("--clamp", help="Hold nodes: AXIS=VALUE (y=1.1, |y|=1.1, x<-1) or a node set; may be repeated."),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option("--ignore", help="Card to leave out although it carries mass, stiffness or a constraint."),
]
Output = Annotated[str | None, typer.Option("--output", "-o", help="Write the output to this file.")]

ELEMENTS = {"default": {}, "full": {"hex8": "full", "hex20": "full", "wedge6": "full"}}


@dataclass(frozen=True)
class MeshOptions:
    """What a mesh file does not say: material (all three, or none), unit of length; and how its elements are taken."""

    youngs_modulus_pa: Annotated[
        float | None, typer.Option("--youngs-modulus-pa", "-E", help="Young's modulus [Pa], in place of the file's.")
    ] = None
    poissons_ratio: Annotated[float | None, typer.Option("--poissons-ratio", "--nu", help="Poisson's ratio.")] = None
    density_kg_m3: Annotated[float | None, typer.Option("--density-kg-m3", "--rho", help="Density [kg/m3].")] = None
    unit: Annotated[str, typer.Option("--unit", help="Length unit of the file: m, mm, cm, dm or in.")] = "m"
    element: Annotated[
        str,
        typer.Option("--element", help="default; full: plain hexahedra and wedges, 20 nodes with 3x3x3 (C3D8, C3D20)."),
    ] = "default"

    fit: Annotated[
        list[str] | None,
        typer.Option("--fit", help="Press fit PAIR:MM of a tie or contact pair; may be repeated. 0: a tie."),
    ] = None

    def fits(self):
        """(pair, interference [mm]) of every press fit."""
        found = []
        for text in self.fit or ():
            pair, _, size = text.rpartition(":")
            try:
                found.append((pair, float(size)))
            except ValueError:
                found.append(("", 0.0))
            if not pair or not 0.0 <= found[-1][1] <= 10.0:
                raise ScenarioError(f"--fit must be PAIR:MM, e.g. SEAT:0.13 with 0 to 10 mm, got {text}")
        return found

    def material(self):
        """Material, or None when nothing was given."""
        from flexwheel.body.mesh import Material

        given = (self.youngs_modulus_pa, self.poissons_ratio, self.density_kg_m3)
        if all(value is None for value in given):
            return None
        if any(value is None for value in given):
            raise ScenarioError(
                "give --youngs-modulus-pa, --poissons-ratio and --density-kg-m3 together, or none of them"
            )
        return Material(*given, name="command line")

    def load(self, path, ignore=()):
        """Mesh and audit; a mesh without material is refused with what to give."""
        from flexwheel.body.mesh_format import read_mesh
        from flexwheel.body.press_fit import tie_rows

        mesh, audit = read_mesh(
            path, materials=self.material(), length_unit=self.unit, ignore=ignore or (),
            tied=[pair for pair, _ in self.fits()],
        )  # fmt: skip
        for pair, _ in self.fits():
            tie_rows(mesh, pair)
        if not mesh.materials:
            raise MeshError(
                f"{path}: no material in the file; give --youngs-modulus-pa 2.1e11 --poissons-ratio 0.3 "
                "--density-kg-m3 7850 or the like"
            )
        return mesh, audit

    def formulation(self, mass="consistent"):
        """FormulationOptions, with the mass matrix of the option --mass."""
        from flexwheel.body.formulation import FormulationOptions

        if self.element not in ELEMENTS:
            raise ScenarioError(f"--element must be one of {', '.join(ELEMENTS)}, got {self.element}")
        return FormulationOptions(**ELEMENTS[self.element], mass=mass)


@dataclass(frozen=True)
class MeshPrinted:
    """Where to and as what the result of a mesh is printed."""

    as_json: Annotated[bool, typer.Option("--json", help="Print JSON in SI units with the file's own ids.")] = False
    output: Output = None

    def write(self, result, text, indent=1):
        """Print a result, as JSON or by text(result)."""
        write_text(json.dumps(result, indent=indent) if self.as_json else text(result), self.output)


def write_text(text, output):
    """To standard output, or whole to a file."""
    if output is None:
        sys.stdout.write(text if text.endswith("\n") else text + "\n")
        return
    from pathlib import Path

    from flexwheel.base.output_files import write_whole

    path = Path(output)
    if not path.parent.is_dir():
        raise ScenarioError(f"{path}: there is no folder {path.parent}")
    write_whole(path, lambda target: target.write_text(text + "\n", encoding="utf-8"))
