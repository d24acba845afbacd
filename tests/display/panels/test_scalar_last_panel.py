"""Euler parameters with the scalar last as a display option: the integrated state keeps its order."""

from quatviz.display.panels.base.strip import Strip, component_strips, with_scalar_last


def test_scalar_part_is_last_and_other_components_keep_their_order() -> None:
    strips = (Strip("energy"), *component_strips("p"))
    renumbered = with_scalar_last(strips)
    assert [(strip.quantity, strip.component) for strip in renumbered] == [
        ("energy", 0),
        *(("p", component) for component in (1, 2, 3, 0)),
    ]
    assert [strip.symbol for strip in renumbered[1:]] == ["ε₁", "ε₂", "ε₃", "ε₄"]
