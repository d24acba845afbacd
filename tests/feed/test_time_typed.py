"""A time of the run that a person types."""

import pytest

from quatviz.base.errors import InputError
from quatviz.feed.time_typed import time_typed


@pytest.mark.parametrize("typed", ["99", " 2 t", "noon"])
def test_what_is_no_time_is_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(InputError) as refused:
        time_typed(typed, 20.0)
    assert refused.value.found == f"“{typed.strip()}” is no time of this run"
