"""The simplified vehicle: weakly coupled vertical and lateral motion, linear contact with saturation and flanges."""
