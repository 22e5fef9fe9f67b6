"""Rail models without a beam."""
