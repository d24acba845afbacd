"""Themes: the only module that defines colors, font sizes and spacing of the window."""

import re
from dataclasses import dataclass, replace
from functools import cache
from string import Template

from quatviz.base import resources

INTERFACE_SCALES = (75, 100, 125, 150, 175, 200, 250, 300)
"""Interface scales that the user can choose [%]."""

GRID_UNIT = 8
"""Layout grid [pixels]. Every margin and gap is a multiple of it, or half of it inside a group."""


def mix_colors(color: str, background: str, fraction: float) -> str:
    """Blend two colors `#rrggbb`: `fraction` of `color` over `background`."""
    pairs = ((int(color[at : at + 2], 16), int(background[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round(fraction * a + (1 - fraction) * b):02x}" for a, b in pairs)


@dataclass(frozen=True, eq=False)
class Theme:
    """Colors `#rrggbb` and sizes of the window. Sizes are pixels at an interface scale of 100 %, see `scaled_theme`."""

    name: str
    window: str
    surface: str
    raised: str
    line: str
    text: str
    muted: str
    accent: str
    danger: str
    lanes: tuple[str, ...]
    """Lane colors by number. They differ in lightness, and by at least 10 in CIEDE2000 even for color-blind people."""
    components: tuple[str, str, str, str]
    """Colors of the components of p: scalar gray, x red, y green, z blue."""
    omega: str
    h: str
    torque: str
    pivot_force: str
    ring: str
    sky_top: str
    sky_bottom: str
    ground_line: str
    shadow: str
    body: tuple[str, str]
    """The two colors of the painted body in 3D."""
    font: str = "Inter"
    small: int = 12
    normal: int = 13
    title: int = 15
    display: int = 22
    curve_width: int = 2
    size: float = 1.0
    """Interface scale as a factor: 1.0 for 100 %."""

    def scaled_pixels(self, length: float) -> int:
        """Return a length at the scale of this theme, from its length at 100 % [pixels]."""
        return round(length * self.size)


DARK = Theme(
    name="dark",
    window="#14171d",
    surface="#1a1e26",
    raised="#232833",
    line="#343b49",
    text="#e8ebf1",
    muted="#9aa4b5",
    accent="#5aa9ff",
    danger="#ff7a6b",
    lanes=("#34c3fe", "#feb821", "#04ffc5", "#d082bc", "#f0f889", "#6f88ff", "#dd5f39", "#a9a8a2"),
    components=("#b3bac6", "#ff6b62", "#5fd068", "#6ea2ff"),
    omega="#ffc933",
    h="#ee5ee6",
    torque="#3fd6e8",
    pivot_force="#ff9e4d",
    ring="#d5dbe4",
    sky_top="#2e3545",
    sky_bottom="#11141a",
    ground_line="#465064",
    shadow="#05070a",
    body=("#8a8176", "#ddd5c8"),
)

LIGHT = Theme(
    name="light",
    window="#eef0f4",
    surface="#ffffff",
    raised="#f4f6f9",
    line="#cfd5df",
    text="#171b22",
    muted="#5a6474",
    accent="#0b63ce",
    danger="#b3261e",
    lanes=("#035fcb", "#c75104", "#0e7c50", "#6f1c60", "#574a01", "#1100bf", "#580d0d", "#535b5e"),
    components=("#4d5665", "#c62828", "#23802c", "#1f56c4"),
    omega="#9a6b00",
    h="#b01fa8",
    torque="#00798c",
    pivot_force="#b8480c",
    ring="#8b95a5",
    sky_top="#dfe6f1",
    sky_bottom="#f8fafc",
    ground_line="#aeb8c8",
    shadow="#6b7482",
    body=("#8a8176", "#ddd5c8"),
)

PROJECTOR = replace(
    LIGHT,
    name="projector",
    window="#ffffff",
    raised="#f1f3f7",
    line="#a9b2c0",
    text="#000000",
    muted="#3c4552",
    accent="#0a4fa8",
    danger="#a3150f",
    components=("#424a57", "#ad1919", "#196624", "#174aab"),
    omega="#765100",
    h="#8f1389",
    torque="#00606f",
    pivot_force="#9a3a05",
    ring="#6f7988",
    ground_line="#8f9bad",
    small=16,
    normal=17,
    title=20,
    display=28,
    curve_width=3,
)
"""Theme for lecture rooms: black on white, with curves 1.5 times as wide.

The smallest font has 16 pixels, which is 2 cm on a screen 2.4 m wide.
"""

THEMES = {theme.name: theme for theme in (DARK, LIGHT, PROJECTOR)}


FONT_SIZES = (
    *(10, 11, 12, 13, 14, 15, 16, 17, 18, 20, 22, 24, 26, 28, 31, 34, 37, 40, 44, 48),
    *(52, 57, 62, 68, 75, 82, 90),
)  # fmt: skip
"""Font sizes that text may scale to [pixels]. Qt keeps the glyphs of every size (20 to 40 kB) until the program ends."""


def nearest_font_size(pixels: float) -> int:
    """Return the nearest size in `FONT_SIZES`.

    Examples
    --------
    >>> nearest_font_size(26), nearest_font_size(36.4), nearest_font_size(3)
    (26, 37, 10)
    """
    return min(FONT_SIZES, key=lambda size: abs(size - pixels))


@cache
def scaled_theme(name: str, size: float) -> Theme:
    """Return the theme called `name` at a scale, or the dark theme if there is no theme of this name. Equal
    arguments give the same object.

    Examples
    --------
    >>> scaled_theme("dark", 1.5).normal, scaled_theme("dark", 1.5).curve_width, scaled_theme("dark", 1.0) is DARK
    (20, 3, True)
    """
    theme = THEMES.get(name, DARK)
    scaled = {
        field_name: round(size * getattr(theme, field_name))
        for field_name in ("small", "normal", "title", "display", "curve_width")
    }
    return theme if size == 1.0 else replace(theme, **scaled, size=size)


_PIXEL_LENGTH = re.compile(r"\b([1-9]\d*)px")


def style_sheet(theme: Theme) -> str:
    """Return the Qt style sheet `assets/window.qss` filled in for a theme."""
    rules = _PIXEL_LENGTH.sub(
        lambda match: f"{max(theme.scaled_pixels(int(match[1])), 1)}px", _style_sheet_template()
    )
    dark, light = (resources.asset_path(f"icons/tick-{ink}.svg").as_posix() for ink in ("dark", "light"))
    tick, mark = (dark, light) if theme.name == DARK.name else (light, dark)
    selection = mix_colors(theme.accent, theme.raised, 0.3)
    return Template(rules).substitute(vars(theme), chosen=selection, tick=tick, mark=mark)


@cache
def _style_sheet_template() -> str:
    return resources.asset_path("window.qss").read_text("utf-8")
