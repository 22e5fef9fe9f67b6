"""verification: the package against exact solutions, published numbers and other codes; run by `flexwheel verify`.

In: nothing but the package and the numbers in `data`, each with its source. Out: rows of what was computed, what was
expected, the limit and its ground.

`check_registry` what a check is and how it is judged; one file a subject declares its checks; `benches` set-ups that
several share; `meshes` generators of meshes; `checks_report` the page docs/verification.md. Begin with
`check_registry`.
"""
