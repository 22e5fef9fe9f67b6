"""modelDescription.xml of a functional mock-up unit, FMI 2.0 and 3.0: one table of variables, two spellings.

Source: FMI specification 2.0.5 section 2.2, 3.0.2 section 2.4. Verified in tests/studies/test_fmu_verified.py (fmpy).
"""

import re
from dataclasses import dataclass
from xml.etree import ElementTree as xml

import flexwheel

BASE = {
    "-": {}, "kg": {"kg": 1}, "m": {"m": 1}, "s": {"s": 1}, "rad": {"rad": 1},
    "N": {"kg": 1, "m": 1, "s": -2}, "Pa": {"kg": 1, "m": -1, "s": -2},
    "J": {"kg": 1, "m": 2, "s": -2}, "W": {"kg": 1, "m": 2, "s": -3},
    "kN": {"kg": 1, "m": 1, "s": -2}, "km": {"m": 1}, "h": {"s": 1},
}  # fmt: skip
"""Exponents of the base units of FMI in the units that the files of this package use."""
FACTORS = {"km/h": 1.0 / 3.6, "kN": 1e3}
"""Of units that are no product of base units."""
VERSIONS = ("2.0", "3.0")
CATEGORIES = {
    "logStatusError": "what was refused or failed; logged always",
    "logStatusDiscard": "why a step was not made, or not to its end",
    "logEvents": "an instance was made or initialized, a state restored",
}
"""Of messages; instance.c has the same in this order."""


@dataclass(frozen=True)
class UnitVariable:
    """A real variable; its place in the table is its value reference."""

    name: str
    causality: str  # independent, parameter, input, output
    unit: str
    description: str
    start: float | None = None  # parameters and inputs
    least: float | None = None
    most: float | None = None


@dataclass(frozen=True)
class FmuModel:
    """What is said of a unit besides its files."""

    identifier: str  # a C identifier, the name of the binary
    title: str
    step: float  # [s] internal, fixed
    stop_time: float  # [s] of the default experiment
    needs_tool: bool = False  # a program beside the unit
    variables: tuple[UnitVariable, ...] = ()
    sources: tuple[str, ...] = ()  # files that are compiled
    token: str = ""  # guid or instantiation token: of the sources


def model_description(model, fmi):
    """Text of modelDescription.xml, FMI `fmi` ("2.0" or "3.0")."""
    root = (_fmi2 if fmi == "2.0" else _fmi3)(model)
    xml.indent(root, " ")
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _fmi2(model):
    root = _root(model, "2.0", guid=model.token)
    files = _co_simulation(root, model, "canGetAndSetFMUstate", "canSerializeFMUstate")
    sources = xml.SubElement(files, "SourceFiles")
    for name in model.sources:
        xml.SubElement(sources, "File", name=name)
    variables = _variables(root, model)
    for k, v in enumerate(model.variables):
        variable = xml.SubElement(variables, "ScalarVariable", name=v.name, valueReference=str(k), **_kind(v))
        xml.SubElement(variable, "Real", unit=v.unit, **_numbers(v))
    structure = xml.SubElement(root, "ModelStructure")
    for part in ("Outputs", "InitialUnknowns"):
        outputs = xml.SubElement(structure, part)
        for k, v in enumerate(model.variables):
            if v.causality == "output":
                xml.SubElement(outputs, "Unknown", index=str(k + 1))
    return root


def _fmi3(model):
    root = _root(model, "3.0", instantiationToken=model.token)
    part = _co_simulation(root, model, "canGetAndSetFMUState", "canSerializeFMUState")
    part.set("fixedInternalStepSize", repr(model.step))
    variables = _variables(root, model)
    for k, v in enumerate(model.variables):
        number = xml.SubElement(variables, "Float64", name=v.name, valueReference=str(k), **_kind(v))
        number.attrib |= {"unit": v.unit, **_numbers(v)}
    structure = xml.SubElement(root, "ModelStructure")
    for part in ("Output", "InitialUnknown"):
        for k, v in enumerate(model.variables):
            if v.causality == "output":
                xml.SubElement(structure, part, valueReference=str(k))
    return root


def _variables(root, model):
    """Element of the variables, behind units, log categories and experiment."""
    _units(root, model)
    kinds = xml.SubElement(root, "LogCategories")
    for name, meaning in CATEGORIES.items():
        xml.SubElement(kinds, "Category", name=name, description=meaning)
    times = {"startTime": "0.0", "stopTime": repr(model.stop_time), "stepSize": repr(model.step)}
    xml.SubElement(root, "DefaultExperiment", times)
    return xml.SubElement(root, "ModelVariables")


def build_description(model):
    """Text of sources/buildDescription.xml of FMI 3.0."""
    root = xml.Element("fmiBuildDescription", fmiVersion="3.0")
    part = xml.SubElement(root, "BuildConfiguration", modelIdentifier=model.identifier)
    files = xml.SubElement(part, "SourceFileSet", language="C99")
    for name in model.sources:
        xml.SubElement(files, "SourceFile", name=name)
    xml.indent(root, " ")
    return xml.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _root(model, fmi, **token):
    return xml.Element(
        "fmiModelDescription", fmiVersion=fmi, modelName=model.title, **token, version=flexwheel.__version__,
        generationTool=f"flexwheel {flexwheel.__version__}", variableNamingConvention="flat",
    )  # fmt: skip


def _co_simulation(root, model, *keeping):
    flags = {"needsExecutionTool": model.needs_tool, **dict.fromkeys(keeping, True)}
    return xml.SubElement(
        root, "CoSimulation", modelIdentifier=model.identifier, canHandleVariableCommunicationStepSize="true",
        **{name: str(flag).lower() for name, flag in flags.items()},
    )  # fmt: skip


def _units(root, model):
    units = xml.SubElement(root, "UnitDefinitions")
    for name in sorted({v.unit for v in model.variables}):
        unit = xml.SubElement(units, "Unit", name=name)
        if "^" not in name:  # FMI knows no root of a kilogram; a unit may stand by its name alone
            powers = {base: str(power) for base, power in exponents(name).items()}
            factor = {"factor": repr(FACTORS[name])} if name in FACTORS else {}
            xml.SubElement(unit, "BaseUnit", powers | factor)


def exponents(unit):
    """Base units of a unit such as "N m s/rad": name -> exponent."""
    total = {}
    above, _, below = unit.partition("/")
    for words, sign in ((above, 1), (below, -1)):
        for word in words.split():
            name, power = re.fullmatch(r"(\D+)(\d*)", word).groups()
            for base, exponent in BASE[name].items():
                total[base] = total.get(base, 0) + sign * exponent * int(power or 1)
    return {base: exponent for base, exponent in total.items() if exponent}


def _kind(v):
    words = {"causality": v.causality, "description": v.description}
    words["variability"] = "fixed" if v.causality == "parameter" else "continuous"
    if v.causality in ("parameter", "output"):
        words["initial"] = "exact" if v.causality == "parameter" else "calculated"
    return words


def _numbers(v):
    given = (("min", v.least), ("max", v.most), ("start", v.start))
    return {name: repr(float(value)) for name, value in given if value is not None}
