"""How a run is shown: theme, arrangement, camera, choices. Knows nothing of what is computed."""
