"""Spectrum of the vertical force without a step in time, with the band that friction and settings leave open."""

import xarray as xr

import flexwheel as fw


def main(changes=(), variants=({}, {"contact.friction": 0.2}, {"contact.friction": 0.4}), **settings):
    railcar = fw.Scenario.example("as4_curve", dict(changes))
    bands = [fw.response(railcar.changed(item), **settings).contact_force_band for item in variants]
    bands.append(fw.response(railcar, **settings | {"harmonics": 3}).contact_force_band)
    band = xr.concat(bands, "variant").sel(wheel="front left", axis="z")
    low, high = band.min("variant"), band.max("variant")
    print(xr.Dataset({"lowest": low, "highest": high}).to_dataframe())
    assert (low <= band[0]).all() and (high < 2.0 * low).all()  # friction hardly moves the vertical force


if __name__ == "__main__":
    main()
