"""From the mesh of a wheelset to its modes."""

import matplotlib.pyplot as plt
import numpy as np

import flexwheel as fw


def main(folder, mesh="wheelset_coarse.inp", modes_up_to_hz=2000.0):
    """Reduce a mesh, look at its modes; returns the wheelset and the picture."""
    wheelset = fw.Wheelset.from_mesh(mesh, modes_up_to_hz=modes_up_to_hz, control_nodes=["web_fillet_right"])
    body = wheelset.body
    print(f"{body.mass:.1f} kg, {len(body.frequency_hz)} modes")
    print(*(line for line in body.audit if "full mesh" in line), sep="\n")
    figure, axis = plt.subplots(figsize=(7, 3.5))
    for order in np.unique(body.order):
        chosen = body.order == order
        axis.plot(np.full(chosen.sum(), order), body.frequency_hz[chosen], "_", markersize=18)
    axis.set(xlabel="circumferential order n", ylabel="frequency [Hz]", title="free modes of the wheelset")
    axis.xaxis.get_major_locator().set_params(integer=True)
    picture = folder / "own_mesh.png"
    figure.savefig(picture, dpi=120, bbox_inches="tight")
    plt.close(figure)
    # a body of revolution bends alike in both planes: modes of order n > 0 come in pairs
    bending = body.frequency_hz[body.order > 0]
    np.testing.assert_allclose(bending[0::2], bending[1::2], rtol=1e-9)
    return wheelset, picture
