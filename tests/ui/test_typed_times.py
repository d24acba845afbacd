"""Going to a typed time."""

import pytest

from quatviz.base.errors import InputError
from quatviz.ui.transport.time_input import parse_time


@pytest.mark.parametrize("typed", ["99", " 2 t", "noon"])
def test_invalid_time_is_rejected_with_a_message(typed: str) -> None:
    with pytest.raises(InputError) as refused:
        parse_time(typed, 20.0)
    assert refused.value.found == f"“{typed.strip()}” is not a time of this run"


def test_ambiguous_thousands_comma_is_named() -> None:
    """12,345 was "no time" of a run of 20 s, as if 12.345 lay beyond it."""
    with pytest.raises(InputError, match="thousands"):
        parse_time("12,345", 20.0)
