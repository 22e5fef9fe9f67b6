"""Where compiled kernels are kept: one folder for each state of the package's sources.

numba notices a change in the file of a kernel, but not in a kernel that it calls from another file; a package updated
in place would go on with old code. The folder's name is therefore a digest of all sources.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

KEPT = 3  # folders of earlier states that are left


def use_kernel_cache():
    """Point numba at the folder of the present sources, unless NUMBA_CACHE_DIR is set; no error where it cannot be."""
    if os.environ.get("NUMBA_CACHE_DIR"):
        return
    package = Path(__file__).resolve().parent
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        stat = path.stat()
        digest.update(f"{path.relative_to(package)} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    base = os.environ.get("XDG_CACHE_HOME")
    root = (Path(base) if base else Path.home() / ".cache") / "flexwheel" / "kernels"
    folder = root / digest.hexdigest()[:16]
    try:
        if not folder.is_dir():
            folder.mkdir(parents=True, exist_ok=True)
            for old in sorted(root.iterdir(), key=lambda p: p.stat().st_mtime)[: -KEPT - 1]:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return
    os.environ["NUMBA_CACHE_DIR"] = str(folder)
