"""The formats that are read and written here."""

from functools import partial

from flexwheel.body.matrix_format import MatrixFormat
from flexwheel.body.mesh_format import MeshFormat
from flexwheel.extensions.formats import mesh_header
from flexwheel.extensions.formats.abaqus.abaqus_scan import scan_abaqus
from flexwheel.extensions.formats.finite_element_matrices import READ, WRITE, read_parts, write_part
from flexwheel.extensions.formats.mesh_import import read_scanned
from flexwheel.extensions.formats.nastran.nastran_scan import scan_nastran
from flexwheel.extensions.formats.others.cdb_scan import scan_cdb
from flexwheel.extensions.formats.others.gmsh_scan import scan_gmsh
from flexwheel.extensions.formats.others.med_scan import scan_med
from flexwheel.extensions.formats.others.meshio_read import scan_with_meshio
from flexwheel.extensions.formats.others.netcdf_body import read_whole, write_netcdf
from flexwheel.extensions.formats.others.unv_scan import scan_unv


def _mesh(name, meaning, suffixes, scan, header=mesh_header.no_header):
    return MeshFormat(name, meaning, suffixes, partial(read_scanned, scan), header)


ABAQUS = _mesh("abaqus", "Abaqus and CalculiX input", (".inp",), scan_abaqus, mesh_header.abaqus_header)
GMSH = _mesh("gmsh", "Gmsh 2.2 and 4.1", (".msh",), scan_gmsh, mesh_header.gmsh_header)
NASTRAN = _mesh(
    "nastran", "Nastran bulk data", (".bdf", ".nas", ".dat", ".fem"), scan_nastran, mesh_header.nastran_header
)
CDB = _mesh("cdb", "Ansys archive", (".cdb",), scan_cdb, mesh_header.cdb_header)
UNV = _mesh("unv", "I-DEAS universal file", (".unv",), scan_unv)
MED = _mesh("med", "Salome and Code_Aster", (".med",), scan_med)
VTK = _mesh("vtk", "VTK, legacy and XML", (".vtk", ".vtu"), scan_with_meshio)

NETCDF = MatrixFormat("netcdf", "the package's own netCDF-4", (".nc",), read_whole, (".nc",), write_netcdf)
FINITE_ELEMENT = MatrixFormat(
    "finite_element", "Nastran, Abaqus and CalculiX matrices", tuple(READ), read_parts, tuple(WRITE), write_part
)
