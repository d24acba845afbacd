"""The curve that is measured in the plots, as a plain value."""

from dataclasses import dataclass

from quatviz.files.schema import Record, read_bool, read_count, read_string, schema_field


@dataclass(frozen=True)
class Measurement(Record):
    """One component of a quantity of a lane, and whether it is measured."""

    on: bool = schema_field(read_bool, False)
    """True if the plots measure the curve that is clicked."""
    lane: str = schema_field(read_string, "")
    """Name of the lane; empty until a curve is clicked."""
    quantity: str = schema_field(read_string, "")
    """Name in `physics.observables.quantities.QUANTITIES`."""
    component: int = schema_field(read_count, 0)
    """Number of the component, from 0."""
