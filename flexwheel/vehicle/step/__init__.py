"""The coupled step: model, state, residual, Newton on the contact forces, equilibrium, time loop, energy ledger."""
