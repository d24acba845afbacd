"""Studies, sweeps and fits, which compute many runs; their executors; and user-defined formulations."""
