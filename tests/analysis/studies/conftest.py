"""A small study that several tests share."""

import pytest

import quatviz as qv
from quatviz.analysis.studies.files import StudyResult

STEPS = [0.08, 0.04, 0.02]


@pytest.fixture(scope="session")
def small() -> StudyResult:
    preset = qv.load_preset("torque_free")
    return qv.study(preset, lanes=["newton_euler", "hamilton"], steps=STEPS, duration=4.0)
