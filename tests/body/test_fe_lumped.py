"""The mass matrix, lumped or not, leaves the stiffness matrix alone."""

import numpy as np
from fuzz.bases import MESHES

from flexwheel.body.assembly import assemble
from flexwheel.body.formulation import FormulationOptions
from flexwheel.body.mesh_format import read_mesh


def test_stiffness_does_not_depend_on_the_mass_matrix():
    mesh, _ = read_mesh(str(MESHES / "wheelset_coarse.inp"))
    (k, m), (k_lumped, m_lumped) = (assemble(mesh, FormulationOptions(mass=name)) for name in ("consistent", "lumped"))
    assert abs(k - k_lumped).max() == 0.0
    assert np.isclose(m.sum(), m_lumped.sum(), rtol=1e-12) and (m_lumped.diagonal() > 0.0).all()
