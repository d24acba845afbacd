"""View state of a run: theme, arrangement, cameras and other choices. It does not depend on what is computed."""
