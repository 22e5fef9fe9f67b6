"""assess: what is asked of results.

In: results of a run, or a scenario. Out: figures of safety, strength, wear, vibration, response and convergence;
reports and pictures.

`safety`, `twist`, `wheel_standard`, `surface_stress`, `vibration`, `wear_results` one question each; `response` (with
`linear`), `linear_analysis`, `sensitivity`, `convergence` of a scenario; `evaluate` quantities of the standards;
`detection` methods compared; `report` all as a document; `figures` the drawings; `commands` the commands.
Begin with the file of the question.
"""
