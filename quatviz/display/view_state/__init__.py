"""How a run is shown: theme, arrangement, cameras and other choices. It does not depend on what is computed."""
