"""Wrong equations that were invented without knowledge of the examiner's code."""

import pytest
from slips import Slip
from unseen_slips import ROUND_ONE, ROUND_TWO

import quatviz as qv


@pytest.mark.parametrize("slip", [*ROUND_ONE, *ROUND_TWO], ids=lambda slip: slip.function.__name__)
def test_an_unseen_slip_is_described(slip: Slip) -> None:
    judgement = qv.judge(slip.function, slip.preset)
    assert not judgement.is_correct or judgement.is_principal_form
    assert slip.verdict in judgement.verdict
