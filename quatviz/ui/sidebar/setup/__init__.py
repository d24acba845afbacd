"""Set-up of a run: forms that are generated from the declared parameters."""
