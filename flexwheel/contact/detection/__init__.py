"""Detection of wheel-rail contact points: one method per file, one shared interface (`detect`)."""
