"""Sums over loads are told apart by their names, by which kernels from the cache are linked."""

from __future__ import annotations

from quatviz.core.load_sums import _sum


def test_a_sum_is_named_for_what_it_adds() -> None:
    """Two of one name in two files of the cache: whichever was loaded first served both, and gravity was another."""
    whole = _sum("t, p, omega", 3, lambda load: load.torque_kernel)
    again = _sum("t, p, omega", 3, lambda load: load.torque_kernel)
    part = _sum("t, p, omega", 3, lambda load: None if load.gradient_kernel else load.torque_kernel)
    other = _sum("t, p", 4, lambda load: load.gradient_kernel)
    assert whole.__name__ == again.__name__
    assert len({whole.__name__, part.__name__, other.__name__}) == 3
