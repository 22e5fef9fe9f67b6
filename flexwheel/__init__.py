"""Dynamics of flexible railway wheelsets on flexible track.

    import flexwheel as fw

    results = fw.run(fw.Scenario.example("as4_curve"), out="out/as4_curve")

`Scenario`, `Vehicle`, `Wheelset`, `VehicleBody` and `Track` describe; `run`, `sweep`, `response`, `eigen` and `contact`
compute; `open_results` and `report` show results. What they need is imported at their first use; their types are in
`__init__.pyi`. `run` and `contact` are packages as well: their modules are imported like those of any other.
"""

import os
import sys
from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"
_OWN = [
    "Body",
    "Results",
    "Scenario",
    "Track",
    "Vehicle",
    "VehicleBody",
    "Wheelset",
    "contact",
    "eigen",
    "open_results",
    "report",
    "response",
    "run",
]
__all__ = [*_OWN, *(["sweep"] if os.path.isdir(os.path.join(__path__[0], "studies")) else [])]
_CALLS = "flexwheel.face.calls"
_CLASSES = {
    "Body": "flexwheel.face.vehicle",
    "Results": "flexwheel.face.datasets",
    "Scenario": "flexwheel.face.scenario",
    "Track": "flexwheel.face.track",
    "Vehicle": "flexwheel.face.vehicle",
    "VehicleBody": "flexwheel.face.vehicle_body",
    "Wheelset": "flexwheel.face.wheelset",
}
_LAWS = {  # what a program of the user declares and registers
    "Excitation": "flexwheel.track.excitation",
    "FrictionLaw": "flexwheel.contact.friction.law",
    "NormalLaw": "flexwheel.contact.normal",
    "Option": "flexwheel.base.option",
    "TangentialLaw": "flexwheel.contact.tangential",
    "kernel": "flexwheel.numerics.kernels",
    "register": "flexwheel.face.own_laws",
    **dict.fromkeys(("FlexwheelError", "ScenarioError", "MeshError", "ConvergenceError"), "flexwheel.base.errors"),
}
_CALLED_PACKAGES = ("run", "contact")


def __getattr__(name):
    """A name of the face, imported with all it needs when it is asked for."""
    if name in _CALLED_PACKAGES:
        return import_module(f"{__name__}.{name}")
    known = name in _OWN or name in _LAWS
    value = getattr(import_module((_CLASSES | _LAWS).get(name, _CALLS)), name) if known else _added(name)
    globals()[name] = value
    return value


def _added(name):
    """A function of an entry point in the group "flexwheel.calls"."""
    from importlib.metadata import entry_points

    points = entry_points(group="flexwheel.calls", name=name) if not name.startswith("_") else ()
    for point in points:
        try:
            return point.load()
        except ImportError:
            continue
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    """Names of the face alone, those of entry points too, for completion."""
    from importlib.metadata import entry_points

    return sorted({*__all__, *_LAWS, *entry_points(group="flexwheel.calls").names, "__version__"})


class _CalledPackage(ModuleType):
    """A package of the house that is a function of the face too: called, described and signed as that."""

    @property
    def _function(self):
        return getattr(import_module(_CALLS), self.__name__.rpartition(".")[2])

    def __call__(self, *arguments, **options):
        return self._function(*arguments, **options)

    @property
    def __signature__(self):
        import inspect

        return inspect.signature(self._function)

    @property
    def __doc__(self):  # pyright: ignore[reportIncompatibleVariableOverride]
        return self._function.__doc__


class _Face(ModuleType):
    """This module: its packages of `_CALLED_PACKAGES` can be called, whoever imports them first."""

    def __setattr__(self, name, value):
        if name in _CALLED_PACKAGES and type(value) is ModuleType:
            value.__class__ = _CalledPackage
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
