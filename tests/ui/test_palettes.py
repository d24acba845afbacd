"""The colors of the lanes can be distinguished in every theme, also with color blindness."""

from itertools import combinations

import numpy as np
import pytest

from quatviz.display.view_state.lane_styles import COLOR_NAMES
from quatviz.display.view_state.theme import THEMES, Theme

XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
"""Matrix from linear sRGB to XYZ (D65)."""

SEEN = {
    "normal": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
"""Linear sRGB as seen without one type of cones: Machado, Oliveira and Fernandes 2009, table 1, severity 1.0."""

LEAST = 10.0
"""Minimum CIEDE2000 difference of any two colors."""
STEP = 3.5
"""Minimum difference in lightness from one color to the next lighter one, of 100."""


def linear(color: str) -> np.ndarray:
    """Return linear sRGB (3,) of `#rrggbb`, IEC 61966-2-1."""
    parts = np.array([int(color[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def lab(rgb: np.ndarray) -> np.ndarray:
    """Return CIELAB (3,) of linear sRGB, relative to its white."""
    share = (XYZ @ np.clip(rgb, 0.0, 1.0)) / XYZ.sum(axis=1)
    root = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def ciede2000(first: np.ndarray, second: np.ndarray) -> float:
    """Return the color difference of Sharma, Wu and Dalal 2005, (2) to (22), with kL = kC = kH = 1."""
    (L1, a1, b1), (L2, a2, b2) = first, second
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    grow = 1.5 - 0.5 * np.sqrt(mean**7 / (mean**7 + 25.0**7))
    C1, C2 = np.hypot(grow * a1, b1), np.hypot(grow * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, grow * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if C1 * C2 == 0 else (h2 - h1 + 180) % 360 - 180
    dH = 2 * np.sqrt(C1 * C2) * np.sin(np.radians(turn) / 2)
    L, C = (L1 + L2) / 2, (C1 + C2) / 2
    beyond = 0 if C1 * C2 == 0 or abs(h1 - h2) <= 180 else 180 if h1 + h2 < 360 else -180
    h = h1 + h2 if C1 * C2 == 0 else (h1 + h2) / 2 + beyond
    T = 1 - 0.17 * cosine(h - 30) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + 6) - 0.2 * cosine(4 * h - 63)
    dL = (L2 - L1) / (1 + 0.015 * (L - 50) ** 2 / np.sqrt(20 + (L - 50) ** 2))
    dC = (C2 - C1) / (1 + 0.045 * C)
    dH /= 1 + 0.015 * C * T
    rotated = np.sin(np.radians(60 * np.exp(-(((h - 275) / 25) ** 2))))
    R = -2 * np.sqrt(C**7 / (C**7 + 25.0**7)) * rotated
    return float(np.sqrt(dL**2 + dC**2 + dH**2 + R * dC * dH))


def cosine(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))


PAIRS = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, 2.49, -0.001), (50, -2.49, 0.0009), 7.1792),
    ((50, 2.49, -0.001), (50, -2.49, 0.0011), 7.2195),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (61, -5, 29), 22.8977),
    ((50, 2.5, 0), (56, -27, -3), 31.9030),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]
"""Pairs from table 1 of Sharma, Wu and Dalal 2005, with their difference."""


def test_ciede2000_matches_published_values() -> None:
    for first, second, difference in PAIRS:
        assert ciede2000(np.array(first), np.array(second)) == pytest.approx(difference, abs=1e-4)
        assert ciede2000(np.array(second), np.array(first)) == pytest.approx(difference, abs=1e-4)
    assert lab(linear("#ff0000")) == pytest.approx([53.24, 80.09, 67.20], abs=0.02)
    for seen in SEEN.values():
        assert np.array(seen).sum(axis=1) == pytest.approx(1.0, abs=1e-5), "gray stays gray"


every_theme = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)


@every_theme
@pytest.mark.parametrize("eyes", SEEN)
def test_lane_colors_differ_for_color_blindness(theme: Theme, eyes: str) -> None:
    seen = [lab(np.array(SEEN[eyes]) @ linear(color)) for color in theme.lanes]
    least = min((ciede2000(first, second), pair) for (first, second), pair in zip(
        combinations(seen, 2), combinations(theme.lanes, 2), strict=True))  # fmt: skip
    assert least[0] >= LEAST, least


@every_theme
def test_lane_colors_differ_in_lightness_and_from_body(theme: Theme) -> None:
    lanes = [lab(linear(color)) for color in theme.lanes]
    assert np.diff(sorted(lane[0] for lane in lanes)).min() >= STEP
    for tone in theme.body:
        assert min(ciede2000(lab(linear(tone)), lane) for lane in lanes) >= LEAST


@every_theme
def test_orange_is_not_brown(theme: Theme) -> None:
    """The menu calls the second color orange, and prints showed it brown: a dark orange."""
    lightness, a, b = lab(linear(theme.lanes[COLOR_NAMES.index("Orange")]))
    assert lightness > 45.0
    assert np.hypot(a, b) > 60.0
    assert 40.0 < np.degrees(np.arctan2(b, a)) < 85.0
