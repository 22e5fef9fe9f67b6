"""Check rails: flange backs on a rail beside the running rail."""
