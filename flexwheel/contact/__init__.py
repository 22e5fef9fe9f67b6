"""contact: wheel on rail, from two profiles to patches and forces.

In: profiles, the pose and motion of a wheel against its rail. Out: contact points, patches with their pressures,
creep forces, the wrench on the wheel.

`profiles` what is read of profiles; `detection` where they touch (paper 003); `gap`, `semi_hertzian`, `hertz`,
`half_space` the normal problem; `creepage`, `fastsim`, `polach`, `tangential` the tangential one; `wheel_rail` all of
it for one wheel and instant, as the time loop calls it; `contact_tables` what is prepared before a run.
Begin with `wheel_rail`.
"""
