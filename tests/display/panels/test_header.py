"""The header of a plot: lanes, decimals and colors that fit its width."""

import math

import pytest
from fake_run import FakeRun
from six_lanes import SIX_VALUES, make_scale, traces

from quatviz.display.data.scales import LinearScale, LogScale
from quatviz.display.panels.base.curves import PanelCurves
from quatviz.display.panels.base.header import Header, HeaderLayout, HeaderPart
from quatviz.display.panels.euler_angles import EulerAnglesPanel
from quatviz.display.panels.omega import Omega
from quatviz.display.view_state.board_choices import Choices
from quatviz.display.view_state.theme import DARK, THEMES, Theme


def lay_out(header: Header, values: tuple[float, ...], room: float, lead: float = 0.0) -> HeaderLayout:
    """Lay out a header with letters of eight pixels, or small ones of six, and this space before the plot."""
    header.reset_for(room)
    lefts = 60.0 - lead, 60.0
    return header.arrange(
        traces(values), make_scale(), DARK, lefts, 60.0 + room, lambda part: _wide(part) * len(part.text)
    )


def _wide(part: HeaderPart) -> float:
    return 6.0 if part.text_style == "small" and part.trace_index is not None else 8.0


def shown_numbers(header: Header, values: tuple[float, ...], room: float) -> list[str]:
    return [part.text for part, *_ in lay_out(header, values, room).parts if part.trace_index is not None]


def test_header_of_six_lanes_loses_decimals_before_omitting_any() -> None:
    header = Header("λ", "J")
    assert shown_numbers(header, SIX_VALUES, 500.0) == [
        "+0.000",
        "−15.343",
        "−38.863",
        "+69.051",
        "+53.709",
        "+30.188",
    ]
    assert lay_out(header, SIX_VALUES, 500.0).ellipsis_x is None
    assert shown_numbers(header, SIX_VALUES, 320.0) == ["+0.0", "−15.3", "−38.9", "+69.1", "+53.7", "+30.2"]
    assert shown_numbers(header, SIX_VALUES, 240.0) == ["+0", "−15", "−39", "+69", "+54", "+30"]
    assert shown_numbers(header, SIX_VALUES, 60.0) == ["+0", "−15", "−39", "+69"]
    few = lay_out(header, SIX_VALUES, 60.0)
    assert few.ellipsis_x is not None, "dots stand for the remaining numbers"
    assert few.parts[-1][1] + 18.0 < few.ellipsis_x <= 110.0


def test_crowded_numbers_shrink_and_then_start_left_of_the_plot() -> None:
    """A narrow window showed three of six multipliers, and none if all lanes share one."""
    header = Header("λ", "J")
    for room, lead, small, early in (
        (240.0, 50.0, False, False), (200.0, 50.0, True, False), (160.0, 50.0, True, True),
    ):  # fmt: skip
        arranged = lay_out(header, SIX_VALUES, room, lead)
        assert arranged.ellipsis_x is None, room
        assert [part.text for part, *_ in arranged.parts][1:7] == ["+0", "−15", "−39", "+69", "+54", "+30"]
        assert (header.is_small, header.starts_left, arranged.parts[0][1] < 60.0) == (small, early, early)
    assert lay_out(header, SIX_VALUES, 20.0, 40.0).ellipsis_x is not None, (
        "dots stand for the remaining numbers"
    )
    assert (lay_out(header, SIX_VALUES[:1], 101.0, 40.0).ellipsis_x, header.is_small) == (None, False)


def test_numbers_below_one_shrink_before_they_have_one_decimal() -> None:
    """Euler parameters of a single lane had one decimal in a window of usual size."""
    header, axis = Header("p", ""), LinearScale()
    axis.extend_to(-1.0, 1.0, math.nan, 0.0)
    values = (0.7071, -0.5012, 0.1234, 0.9)

    def arranged(room: float) -> list[str]:
        header.reset_for(room)
        width = lambda part: _wide(part) * len(part.text)  # noqa: E731
        made = header.arrange(traces(values), axis, DARK, (8.0, 60.0), 60.0 + room, width)
        return [part.text for part, *_ in made.parts][1:]

    assert arranged(500.0) == ["+0.707", "−0.501", "+0.123", "+0.900"]
    assert arranged(210.0) == ["+0.71", "−0.50", "+0.12", "+0.90"]
    assert not header.is_small
    assert arranged(170.0) == ["+0.71", "−0.50", "+0.12", "+0.90"]
    assert header.is_small
    assert arranged(90.0) == ["+0.7", "−0.5", "+0.1", "+0.9"], "rather than leaving one out"


def test_numbers_without_room_use_two_rows() -> None:
    """Only two or three of five drifts were shown in a narrow window in large type."""
    header = Header("|Δh| / |h₀|, space", "")
    traces_, axis = traces((2e-8, 2.4e-7, 1e-7, 8e-9, 8e-7)), LogScale()
    axis.extend_to(1e-17, 1e-5, 1e-17, 0.0)

    def arranged(room: float) -> tuple[list[str], list[tuple[float, int]], float | None]:
        header.reset_for(room)
        made = header.arrange(
            traces_, axis, DARK, (8.0, 60.0), 60.0 + room, lambda part: _wide(part) * len(part.text)
        )
        return made.texts, [(x, row) for _, x, row in made.parts], made.ellipsis_x

    whole, brief = (
        ["2×10⁻⁸", "2×10⁻⁷", "1×10⁻⁷", "8×10⁻⁹", "8×10⁻⁷"],
        ["2e−8", "2e−7", "1e−7", "8e−9", "8e−7"],
    )
    texts, places, remaining = arranged(520.0)
    assert (texts, remaining, {row for _, row in places}) == (whole, None, {0})
    texts, places, remaining = arranged(230.0)
    assert (texts, remaining) == (brief, None)
    assert [row for _, row in places] == [0, 0, 0, 0, 0, 1]
    assert places[-1][0] == 8.0, "where the first one starts"
    assert header.row_count == 2
    assert arranged(520.0)[1][-1][1] == 0
    assert header.row_count == 1, "with enough room again"


def test_numbers_keep_their_decimals_while_they_fit() -> None:
    header = Header("λ", "J")
    assert shown_numbers(header, SIX_VALUES, 320.0)[1] == "−15.3"
    assert shown_numbers(header, (0.0, 1.0, 2.0, 3.0, 4.0, 5.0), 320.0)[1] == "+1.0", (
        "otherwise digits would appear and disappear"
    )


def test_agreeing_lanes_share_a_number_with_stripes_of_their_colors() -> None:
    header = Header("λ", "J")
    assert shown_numbers(header, (1.0, 2.0, 1.0, 1.0), 1000.0) == ["+1.000", "+2.000"]
    stripes = [DARK.lanes[number] for number in (0, 2, 3)]
    numbers = [
        part
        for part, *_ in lay_out(header, (1.0, 2.0, 1.0, 1.0), 1000.0).parts
        if part.trace_index is not None
    ]
    assert [list(part.stripes) for part in numbers] == [stripes, []]
    (single,) = [
        part for part, *_ in lay_out(header, (1.0, 1.0, 1.0), 1000.0).parts if part.trace_index is not None
    ]
    assert (single.text, single.stripes) == ("+1.000", ()), (
        "one number for all lanes has the text color and no stripes"
    )


def test_tooltip_lists_the_number_of_each_lane() -> None:
    lines = Header("λ", "J").tooltip(traces(SIX_VALUES), make_scale()).splitlines()
    assert lines[0] == "lane 0: +0.000 J"
    assert lines[5] == "lane 5: +30.188 J"
    assert len(lines) == 6


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_euler_angle_has_the_color_of_its_gimbal_ring(theme: Theme) -> None:
    run = FakeRun(("one", "two"))
    for panel, colors in ((EulerAnglesPanel(), theme.components[1:]), (Omega(), [theme.text] * 3)):
        plots = PanelCurves(panel, run, run.info.lanes, Choices(), theme).plots
        for plot, color in zip(plots, colors, strict=True):
            header = Header(plot.symbol, plot.unit, plot.ring_index)
            symbol = next(iter(header.parts(theme, plot.traces, ["1", "2"])))
            assert (symbol.text, symbol.color) == (plot.symbol, color)


def test_rounding_is_below_a_twentieth_of_the_axis() -> None:
    """0.5 was rounded to +0 beside its dot, and -1.5 to -2."""
    for high, value, wanted in (
        (1.0, 0.5, "+0.5"),
        (2.0, -1.5, "−1.5"),
        (200.0, 30.2, "+30"),
        (0.02, 0.0137, "+0.014"),
    ):
        axis = LinearScale()
        axis.extend_to(-high, high, math.nan, 0.0)
        assert axis.format_value(value, fewer=9) == wanted
