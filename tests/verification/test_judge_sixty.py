"""The judge names the mistakes of at least 55 of sixty wrong formulations, and rejects no correct one."""

from sixty_wrong_formulations import KNOWN_MISTAKES, OTHER_MISTAKES, SIXTY, TWENTY_CORRECT

import quatviz as qv

LEAST_IDENTIFIED = 55


def test_mistakes_of_sixty_wrong_formulations_are_named() -> None:
    assert (len(KNOWN_MISTAKES), len(OTHER_MISTAKES)) == (20, 40)
    assert len({case.name for case in SIXTY}) == 60
    judgements = [(case, qv.judge(case.equations, case.preset)) for case in SIXTY]
    assert [case.name for case, judgement in judgements if judgement.is_correct] == []
    missed = [
        f"{case.sentence!r} is not in {judgement.verdict!r}"
        for case, judgement in judgements
        if case.sentence not in judgement.verdict
    ]
    assert len(SIXTY) - len(missed) >= LEAST_IDENTIFIED, "\n".join(missed)


def test_formulations_in_twenty_sets_of_coordinates_are_accepted() -> None:
    judgements = [qv.judge(equations) for equations in TWENTY_CORRECT]
    assert len(judgements) == 20
    assert [
        judgement.verdict
        for judgement in judgements
        if not judgement.is_correct or judgement.is_principal_form
    ] == []
