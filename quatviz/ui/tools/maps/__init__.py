"""Maps: the window of sweeps. What a map is, `quatviz.analysis.sweeps.chart` says; here it is drawn, pointed at and loaded from."""
