"""The locomotive FEVE 3000 in real time: generated equations, contact constraints, steps, export to C."""
