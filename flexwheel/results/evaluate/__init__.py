"""What is computed of results: motion and stress of control nodes, statistics, safety quantities, valid bands."""
