"""Studies: error and cost of one motion for several lanes, integrators and steps."""
