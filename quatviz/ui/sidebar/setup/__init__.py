"""Set-up of a run: forms that are generated from the parameters that bodies, loads and events declare."""
