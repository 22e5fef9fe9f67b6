"""The linearised coach as matrices A and B: how far its car body sinks under a slowly varying force of 1 kN."""

import numpy as np

import flexwheel as fw


def main(hz=0.01, **changes):
    system = fw.linear(fw.Scenario.example("manchester_s_curve", changes), speed_kmh=100.0)
    force = system.B[:, system.inputs.index("force on car_body vertical")]
    state = np.linalg.solve(2j * np.pi * hz * np.eye(len(system.A)) - system.A, 1e3 * force)
    sinks = abs(state[system.states.index("car_body vertical")])
    print(f"A {system.A.shape}, B {system.B.shape}, {1e3 * sinks:.4f} mm")
    springs = 1.0 / (4 * 4.3e5) + 1.0 / (8 * 1.22e6)  # [m/N] secondary and primary in series
    assert 1.0 < sinks / (1e3 * springs) < 1.01  # and the contact, some 1 GN/m a wheel


if __name__ == "__main__":
    main()
