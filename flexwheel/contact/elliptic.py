"""Complete elliptic integrals for kernels: polynomial approximations, error below 2e-8.

Source: Abramowitz and Stegun (1964), 17.3.34 and 17.3.36.
"""

import math

from flexwheel.numerics.kernels import kernel


@kernel(inline="always")
def k_minus_e(complement):
    """K - E at the complementary parameter 1 - m = complement in (0, 1]."""
    return k_and_difference(complement)[1]


@kernel(inline="always")
def k_and_difference(complement):
    """K and K - E likewise."""
    c = complement
    log = -math.log(c)
    k = 1.38629436112 + c * (0.09666344259 + c * (0.03590092383 + c * (0.03742563713 + c * 0.01451196212)))
    k += log * (0.5 + c * (0.12498593597 + c * (0.06880248576 + c * (0.03328355346 + c * 0.00441787012))))
    e = 1.0 + c * (0.44325141463 + c * (0.06260601220 + c * (0.04757383546 + c * 0.01736506451)))
    e += log * c * (0.24998368310 + c * (0.09200180037 + c * (0.04069697526 + c * 0.00526449639)))
    return k, k - e
