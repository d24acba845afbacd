"""A user-defined measure that fails or returns no numbers is reported by name, without a traceback."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import quatviz as qv
from quatviz.analysis.executors.cluster import Cluster
from quatviz.analysis.sweeps.measures import MEASURES
from quatviz.analysis.sweeps.measures.base import SweepMeasure
from quatviz.analysis.sweeps.runs import RunGroup, SampleBlock

FREE = qv.load_preset("intermediate_axis").with_run(lanes=["newton_euler"], duration=0.1, dt=1e-2)
OVER = {"initial.angular_velocity[0]": np.linspace(0.1, 1.0, 3)}
MANY = {"initial.angular_velocity[0]": np.linspace(0.1, 1.0, 80)}


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


def measure_of(
    result: Callable[[int], Any], fails_in: str = "", error: BaseException | None = None
) -> type[SweepMeasure]:
    def fail_in(method: str) -> None:
        if method == fails_in and error is not None:
            raise error

    class Odd(SweepMeasure):
        name, title = "odd", "Odd"

        def __init__(self, runs: RunGroup) -> None:
            super().__init__(runs)
            fail_in("init")

        def update(self, block: SampleBlock) -> None:
            fail_in("update")

        def set_outcome(self, status: np.ndarray, ended: np.ndarray) -> None:
            fail_in("set_outcome")

        def result(self) -> np.ndarray:
            fail_in("result")
            values: np.ndarray = result(self.runs.count)
            return values

    return Odd


@pytest.fixture(autouse=True)
def _no_measure_stays() -> Iterator[None]:
    yield
    if "odd" in MEASURES:
        MEASURES.remove("odd")


def add_measure(measure: type[SweepMeasure]) -> None:
    MEASURES.add(lambda: measure)


def refusal_of(measure: type[SweepMeasure], over: dict[str, np.ndarray]) -> str:
    add_measure(measure)
    with pytest.raises(qv.InputError) as caught:
        qv.sweep(FREE, over, measure="odd", executor="threads")
    assert caught.value.place == "the measure odd"
    return str(caught.value)


@pytest.mark.parametrize("over", [OVER, MANY], ids=["single runs", "batch"])
@pytest.mark.parametrize("method", ["init", "update", "set_outcome", "result"])
@pytest.mark.parametrize(
    "error", [ValueError("odd"), SystemExit("bye"), Unspeakable()], ids=lambda error: type(error).__name__
)
def test_failing_measure_is_reported_by_name(
    method: str, error: BaseException, over: dict[str, np.ndarray]
) -> None:
    message = refusal_of(measure_of(np.zeros, method, error), over)
    assert type(error).__name__ in message
    assert __name__ in message


@pytest.mark.parametrize("over", [OVER, MANY], ids=["single runs", "batch"])
@pytest.mark.parametrize(
    "result",
    [
        lambda count: np.zeros(count + 1),
        lambda count: np.zeros((count, 2)),
        lambda count: None,
        lambda count: "text",
        lambda count: np.array(["a"] * count),
        lambda count: np.zeros(count, complex),
        lambda count: np.full(count, None),
        lambda count: 1.0,
        lambda count: [[1.0], [2.0, 3.0]],
    ],
    ids=["too many", "pairs", "None", "text", "texts", "complex", "objects", "one number", "ragged"],
)
def test_non_numeric_measure_result_is_reported_by_name(
    result: Callable[[int], Any], over: dict[str, np.ndarray]
) -> None:
    refusal_of(measure_of(result), over)


def test_measures_may_return_any_number_type() -> None:
    add_measure(measure_of(lambda count: list(range(count))))
    assert qv.sweep(FREE, OVER, measure="odd")["odd"].shape == (1, 3)


def test_scheduler_failure_while_listing_workers_gives_a_message() -> None:
    class Dying:
        """Scheduler that answers once and then dies."""

        scheduler = SimpleNamespace(address="tcp://127.0.0.1:8786")

        def scheduler_info(self, n_workers: int) -> Any:
            raise OSError("Stream is closed")

        def cancel(self, *_: Any, **__: Any) -> None:
            raise OSError("Stream is closed")

        def close(self, **_: Any) -> None:
            pass

    cluster = Cluster(Dying(), "quatviz.analysis.sweeps.chunk", wait=False)
    with pytest.raises(qv.InputError, match="Stream is closed") as caught:
        cluster.submit(abs, -1).result(60)
    assert "dask scheduler" in caught.value.remedy
    cluster.close()
