"""The numbers above a strip: of many lanes where there is little room, and at another size of everything."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPixmap
from pytestqt.qtbot import QtBot
from six_lanes import SIX, scale, traces

from quatviz.display.view_state.theme import DARK, Theme, sized
from quatviz.ui.plots.strip_plot import StripHeader
from quatviz.ui.widgets.painting import Letters
from quatviz.ui.widgets.style import plot_style


def written(header: StripHeader, values: tuple[float, ...], room: float, anew: bool = True) -> list[str]:
    """What stands there of the values, in a plot of some width."""
    theme = header.style.theme
    picture = QPixmap(round(room) + 100, 60)
    picture.fill(Qt.GlobalColor.black)
    header.renew(picture, anew, QRectF(60, theme.pixels(24), room, 30), traces(values), scale())
    return [header.shown[value.number] for value in header.values]


def head(theme: Theme = DARK) -> StripHeader:
    return StripHeader(plot_style(theme), "λ", "J")


@pytest.mark.parametrize("size", [1.0, 1.5])
def test_numbers_of_six_lanes_lose_decimals_before_any_is_left_out(qtbot: QtBot, size: float) -> None:
    header = head(sized(DARK.name, size))
    assert written(header, SIX, 1000.0 * size) == [
        "+0.000",
        "−15.343",
        "−38.863",
        "+69.051",
        "+53.709",
        "+30.188",
    ]
    assert written(header, SIX, 320.0 * size) == ["+0.0", "−15.3", "−38.9", "+69.1", "+53.7", "+30.2"]
    assert written(header, SIX, 240.0 * size) == ["+0", "−15", "−39", "+69", "+54", "+30"]
    assert header.height == header.style.header
    assert written(header, SIX, 100.0 * size) == ["+0", "−15", "−39", "+69", "+54", "+30"]
    first, last = header.values[0], header.values[-1]
    assert last.x < header.values[1].x, "on a second row"
    assert last.y - first.y == header.height - header.style.header == header.row
    few = written(header, SIX, 30.0 * size)
    assert len(few) in (3, 4), "and dots stand for the rest"
    assert few == ["+0", "−15", "−39", "+69"][: len(few)]


def test_a_header_that_begins_left_of_its_plot_leaves_the_numbers_of_the_axis_alone(qtbot: QtBot) -> None:
    header, ink = head(), QColor("#ff0000")
    picture, area = QPixmap(250, 60), QRectF(60, 28, 140, 30)
    picture.fill(ink)  # numbers of the axis, say
    for values in (SIX, tuple(2.0 * one for one in SIX)):
        header.renew(picture, False, area, traces(values), scale())
    image, high = picture.toImage(), round(area.top() - header.style.small_metrics.capHeight() / 2)
    assert (header.small, header.early) == (True, True)
    assert min(value.x for value in header.values) < area.left()
    gutter = {image.pixelColor(x, y).name() for x in range(59) for y in range(high, 60)}
    assert gutter == {ink.name()}
    assert image.pixelColor(3, 2) == header.style.ground, "nothing of what stood there before is left"


def test_numbers_stand_as_close_as_before_when_everything_is_as_large_as_before(qtbot: QtBot) -> None:
    header = head()
    written(header, SIX, 1000.0)
    before = [value.x for value in header.values]
    for theme in (sized(DARK.name, 1.5), DARK):
        header.style = plot_style(theme)
        written(header, SIX, 1000.0)
    assert [value.x for value in header.values] == before


def test_digits_that_change_are_not_measured_and_whose_they_are_is_found_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They keep their places, and only numbers that several lanes share have stripes as wide as they are."""
    header, told = head(), list[str]()
    written(header, SIX, 1000.0)
    width, form_of = Letters.width, StripHeader.form_of

    def measured(letters: Letters, text: str) -> float:
        told.append("measured")
        return width(letters, text)

    def formed(header: StripHeader, texts: Sequence[str]) -> object:
        told.append("formed")
        return form_of(header, texts)

    monkeypatch.setattr(Letters, "width", measured)
    monkeypatch.setattr(StripHeader, "form_of", formed)
    assert written(header, (0.5, *SIX[1:]), 1000.0, anew=False)[0] == "+0.500"
    assert told == ["formed"]
