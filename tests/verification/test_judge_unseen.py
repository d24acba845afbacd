"""`judge` describes wrong equations that were written without knowledge of its code."""

from typing import Any

import pytest
from wrong_equations import WrongEquation
from wrong_equations_round_four import ROUND_FOUR
from wrong_equations_round_three import CORRECT_ROUND_THREE, ROUND_THREE
from wrong_equations_rounds_one_two import ROUND_ONE, ROUND_TWO

import quatviz as qv


def name_of(case: Any) -> str:
    return str(getattr(case.function, "__name__", None) or case.function.name)


@pytest.mark.parametrize("case", [*ROUND_ONE, *ROUND_TWO, *ROUND_THREE, *ROUND_FOUR], ids=name_of)
def test_unseen_mistake_is_described(case: WrongEquation) -> None:
    judgement = qv.judge(case.function, case.preset)
    assert not judgement.is_correct or judgement.is_principal_form
    assert case.verdict in judgement.verdict


def test_no_unseen_correct_formulation_is_rejected() -> None:
    judgements = [qv.judge(function, preset) for function, preset in CORRECT_ROUND_THREE]
    assert [judgement.verdict for judgement in judgements if not judgement.is_correct] == []
    assert len(ROUND_THREE) == 20
    assert len(judgements) == 10
