"""assess: evaluation of results and of scenarios.

In: results of a run, or a scenario. Out: figures of safety, strength, wear, vibration, response and convergence;
reports and pictures.

Questions on results: `safety`, `twist`, `wheel_standard`, `surface_stress`, `vibration`, `wear_results`. Questions on a
scenario: `response` (with `linear`), `linear_analysis` (with `linearise`), `sensitivity`, `convergence`. On profiles:
`conicity`, `exact_patches` (with `half_space`). `evaluate` has the quantities of the standards, `detection` compares
the methods of contact detection, `report` writes the report, `figures` draws, `commands` are the commands. Begin with
the file of the question.
"""
