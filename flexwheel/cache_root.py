"""Where is kept what is dear to make: reduced bodies, trained detection, compiled programs and kernels."""

import os
from pathlib import Path


def home_cache():
    """$XDG_CACHE_HOME/flexwheel, else ~/.cache/flexwheel; RuntimeError where there is no home folder either."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "flexwheel"


def cache_root():
    """$FLEXWHEEL_CACHE, else `home_cache`; it need not exist yet. Kernels alone are where numba's setting says."""
    own = os.environ.get("FLEXWHEEL_CACHE")
    return Path(own).expanduser() if own else home_cache()
