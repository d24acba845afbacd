"""The numbers above a strip: many lanes in little space, and other interface scales."""

from collections.abc import Sequence

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPixmap
from pytestqt.qtbot import QtBot
from six_lanes import SIX_VALUES, make_scale, traces

from quatviz.display.view_state.theme import DARK, Theme, scaled_theme
from quatviz.ui.plots.strip_plot import StripHeader
from quatviz.ui.widgets.painting import GlyphCache
from quatviz.ui.widgets.style import plot_style


def drawn_texts(header: StripHeader, values: tuple[float, ...], room: float, anew: bool = True) -> list[str]:
    """Return the texts that are drawn for the values in a plot of some width."""
    theme = header.style.theme
    picture = QPixmap(round(room) + 100, 60)
    picture.fill(Qt.GlobalColor.black)
    header.update_picture(
        picture, anew, QRectF(60, theme.scaled_pixels(24), room, 30), traces(values), make_scale()
    )
    return [header.shown_texts[value.trace_index] for value in header.values]


def make_header(theme: Theme = DARK) -> StripHeader:
    return StripHeader(plot_style(theme), "λ", "J")


@pytest.mark.parametrize("size", [1.0, 1.5])
def test_numbers_of_six_lanes_lose_decimals_before_any_is_omitted(qtbot: QtBot, size: float) -> None:
    header = make_header(scaled_theme(DARK.name, size))
    assert drawn_texts(header, SIX_VALUES, 1000.0 * size) == [
        "+0.000",
        "−15.343",
        "−38.863",
        "+69.051",
        "+53.709",
        "+30.188",
    ]
    assert drawn_texts(header, SIX_VALUES, 320.0 * size) == [
        "+0.0",
        "−15.3",
        "−38.9",
        "+69.1",
        "+53.7",
        "+30.2",
    ]
    assert drawn_texts(header, SIX_VALUES, 240.0 * size) == ["+0", "−15", "−39", "+69", "+54", "+30"]
    assert header.height == header.style.header_height
    assert drawn_texts(header, SIX_VALUES, 100.0 * size) == ["+0", "−15", "−39", "+69", "+54", "+30"]
    first, last = header.values[0], header.values[-1]
    assert last.x < header.values[1].x, "on a second row"
    assert last.y - first.y == header.height - header.style.header_height == header.row_height
    few = drawn_texts(header, SIX_VALUES, 30.0 * size)
    assert len(few) in (3, 4), "dots stand for the remaining numbers"
    assert few == ["+0", "−15", "−39", "+69"][: len(few)]


def test_header_left_of_plot_does_not_erase_axis_numbers(qtbot: QtBot) -> None:
    header, ink = make_header(), QColor("#ff0000")
    picture, area = QPixmap(250, 60), QRectF(60, 28, 140, 30)
    picture.fill(ink)  # for example numbers of the axis
    for values in (SIX_VALUES, tuple(2.0 * single_value for single_value in SIX_VALUES)):
        header.update_picture(picture, False, area, traces(values), make_scale())
    image, high = picture.toImage(), round(area.top() - header.style.small_metrics.capHeight() / 2)
    assert (header.is_small, header.starts_left) == (True, True)
    assert min(value.x for value in header.values) < area.left()
    gutter = {image.pixelColor(x, y).name() for x in range(59) for y in range(high, 60)}
    assert gutter == {ink.name()}
    assert image.pixelColor(3, 2) == header.style.background, "the previous header is erased"


def test_number_spacing_is_restored_with_the_scale(qtbot: QtBot) -> None:
    header = make_header()
    drawn_texts(header, SIX_VALUES, 1000.0)
    before = [value.x for value in header.values]
    for theme in (scaled_theme(DARK.name, 1.5), DARK):
        header.style = plot_style(theme)
        drawn_texts(header, SIX_VALUES, 1000.0)
    assert [value.x for value in header.values] == before


def test_changing_digits_are_not_measured_again(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep their positions. Only numbers shared by several lanes need their width for the stripes."""
    header, told = make_header(), list[str]()
    drawn_texts(header, SIX_VALUES, 1000.0)
    width, pattern = GlyphCache.width, StripHeader.digit_pattern

    def measured(letters: GlyphCache, text: str) -> float:
        told.append("measured")
        return width(letters, text)

    def formed(header: StripHeader, texts: Sequence[str]) -> object:
        told.append("formed")
        return pattern(header, texts)

    monkeypatch.setattr(GlyphCache, "width", measured)
    monkeypatch.setattr(StripHeader, "digit_pattern", formed)
    assert drawn_texts(header, (0.5, *SIX_VALUES[1:]), 1000.0, anew=False)[0] == "+0.500"
    assert told == ["formed"]
