"""Names beside a plot: in the order of their ends, broken rather than cut, one for several where there is no room for each."""

from quatviz.base.words.lines import Type
from quatviz.feed.series import Series
from quatviz.panels.base.canvas import Box
from quatviz.panels.base.curves import Trace
from quatviz.panels.base.ends import End, EndNames, Label, names_of, stacked

ROOM = Box(300.0, 20.0, 90.0, 100.0)
LETTERS = Type(lambda text: 6.0 * len(text), 15.0)


def ends_of(**heights: float) -> list[End]:
    made = [Trace(Series(1), 0, "#ffffff", "", lane=lane, number=0) for lane in heights]
    return [End(trace, ROOM.x, y) for trace, y in zip(made, heights.values(), strict=True)]


def labels_of(ends: list[End], room: Box) -> list[Label]:
    names = names_of([one.trace for one in ends])
    return [label for label, _ in stacked(ends, names, LETTERS, room)]


def test_of_ends_in_one_place_each_has_its_name_as_long_as_there_is_room() -> None:
    ends = ends_of(one=30.0, two=30.0, three=30.0, four=90.0)
    assert [label.lines for label in labels_of(ends, ROOM)] == [["one"], ["two"], ["three"], ["four"]]
    low = Box(ROOM.x, ROOM.y, ROOM.width, 2.5 * LETTERS.line)
    assert [label.lines for label in labels_of(ends, low)] == [["one +2"], ["four"]]
    assert [len(label.ends) for label in labels_of(ends, low)] == [3, 1]


def test_a_name_is_broken_to_lines_and_never_cut() -> None:
    (label,) = labels_of(ends_of(**{"rate in the wrong frame": 50.0}), ROOM)
    assert len(label.lines) == 2
    assert " ".join(label.lines) == "rate in the wrong frame"


def test_names_near_each_other_do_not_swap_places_with_every_frame() -> None:
    names = EndNames()

    def order(**heights: float) -> list[str]:
        return [end.trace.lane for end in names.ordered(ends_of(**heights), 5.0)]

    assert order(one=30.0, two=40.0, three=80.0) == ["one", "two", "three"]
    assert order(one=42.0, two=40.0, three=80.0) == ["one", "two", "three"]
    assert order(one=50.0, two=40.0, three=80.0) == ["two", "one", "three"]
    assert order(one=38.0, two=40.0, three=80.0) == ["two", "one", "three"]


def test_a_strip_too_narrow_for_names_keeps_its_curves() -> None:
    traces = [one.trace for one in ends_of(Konjunktionsmultiplikator=1.0, two=2.0)]
    names = EndNames()
    names.apart = True
    assert names.width(LETTERS, traces, 200.0) == 0
    assert 0 < names.width(LETTERS, traces, 600.0) < 300
