"""Web page of a run: one HTML file with the body in 3D, plots, lanes and a time slider. It needs no network."""
