"""Wrong equations that were invented without knowledge of the examiner's code."""

from typing import Any

import pytest
from slips import Slip
from slips_of_round_four import ROUND_FOUR
from slips_of_round_three import RIGHT_OF_ROUND_THREE, ROUND_THREE
from unseen_slips import ROUND_ONE, ROUND_TWO

import quatviz as qv


def name_of(slip: Any) -> str:
    return str(getattr(slip.function, "__name__", None) or slip.function.name)


@pytest.mark.parametrize("slip", [*ROUND_ONE, *ROUND_TWO, *ROUND_THREE, *ROUND_FOUR], ids=name_of)
def test_unseen_slip_is_described(slip: Slip) -> None:
    judgement = qv.judge(slip.function, slip.preset)
    assert not judgement.is_correct or judgement.is_principal_form
    assert slip.verdict in judgement.verdict


def test_no_unseen_correct_formulation_is_rejected() -> None:
    judgements = [qv.judge(function, preset) for function, preset in RIGHT_OF_ROUND_THREE]
    assert [judgement.verdict for judgement in judgements if not judgement.is_correct] == []
    assert len(ROUND_THREE) == 20
    assert len(judgements) == 10
