"""Colours of the page: those of the window's dark and light themes, which live with the window. A test compares them."""

from __future__ import annotations

LOOKS: dict[str, dict[str, object]] = {
    "dark": {
        "window": "#14171d",
        "surface": "#1a1e26",
        "raised": "#232833",
        "line": "#343b49",
        "text": "#e8ebf1",
        "muted": "#9aa4b5",
        "accent": "#5aa9ff",
        "danger": "#ff7a6b",
        "lanes": ["#56b4e9", "#f0a530", "#2fbf9a", "#e087b8", "#f0e442", "#5f8dff", "#ff7f50", "#b3b9c4"],
        "components": ["#b3bac6", "#ff6b62", "#5fd068", "#6ea2ff"],
        "omega": "#ffc933",
        "h": "#ee5ee6",
        "sky_top": "#2e3545",
        "sky_bottom": "#11141a",
        "ground_line": "#465064",
        "body": ["#d98a3a", "#f3dfc0"],
    },
    "light": {
        "window": "#eef0f4",
        "surface": "#ffffff",
        "raised": "#f4f6f9",
        "line": "#cfd5df",
        "text": "#171b22",
        "muted": "#5a6474",
        "accent": "#0b63ce",
        "danger": "#b3261e",
        "lanes": ["#0072b2", "#b65f00", "#007a5a", "#a8437f", "#7d7300", "#3448c5", "#c2410c", "#5b6472"],
        "components": ["#4d5665", "#c62828", "#23802c", "#1f56c4"],
        "omega": "#9a6b00",
        "h": "#b01fa8",
        "sky_top": "#dfe6f1",
        "sky_bottom": "#f8fafc",
        "ground_line": "#aeb8c8",
        "body": ["#c8741f", "#f6e3c6"],
    },
}
