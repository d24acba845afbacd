"""The plot board: panels over time and on spheres, drawn from `feed` by `look`."""
