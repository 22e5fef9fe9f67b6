"""contact: wheel on rail, from two profiles to patches and forces.

In: profiles, the pose and motion of a wheel against its rail. Out: contact points, patches with their pressures,
creep forces, the wrench on the wheel.

`profiles` reads and checks profiles. `detection` finds contact points (paper 003). `gap`, `semi_hertzian`,
`mutual_lift`: normal problem. `creepage`, `fastsim`, `tangential`: tangential problem. `wheel_rail`: both for one wheel
at one instant, as the time loop calls it. `contact_tables`: what is prepared before a run.
Begin with `wheel_rail`.
"""
