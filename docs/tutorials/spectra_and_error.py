"""Spectra without a step in time, and what they owe to friction and to the settings of the computation."""

import matplotlib.pyplot as plt
import xarray as xr

import flexwheel as fw

MORE = {"contact.friction": 0.4}, {"contact.friction": 0.2}


def main(folder, mesh="wheelset_coarse.inp", highest_hz=1000.0, step_hz=2.0, modes_up_to_hz=3000.0, changes=()):
    """Response with three frictions and more harmonics of the sleepers; returns rms by band and a picture."""
    railcar = fw.Scenario.example("as4_curve", {"wheelset.front.mesh": str(mesh)} | dict(changes))
    how = {"highest_hz": highest_hz, "step_hz": step_hz, "modes_up_to_hz": modes_up_to_hz}
    found = [fw.response(railcar.changed(item), **how).contact_force_band for item in ({}, *MORE)]
    found.append(fw.response(railcar, **how, harmonics=3).contact_force_band)
    force = xr.concat(found, "variant").sel(wheel="front left") / 1e3
    low, high = force.min("variant"), force.max("variant")
    figure, axes = plt.subplots(1, 2, figsize=(9, 3.5), sharex=True)
    for axis, which, name in zip(axes, ("z", "y"), ("vertical", "lateral"), strict=True):
        axis.fill_between(force.band, low.sel(axis=which), high.sel(axis=which), alpha=0.4, label="all variants")
        axis.loglog(force.band, force[0].sel(axis=which), label="as in the scenario")
        axis.set(xlabel="third octave [Hz]", ylabel=f"rms of the {name} force [kN]")
    axes[0].legend()
    figure.suptitle("front left wheel, AS4 railcar at 80 km/h")
    figure.tight_layout()
    picture = folder / "spectra_and_error.png"
    figure.savefig(picture, dpi=120, bbox_inches="tight")
    plt.close(figure)
    # friction acts along the rail's surface: it hardly moves the vertical force
    assert bool((high.sel(axis="z") < 1.5 * low.sel(axis="z")).all())
    return force, picture
