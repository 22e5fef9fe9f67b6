"""Samples of a vehicle's time loop as the arrays of the table of variables."""

import numpy as np

from flexwheel.base.variables import (
    BODY,
    CHECK_RAIL,
    GROUPS,
    MOVING,
    PATCH,
    PATCH_FIELD,
    VEHICLE,
    force_on_rail,
    named,
    vehicle_variables,
)
from flexwheel.vehicle.step.simulate_record import HISTORY


def chosen_variables(assembly, coupled=None, names=(), groups=(), check_rails=False):
    """Variables that a run stores.

    coupled : Coupled, optional   system coupled to the vehicle
    names : sequence of str     those wanted, as variables.named; without any, all but those that must be asked for
    groups : sequence of str    of variables.GROUPS, wanted besides
    check_rails : bool          the track has some
    """
    bodies = [w.body for w in assembly.wheelset_specs if w.body is not None]
    has = {"", "asked", *(group for group in GROUPS if group in groups)}
    has |= {"flexible wheelset"} if bodies else set()
    has |= {PATCH_FIELD} if any(len(body.near.node) for body in bodies) else set()
    has |= {"flexible body"} if len(assembly.flexible.owner) else set()
    has |= {CHECK_RAIL} if check_rails else set()
    has |= {coupled.system.name} if coupled else set()
    known = vehicle_variables()
    names = {found for name in names for found in named(name, known)}
    found = [
        variable for variable in known
        if variable.when in has
        and (variable.name in names or variable.when in groups if names else variable.when != "asked")
    ]  # fmt: skip
    if any("patch" in variable.dims for variable in found):
        moved = PATCH_FIELD in has and set(MOVING) <= {v.column for v in found}
        found = [v for v in known if v in found or v.name == "patch_count" or moved and v.when == PATCH_FIELD]
    return found


def recorded(records, assembly, chosen, every_slot=False):
    """Arrays of the variables chosen from the records of `simulate`, name -> array.

    Patches in as many slots as these samples use, at least one, or in all that there are. Others may be views of the
    records.
    """
    wheels = 2 * len(assembly.wheelset_specs)
    patches = _Patches(records, wheels, every_slot) if any(variable.name in _PATCHES for variable in chosen) else None
    return {variable.name: _array(variable, records, assembly, patches) for variable in chosen}


_PATCHES = {variable.name for variable in VEHICLE if "patch" in variable.dims}


class _Patches:
    """Values of the patches, column by column, and where there are any."""

    def __init__(self, records, wheels, every_slot):
        count = records.patch_count.reshape(len(records.time), wheels)
        table = records.patches.reshape(*count.shape, *records.patches.shape[-2:])
        slots = table.shape[-2] if every_slot else max(1, int(count.max(initial=0)))
        self.columns = np.ascontiguousarray(np.moveaxis(table[..., :slots, :], -1, 0))
        self.present = np.arange(slots) < count[..., None]

    def column(self, name, absent):
        """Values (samples, wheels, slots) of a column."""
        return np.where(self.present, self.columns[getattr(PATCH, name)], absent)

    def of_flexible(self, values, rows):
        """Values (samples, flexible, side, rate, slot) of the wheelsets `rows`, those of patches; nan elsewhere."""
        samples, wheels, slots = self.present.shape
        present = self.present.reshape(samples, wheels // 2, 2, 1, slots)[:, rows]
        return np.where(present, values[..., :slots], np.nan)


def _array(variable, records, assembly, patches):
    source = getattr(records, HISTORY.get(variable.source, variable.source.rpartition(".")[2]))
    samples, wheels, kind = len(records.time), 2 * len(assembly.wheelset_specs), (*variable.dims, "")[1]
    if kind == "wheel" and variable.column:
        value = patches.column(variable.column, variable.absent)
    elif kind == "wheel":
        value = source.reshape(samples, wheels, *source.shape[3:])
        value = force_on_rail(value) if variable.name == "wheel_force" else value[(..., *variable.part)]
    elif kind == "body" and variable.column:
        value = source[..., getattr(BODY, variable.column)]
    elif kind == "body" and variable.source == "work.measured":
        value = source
    elif kind == "body":
        offset = assembly.units.offset[:-1]
        value = np.stack([source[:, o : o + 6] for o in offset], axis=1)[(..., *variable.part)]
    elif kind == "flexible":
        rows = [k for k, w in enumerate(assembly.wheelset_specs) if w.body is not None]
        if not variable.source.startswith("state.loads"):  # of these wheelsets alone
            source = _modal(source, assembly, rows) if variable.dims[2] == "mode" else source[:, rows]
        value = source[(..., *variable.part)]
        value = patches.of_flexible(value, rows) if variable.when == PATCH_FIELD else value
    else:
        value = source[(..., *variable.part)]
    return value.astype(variable.storage) if variable.name in _PATCHES else value


def _modal(source, assembly, rows):
    """Modal coordinates (T, F, H) of the flexible wheelsets, padded to the largest count."""
    counts = assembly.wheelsets.mode_count
    padded = np.zeros((len(source), len(rows), max(counts[k] for k in rows)))
    for row, k in enumerate(rows):
        first = assembly.units.offset[assembly.wheelsets.unit[k]] + 6
        padded[:, row, : counts[k]] = source[:, first : first + counts[k]]
    return padded
