"""Dynamics of flexible railway wheelsets on flexible track."""

from flexwheel.kernel_cache import use_kernel_cache

__version__ = "0.1.0"

use_kernel_cache()
