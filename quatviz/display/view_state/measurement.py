"""The curve that is measured in the plots."""

from dataclasses import dataclass

from quatviz.files.schema import Record, read_bool, read_count, read_string, schema_field


@dataclass(frozen=True)
class Measurement(Record):
    """The curve that is measured: one component of a quantity of a lane."""

    on: bool = schema_field(read_bool, False)
    """True if the plots measure the curve that is clicked."""
    lane: str = schema_field(read_string, "")
    """Name of the lane; empty until a curve is clicked."""
    quantity: str = schema_field(read_string, "")
    """Name in `physics.observables.quantities.QUANTITIES`."""
    component: int = schema_field(read_count, 0)
    """Index of the measured component of the quantity."""
