"""Force elements, one file a kind: force, internal states, tangent, linear analysis, keys; `kinds` lists them."""
