"""Where the data that travel with the package lie: meshes, track data and example scenarios.

They stand at the top level of the repository; a built distribution carries them inside the package, as
`flexwheel/shipped_data` (pyproject.toml). Everything that reads one of them asks here.
"""

from importlib.resources import files
from pathlib import Path

_PACKAGE = Path(str(files("flexwheel")))
_INSTALLED = _PACKAGE / "shipped_data"

ROOT = _INSTALLED if _INSTALLED.is_dir() else _PACKAGE.parent
MESHES, TRACK, EXAMPLES = ROOT / "meshes", ROOT / "track", ROOT / "examples"
