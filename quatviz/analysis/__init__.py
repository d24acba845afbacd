"""Many runs at once: studies, sweeps, fits, executors, and formulations that a user defines."""
