"""Property-based tests of the core: no deadline, since the first example of a test may import numba."""

from hypothesis import settings

settings.register_profile("quatviz", deadline=None)
settings.load_profile("quatviz")
