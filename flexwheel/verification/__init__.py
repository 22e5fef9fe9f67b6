"""verification: the package against exact solutions, published numbers and other codes; run by `flexwheel verify`.

In: nothing but the package and the numbers in `data`, each with its source. Out: rows with the computed value, the
reference, the limit and its ground.

`check_registry` declares and judges checks; one file a subject has its checks. `benches`: models that
several checks share. `meshes`: generators of meshes. `checks_report`: the page docs/verification.md. Begin with
`check_registry`.
"""
