"""The force elements of a vehicle file: each file declares its own, entry points name them.

Each element is a mapping (a TOML table) with `kind`, `body_a`, `point_a_m`, `body_b`, `point_b_m`,
optional `name`, and the keys of its kind. Points are in the axes of their body, from its centre; `ground`
is a body, its points are in the nominal vehicle frame. Rest lengths are those of the nominal pose, in
which all bodies are parallel; preloads are the forces there. Vectors are (x, y, z) in the axes of body
`axes_of` ("a" by default).

kind            keys
spring          stiffness_n_per_m [3], damping_n_s_per_m [3], rotational_stiffness_n_m_per_rad [3],
                rotational_damping_n_m_s_per_rad [3], preload_n [3] (on body b), axes_of,
                force_table_x / _y / _z = {displacement_m, force_n} in place of one stiffness
coil_spring     as spring; point_a_m and point_b_m are its ends, and the laws act at mid-length
anti_roll_bar   roll_stiffness_n_m_per_rad, roll_damping_n_m_s_per_rad; no points
damper          damping_n_s_per_m or force_table = {velocity_m_per_s, force_n}, series_stiffness_n_per_m,
                preload_n
friction_damper friction_force_n, series_stiffness_n_per_m, damping_n_s_per_m, stiffness_n_per_m
traction_rod    stiffness_n_per_m or force_table = {displacement_m, force_n}, damping_n_s_per_m, preload_n
                (tension)
bump_stop       axis [3], clearance_m (one number, or [negative, positive] side), stiffness_n_per_m or
                force_table = {displacement_m, force_n} from first touch, damping_n_s_per_m, axes_of
"""

from flexwheel.base.registry import Registry
from flexwheel.vehicle.elements.force_law import ForceElement

FORCE_ELEMENTS = Registry("force element", "flexwheel.force_elements", ForceElement)
"""Those of the package and of other distributions, by the word `kind` of a vehicle file."""
