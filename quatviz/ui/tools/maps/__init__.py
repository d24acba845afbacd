"""Maps: the window of sweeps. What a map is, `quatviz.sweeps.chart` says; here it is drawn, pointed at and loaded from."""
