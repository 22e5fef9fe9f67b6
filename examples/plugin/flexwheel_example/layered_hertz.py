"""Ellipse of Hertz behind an elastic layer in series: approach h = (N/c)^(2/3) + N/k, with N = c h^(3/2) by Hertz.

A soft layer on the wheel, or one of dirt, takes the approach N/k; the patch is that of Hertz under the load N.
With x^2 the share of the approach that is left to Hertz, and m = c h^(1/2)/k: m x^3 + x^2 = 1, and the patch's lengths
are x times those of Hertz at h.

Source: Johnson, Contact Mechanics (1985), section 4.2, and two springs in series.
"""

from flexwheel.base.option import Option
from flexwheel.contact.normal import NormalLaw
from flexwheel.contact.patch import NormalContact
from flexwheel.contact.regions import REGION
from flexwheel.contact.semi_hertzian import STRIP
from flexwheel.extensions.normal_laws.hertz_patch import hertz
from flexwheel.numerics.kernels import kernel

STIFFNESS = 0  # of `numbers`


@kernel
def layered_hertz(law, pair, pose, sampled, peaks, region, parts, strip):
    """NormalContact of a patch; its strips are those of Hertz at the whole approach, shortened."""
    bare = hertz(law, pair, pose, sampled, peaks, region, parts, strip)
    h, k = region[REGION.depth], law.numbers[STIFFNESS]
    m, x = bare.normal_force / (k * h), 1.0
    for _ in range(30):  # Newton's steps fall from 1 to the root: by a third each as long as it is far, m up to 1e9
        x -= (m * x * x * x + x * x - 1.0) / (3.0 * m * x * x + 2.0 * x)
    for j in range(strip.shape[1]):
        strip[STRIP.s, j] *= x
        strip[STRIP.width, j] *= x
        strip[STRIP.half, j] *= x
    force = bare.normal_force * x * x * x
    stiffness = force / (2.0 / 3.0 * x * x * h + force / k) if force > 0.0 else 0.0
    return NormalContact(
        force, bare.factor, stiffness, bare.x, bare.y, bare.z, bare.cosine, bare.sine,
        bare.half_length * x, bare.half_width * x, bare.area * x * x, bare.strips,
    )  # fmt: skip


LAYERED_HERTZ = NormalLaw(
    name="layered_hertz",
    meaning="ellipse of Hertz behind an elastic layer",
    patch=layered_hertz,
    keys=(Option("layer_n_m", 2e9, 1e7, 1e13, "stiffness of the layer in series with Hertz", "assumed"),),
)
