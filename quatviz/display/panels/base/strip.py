"""Strips: declarations of the time plots of a panel, each with one component of a quantity."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from quatviz.base.translation import tr
from quatviz.display.data.derived_sources import comparison_rule
from quatviz.display.data.scales import SCALE_CLASSES
from quatviz.display.view_state.choices import SCALAR_LAST
from quatviz.physics.observables.quantities import QUANTITIES


@dataclass(frozen=True)
class Strip:
    """One component of a quantity in `physics.observables.quantities.QUANTITIES`. If `label` is given, it replaces the
    symbol of the component."""

    quantity: str
    component: int = 0
    label: str | None = None
    scale: str = "linear"
    weight: float = 1.0
    """Height of the strip relative to that of a normal strip."""
    theory: str = ""
    """Name of the quantity that the strip's quantity should equal in theory, drawn as a wide pale curve
    below it."""
    band: float | None = None
    """Half the width of a marked band about zero in which the motion is nearly singular. If it is given, the
    axis always includes zero."""
    stack: "tuple[Strip, ...]" = ()
    """Terms whose sum is this quantity, drawn as stacked areas below its curve. They are drawn only if a single lane is
    shown."""
    stacked: bool = False
    """True if the strip is a term of a sum, stacked on the terms before it."""
    differs: bool = False
    """True if the strip shows the magnitude of a difference between lanes, see
    `display.data.derived_sources.Differences`."""

    @property
    def symbol(self) -> str:
        return tr(self.label) if self.label else QUANTITIES[self.quantity].symbols[self.component]

    @property
    def unit(self) -> str:
        return comparison_rule(self.quantity).result.unit if self.differs else QUANTITIES[self.quantity].unit

    @property
    def width(self) -> int:
        """Number of components of the column that contains this component."""
        return len(
            (comparison_rule(self.quantity).result if self.differs else QUANTITIES[self.quantity]).symbols
        )

    @property
    def is_vector_component(self) -> bool:
        """True for a component of a vector or of p, which share a unit and scale; False for angles."""
        return self.width > 1 and self.scale == "linear" and not self.stacked

    @property
    def is_gimbal_angle(self) -> bool:
        """True for one of three Euler angles. The gimbal rings of these angles in 3D have their own colors."""
        return self.quantity.startswith("angles_") and not self.differs

    @property
    def magnitude(self) -> bool:
        return SCALE_CLASSES[self.scale].magnitude

    def difference(self) -> "Strip":
        """Return the strip that shows the difference of this quantity between two lanes."""
        quantity = comparison_rule(self.quantity).result
        component = min(self.component, len(quantity.symbols) - 1)
        return replace(
            self,
            component=component,
            label=quantity.symbols[component],
            scale="log",
            theory="",
            band=None,
            stack=(),
            differs=True,
        )


def component_strips(quantity: str, scale: str = "linear") -> tuple[Strip, ...]:
    """Return a strip for each component of a quantity."""
    count = len(QUANTITIES[quantity].symbols)
    return tuple(Strip(quantity, component, scale=scale) for component in range(count))


def with_scalar_last(strips: Sequence[Strip]) -> tuple[Strip, ...]:
    """Return the strips with the scalar Euler parameter last. The Euler parameters among them are then
    numbered from 1 to 4."""
    order = {component: position for position, component in enumerate(SCALAR_LAST)}
    parameters = sorted(
        (strip for strip in strips if strip.quantity == "p"), key=lambda strip: order[strip.component]
    )
    renumbered = iter(parameters)
    return tuple(
        replace(following := next(renumbered), label=SCALAR_LAST[following.component])
        if strip.quantity == "p"
        else strip
        for strip in strips
    )


def difference_strips(strips: Iterable[Strip]) -> tuple[Strip, ...]:
    """Return the strips in difference mode. If a quantity has a single difference for all its components, one strip
    replaces its strips."""
    converted = (strip.difference() for strip in strips)
    return tuple({(strip.quantity, strip.component): strip for strip in converted}.values())


def group_by_plot(strips: Sequence[Strip], one_lane: bool) -> list[list[Strip]]:
    """Group the strips by plot: with one lane, the strips of a quantity share a plot; otherwise each
    has its own."""
    if not one_lane:
        return [[strip] for strip in strips]
    groups: dict[tuple[str, str], list[Strip]] = {}
    for strip in strips:
        groups.setdefault((strip.quantity, strip.scale), []).append(strip)
    return list(groups.values())
