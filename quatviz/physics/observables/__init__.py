"""What can be said of a motion once a body has its loads: observables, the multiplier in theory, motions joined to one."""
