"""One HTML file that shows a run: the body in 3D, plots, lanes, a time slider. It needs no network."""
