"""flexwheel reduce: import a mesh, reduce it, keep the result for runs, print the audit, write it for another code."""

import time
from dataclasses import dataclass
from typing import Annotated

import typer

from flexwheel.assess.commands import mesh_options
from flexwheel.assess.commands.contact_options import check_accepted
from flexwheel.base.command import Command
from flexwheel.base.errors import MeshError


@dataclass(frozen=True)
class BasisOptions:
    """What the reduced body is made of."""

    modes_up_to_hz: Annotated[
        float | None,
        typer.Option(
            "--modes-up-to-hz", help="All free modes up to here, beside the 12 constraint modes; as `run` by default."
        ),
    ] = None
    fixed_interface_modes: Annotated[
        int | None,
        typer.Option("--fixed-interface-modes", help="Number of Craig-Bampton modes instead; pairs stay whole."),
    ] = None
    exact_below_hz: Annotated[
        float | None,
        typer.Option("--exact-below-hz", help="Modes up to here are exact; 0: Craig-Bampton only."),
    ] = None
    coupling: Annotated[str, typer.Option("--coupling", help="Journal to interface node: averaging or rigid.")] = (
        "averaging"
    )
    route: Annotated[str, typer.Option("--route", help="auto, cyclic or general.")] = "auto"
    damping_ratio: Annotated[float, typer.Option("--damping-ratio", help="Damping ratio of every mode.")] = 0.01
    control_node: Annotated[
        list[str] | None,
        typer.Option("--control-node", help="Preset name, node set, node id or x,y,z in m; may be repeated."),
    ] = None
    submodel: Annotated[
        bool, typer.Option("--submodel", help="Stress of the control nodes from split elements around them.")
    ] = False
    interfaces: Annotated[str, typer.Option("--interfaces", help="journals, or end_faces as in paper 004.")] = (
        "journals"
    )
    interface_set: Annotated[
        list[str] | None, typer.Option("--interface-set", help="Node set of a journal: give two, left first.")
    ] = None
    tread_set: Annotated[
        list[str] | None, typer.Option("--tread-set", help="Node set of a tread: give two, left first.")
    ] = None
    axle_axis: Annotated[str, typer.Option("--axle-axis", help="Axle along y, x, z or auto.")] = "y"


TOPIC = "mesh"
RARE = (
    "--youngs-modulus-pa", "--poissons-ratio", "--density-kg-m3", "--element", "--mass", "--interface-set",
    "--tread-set", "--of", "--control-node-tolerance-mm", "--ignore", "--fit", "--accept", "--route", "--coupling",
    "--exact-below-hz", "--submodel",
)  # fmt: skip
EXAMPLES = (
    "flexwheel reduce meshes/wheelset.inp --json",
    "flexwheel reduce examples/manchester_car_body.toml --write car_body.nc",
)


def command(
    mesh: mesh_options.MeshPath,
    *,
    reduction: BasisOptions,
    options: mesh_options.MeshOptions,
    mass: mesh_options.MassMatrix = "consistent",
    ignore: mesh_options.Ignore = None,
    accept: Annotated[
        list[str] | None, typer.Option("--accept", help="Disagreement to accept; may be repeated.")
    ] = None,
    write: Annotated[
        str | None, typer.Option("--write", help="File for another code: .nc, .pch, .op4, .inp.", metavar="FILE")
    ] = None,
    of: Annotated[str | None, typer.Option("--of", help="Body or wheelset of a scenario.", metavar="NAME")] = None,
    control_node_tolerance_mm: Annotated[
        float, typer.Option("--control-node-tolerance-mm", help="Largest distance of a control node from its position.")
    ] = 5.0,
    view: Annotated[
        str | None,
        typer.Option(
            "--view", help="What was found in the mesh: .png, or .html, a page with the modes.", metavar="FILE"
        ),
    ] = None,
    printed: mesh_options.MeshPrinted,
):
    """Reduce a wheelset mesh, or the body or wheelset NAME of a scenario, to its flexible modes.

    The body is kept under a key of mesh and options, where `run` finds it again. --write: matrices between attachments
    and modes (docs/reduced_bodies.md). --view: docs/meshes.md. JSON keys: docs/commands.md.
    """
    started = time.perf_counter()
    from flexwheel.run.keys.vehicle_keys import WheelsetSection
    from flexwheel.run.progress import progress
    from flexwheel.run.reduced_bodies import reduced_body
    from flexwheel.run.wheelset_mesh import wheelset_mesh

    if mesh.lower().endswith(".toml") or of is not None:
        given = {**vars(reduction), **vars(options), "mass": mass, "ignore": ignore, "accept": accept}
        usual = {**vars(BasisOptions()), **vars(mesh_options.MeshOptions()), "mass": "consistent"}
        idle = [key for key in given if given[key] != usual.get(key)]
        return _of_scenario(mesh, of, idle, (write, view), printed)
    asked = vars(reduction) | vars(options)
    asked |= {"mesh_unit": asked.pop("unit"), "interface_sets": _two(asked.pop("interface_set"), "--interface-set")}
    del asked["fit"]
    fits = tuple({"pair": pair, "interference_mm": size} for pair, size in options.fits())
    asked |= {"tread_sets": _two(asked.pop("tread_set"), "--tread-set"), **_nodes(asked.pop("control_node"))}
    section = _section(
        WheelsetSection, formulation="flexible", mesh=mesh, mass=mass, ignore=tuple(ignore or ()),
        control_node_tolerance_mm=control_node_tolerance_mm, press_fits=fits, **asked,
    )  # fmt: skip
    from flexwheel.body.mesh_format import WARNING, read_mesh
    from flexwheel.run.build.wheelset_agreement import tread_disagreements

    accepted = check_accepted(accept)
    with progress("reduction") as report:
        solid = None
        try:
            solid, audit = wheelset_mesh("mesh", section, accepted, _option)
            body, unkept = reduced_body(solid, section, say=lambda line: report(0.0, line))
        except MeshError as error:
            if view:
                solid = solid or read_mesh(mesh, None, section.mesh_unit, section.ignore, [f["pair"] for f in fits])[0]
                _draw(solid, None, view, mesh)
            raise (error if str(mesh) in str(error) else MeshError(f"{mesh}: {error}")) from None
        if view:
            report(0.9, "picture")
            _draw(solid, body, view, mesh, _surface(view, solid, section), (*audit, *unkept, *body.audit))
    audit = (*audit, *unkept, *(WARNING + line for line in tread_disagreements("wheelset", body, accepted)))
    result = describe(mesh, body, audit)
    if write:
        from flexwheel.body.wheelset_places import wheelset_with_places

        result["written"] = _written(write, wheelset_with_places(body))
    result["seconds"] = round(time.perf_counter() - started, 3)
    printed.write(result, _lines)


def _of_scenario(path, name, idle, files, printed):
    """The command for a scenario; idle: options given that stand for keys of it; files: those of --write, --view."""
    from flexwheel.assess.exchanged_body import body_of_scenario
    from flexwheel.base.errors import ScenarioError
    from flexwheel.run.progress import progress

    if idle:
        raise ScenarioError(f"{_option(idle[0])} is an option of a mesh: {path} has keys for it")
    write, view = files
    with progress("reduction") as report:
        body, audit, mesh = body_of_scenario(path, name, lambda line: report(0.0, line))
        if view:
            if mesh is None:
                raise ScenarioError(f"--view draws a mesh; {path} gives matrices")
            _draw(mesh, body, view, path if name is None else f"{path}, {name}", None, (*audit, *body.audit))
    result = {
        "scenario": str(path),
        "mass_kg": float(body.mass),
        "centre_m": body.centre.tolist(),
        "inertia_kg_m2": body.inertia.tolist(),
        "frequencies_hz": body.frequency_hz.tolist(),
        "damping_ratios": body.damping_ratio.tolist(),
        "places_m": dict(zip(body.place_name, (body.place + body.centre).tolist(), strict=True)),
        "audit": [*audit],
    }
    if write:
        result["written"] = _written(write, body)
    printed.write(result, _lines)


def _written(file, body):
    from flexwheel.body.matrix_format import write_matrices
    from flexwheel.body.superelement import superelement_of

    found = superelement_of(body)
    write_matrices(file, found)
    return f"{file}: {len(found.node)} coordinates, {6 * len(found.attachments)} of {', '.join(found.attachments)}"


def _lines(result):
    return "\n".join([*result["audit"], *(f"written: {result[key]}" for key in ("written",) if key in result)])


def _surface(file, mesh, section):
    """Modes on the surface, for a page; None for a picture."""
    from flexwheel.body.body_cache import cached_surface
    from flexwheel.run.reduced_bodies import reduction_options

    return cached_surface(mesh, reduction_options(section), "mesh") if file.lower().endswith(".html") else None


def _draw(*given):
    from flexwheel.assess.figures.found_page import draw_found

    draw_found(*given)


def _section(kind, **keys):
    """Section of the scenario with the options given; a value out of range becomes an error that names the option."""
    from pydantic import ValidationError

    from flexwheel.base.errors import ScenarioError

    try:
        return kind(**{key: value for key, value in keys.items() if value is not None})
    except ValidationError as error:
        problem = error.errors()[0]
        option = _option(str(problem["loc"][0] if problem["loc"] else "mesh"))
        raise ScenarioError(f"reduce {option}: {problem['msg']}; got {problem.get('input')!r}") from None


def _option(key):
    """Option of the command that stands for a key of the scenario."""
    names = {"interface_sets": "interface-set", "tread_sets": "tread-set", "mesh_unit": "unit"}
    return "--" + names.get(key, key.replace("_", "-"))


def _two(names, option):
    from flexwheel.base.errors import ScenarioError

    if names and len(names) != 2:
        raise ScenarioError(f"{option} must be given twice, left first, got {len(names)}")
    return tuple(names) if names else None


def _nodes(texts):
    from flexwheel.base.errors import ScenarioError

    if not texts:
        return {}
    nodes = []
    for text in texts:
        parts = text.split(",")
        if len(parts) == 3:
            try:
                nodes.append([float(part) for part in parts])
            except ValueError:
                raise ScenarioError(f"--control-node must be three numbers x,y,z in metres, got {text}") from None
        else:
            nodes.append(int(text) if text.lstrip("-").isdigit() else text)
    return {"control_nodes": nodes}


def describe(path, body, audit):
    """Figures of a reduced body as plain values in SI."""
    control = body.control
    return {
        "mesh": str(path),
        "key": body.key,
        "mass_kg": float(body.mass),
        "centre_m": body.centre.tolist(),
        "inertia_kg_m2": body.inertia.tolist(),
        "frequencies_hz": body.frequency_hz.tolist(),
        "orders": [int(n) for n in body.order],
        "damping_ratios": body.damping_ratio.tolist(),
        "closure_defect": float(body.closure_defect),
        "sector_angle_deg": float(body.sector_angle * 180.0 / 3.141592653589793),
        "interfaces_m": body.interface_position.tolist(),
        "treads": [
            {
                "side": "left" if tread.side > 0 else "right",
                "radius_m": float(tread.radius),
                "lateral_m": float(tread.lateral),
                "sections": len(tread.angle),
                "nodes": len(tread.profile),
            }
            for tread in body.treads
        ],
        "control_nodes": [
            {"name": name, "id": int(node), "position_m": place.tolist()}
            for name, node, place in zip(control.name, control.node_id, control.position, strict=True)
        ],
        "audit": [*audit, *body.audit],
    }


COMMAND = Command("reduce", command, TOPIC, EXAMPLES, RARE)
