"""Formatting of numbers, units, parameter names and errors for display."""

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from quatviz.base.errors import InputError, titled_name
from quatviz.base.translation import tr, translated_error

CONTROL_CHARACTERS = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""Characters that are not allowed in displayed text, because they control a terminal, reverse the displayed order of
letters, or are invalid in SVG.

Reversed letters would make `gpj.exe` look like `exe.jpg`, for example. Line feeds and tabs are allowed, and so are
the direction marks U+200E and U+200F, which reverse nothing.
"""
MINUS_SIGN = "\u2212"
MISSING_VALUE = "–"
"""Text for a value that is not finite."""
NO_BREAK_SPACE = "\u00a0"
"""Space without a line break, which keeps a number and its unit together."""
_NEGATIVE_ZERO = re.compile(r"(?<![\w.])-(0(?:\.0*)?(?:e[+-]\d+)?)(?![\w.])")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = "₁₂₃₄₅₆₇₈₉"
_NAMES_OF_KEYS = {
    "dt": "time step",
    "rtol": "relative tolerance",
    "atol": "absolute tolerance",
    "J0": "J₀",
    "alpha": "α",
    "beta": "β",
}
_AMERICAN_SPELLING = {"centre": "center", "stabilisation": "stabilization", "maximised": "maximized"}
"""American spelling, for displayed texts, of the British words that occur in the keys of presets."""
SAMPLE_INTERVAL, TIME_STEP = titled_name("sample_interval", "sample interval"), titled_name("dt", "time step")
"""Names of the parameters `sample_interval` and `dt` in error messages: the key in scripts, the title in the
window."""
_KEY_SYMBOLS = {"Left": "←", "Right": "→", "-": "−", "PgUp": "Page Up", "PgDown": "Page Down"}
_POWER_SIGNS = {"^2": "²", "^3": "³"}


def escape_control_characters(text: str) -> str:
    """Return a text with its control characters replaced by escape codes. File names may contain any character.

    >>> escape_control_characters("\x1b[31mred")
    '\\\\x1b[31mred'
    """
    return CONTROL_CHARACTERS.sub(lambda match: ascii(match[0])[1:-1], text)


_MAX_QUOTED_LENGTH = 120
"""Largest number of characters of a text quoted in a message."""


def quote_excerpt(text: str) -> str:
    """Return a text for a quotation in a message: unchanged, or its beginning if it is long.

    A field takes texts of 30,000 characters, and laying out a message of that length takes seconds.

    >>> quote_excerpt("2 t"), len(quote_excerpt("1" * 30_000))
    ('2 t', 120)
    """
    return text if len(text) <= _MAX_QUOTED_LENGTH else text[: _MAX_QUOTED_LENGTH - 3] + "..."


def format_unit(unit: str) -> str:
    """Return a unit with superscripts: "kg m^2/s" gives "kg m²/s"."""
    for plain, raised in _POWER_SIGNS.items():
        unit = unit.replace(plain, raised)
    return unit


def humanize(name: str) -> str:
    """Return a parameter name for the middle of a sentence.

    >>> humanize("centre_of_mass"), humanize("321")
    ('center of mass', '3-2-1')
    """
    if name.isdigit():
        return "-".join(name)
    return tr(_NAMES_OF_KEYS.get(name, split_key(name)))


def split_key(name: str) -> str:
    """Return the words of a key of presets in American spelling, not translated.

    >>> split_key("centre_of_mass")
    'center of mass'
    """
    return " ".join(_AMERICAN_SPELLING.get(word, word) for word in name.split("_"))


def humanize_title(name: str) -> str:
    """Return a parameter name as a title: "centre_of_mass" gives "Center of mass"."""
    words = humanize(name)
    return words if len(words) == 1 else capitalize_first(words)


def capitalize_first(words: str) -> str:
    """Return a text with a capital first letter. A Greek letter is a symbol and stays unchanged.

    >>> capitalize_first("nothing was left out"), capitalize_first("ω and h")
    ('Nothing was left out', 'ω and h')
    """
    return words if "Ͱ" <= words[:1] <= "Ͽ" else words[:1].upper() + words[1:]


def lowercase_first(title: str) -> str:
    """Return a title for the middle of a sentence: "Reverse time" gives "reverse time"."""
    return tr(title[:1].lower() + title[1:])


def format_shortcut(keys: str) -> str:
    """Return a keyboard shortcut for display: "Shift+Left" gives "Shift ←"."""
    if len(keys) == 1:
        return _KEY_SYMBOLS.get(keys, keys)
    return " ".join(
        _KEY_SYMBOLS[key] if key in ("Left", "Right") else tr(_KEY_SYMBOLS.get(key, key))
        for key in keys.split("+")
    )


def parse_number(text: str) -> float | None:
    """Return the finite number in a text, or None.

    The decimal mark may be a point or a comma. 1,000 is rejected because its comma may also separate thousands, and
    1e400 because float64 cannot represent it.
    """
    try:
        value = float(text.replace("−", "-").replace(",", "."))
    except ValueError:
        return None
    return None if re.match(r"[-−+]?[1-9]\d{0,2},\d{3}$", text) or not math.isfinite(value) else value


@dataclass(frozen=True)
class DecimalStepper:
    """A typed number that is changed in decimal steps.

    As many steps down as up lead back to exactly the initial text.
    """

    initial_text: str
    exponent: int
    """Power of ten of one step. It keeps its value while the user makes steps."""
    offset: Decimal = Decimal(0)

    @classmethod
    def from_text(cls, text: str) -> "DecimalStepper | None":
        """Return a stepper for a typed number, or None if the text is not a number.

        A step changes the second significant digit, or the only one.

        >>> [DecimalStepper.from_text(text).exponent for text in ("2.2", "0.25", "346.4101616", "30", "0", "1e-5")]
        [-1, -2, 1, 0, -1, -5]
        """
        value = parse_number(text)
        if value is None:
            return None
        digits = Decimal(repr(value)).normalize()
        exponent = digits.as_tuple().exponent
        assert isinstance(exponent, int)
        return cls(text, -1 if value == 0 else max(digits.adjusted() - 1, min(exponent, 0)))

    def stepped(self, count: int, finer: int = 0) -> "DecimalStepper":
        """Return a stepper whose value is changed by `count` steps. Each step is 10**`finer` times smaller than usual."""
        return replace(self, offset=self.offset + Decimal(count).scaleb(self.exponent - finer))

    @property
    def text(self) -> str:
        """Current value as text.

        >>> [DecimalStepper.from_text(text).stepped(by).text for text, by in (("1,9", 1), ("0.1", -1), ("346.4101616", 1))]
        ['2', '0', '356.4101616']
        """
        if not self.offset:
            return self.initial_text
        return format_number(float(Decimal(repr(parse_number(self.initial_text))) + self.offset) + 0.0)


def format_number(value: float) -> str:
    """Return the shortest text that reads back as exactly `value`."""
    return repr(float(value)).removesuffix(".0")


def use_minus_sign(text: str) -> str:
    """Return a text in which the hyphens of numbers are replaced by minus signs. Numbers that read as zero get no sign.

    >>> [use_minus_sign(text) for text in ("-0.5", "2e-13", "-0.000", "-0", "-0.00 … 0.05")]
    ['−0.5', '2e−13', '0.000', '0', '0.00 … 0.05']
    """
    if "-" not in text:
        return text  # every frame formats a hundred numbers, most of them positive
    if text.rfind("-") == 0 and text[1:].replace(".", "", 1).isdecimal():
        return MINUS_SIGN + text[1:] if text.strip("-0.") else text[1:]
    return _NEGATIVE_ZERO.sub(r"\1", text).replace("-", MINUS_SIGN)


def shorten_number(text: str, fits: Callable[[str], bool]) -> str:
    """Return a number rounded to the most digits for which `fits(text)` is True. A text that fits or is not a
    number is returned unchanged.

    >>> shorten_number("0.000267012345", lambda text: len(text) < 10), shorten_number("2 t + 123456789", str.isdigit)
    ('0.000267', '2 t + 123456789')
    """
    value = parse_number(text)
    if value is None or fits(text):
        return text
    rounded = [f"{value:.{digits}g}" for digits in range(12, 0, -1)]
    return next(filter(fits, rounded), rounded[-1])


def format_short(value: float) -> str:
    """Return a number for a heading, with four significant digits or all digits before the decimal point.

    >>> format_short(-0.19171), format_short(11106.0), format_short(5e-5)
    ('−0.1917', '11106', '5×10⁻⁵')
    """
    digits = f"{value:.0f}" if 1e4 <= abs(value) < 1e6 else f"{value:.4g}"
    mantissa, _, exponent = digits.partition("e")
    return use_minus_sign(f"{mantissa}×{format_power_of_ten(int(exponent))}" if exponent else mantissa)


def format_formulation(title: str, variant: str) -> str:
    """Return the displayed name of a formulation and its variant."""
    return f"{tr(title)}: {humanize(variant)}" if variant else tr(title)


def format_error(refusal: InputError, key: str = "") -> str:
    """Return an error as lines below the input field `key`. An error of another parameter begins with a line that
    names it."""
    refusal = translated_error(refusal)
    lines = [
        tr("Expected {expected}.", expected=refusal.expected),
        tr("Found {found}.", found=refusal.found),
        tr("Try: {remedy}.", remedy=refusal.remedy),
    ]
    if refusal.key != key:
        lines.insert(0, f"{refusal.key or refusal.place}:")
    return format_unit("\n".join(lines).replace("?.", "?"))


def format_fixed(value: float, decimals: int, signed: bool = False) -> str:
    """Return `value` with a fixed number of decimals, so that its digits do not move while it changes."""
    if not math.isfinite(value):
        return MISSING_VALUE
    text = use_minus_sign(f"{value:.{decimals}f}")
    return "+" + text if signed and not text.startswith(MINUS_SIGN) else text


def format_two_digits(value: float) -> str:
    """Return `value` with two decimals, or more if needed to show two significant digits. Magnitudes below 1e-6 give 0.00.

    >>> [format_two_digits(value) for value in (-0.97, 0.0049, 3e-9, 0.0)]
    ['−0.97', '0.0049', '0.00', '0.00']
    """
    small = 1e-6 <= abs(value) < 0.1
    return format_fixed(value, 1 - math.floor(math.log10(abs(value))) if small else 2)


def format_time(time: float, decimals: int, breaks: Iterable[float] = ()) -> str:
    """Return a time with a fixed number of decimals.

    The displayed quantity is discontinuous at the times `breaks`. A time just before a break that would read the same
    as the break gets a raised minus sign, as in the notation of a left-hand limit.

    >>> [format_time(time, 2, [2.0]) for time in (1.98, 1.9999999, 2.0)]
    ['1.98', '2.00⁻', '2.00']
    """
    text, rounding = format_fixed(time, decimals), 10.0**-decimals
    is_before_break = any(
        1e-9 < break_time - time <= rounding and format_fixed(break_time, decimals) == text
        for break_time in breaks
    )
    return text + "⁻" if is_before_break else text


def format_scientific(value: float, decimals: int = 1) -> str:
    """Return `value` in the form 1.2×10⁻⁷, or "0" for exactly zero."""
    if not math.isfinite(value):
        return MISSING_VALUE
    if value == 0:
        return "0"
    mantissa, exponent = f"{abs(value):.{decimals}e}".split("e")
    return f"{MINUS_SIGN if value < 0 else ''}{mantissa}×{format_power_of_ten(int(exponent))}"


def format_brief(value: float, decimals: int = 0) -> str:
    """Return a short text of a number: with two or three decimals from 0.01 to 100, as 0.012, otherwise with
    an exponent and `decimals` decimals, as 2e−13.
    """
    if not math.isfinite(value):
        return MISSING_VALUE
    if value == 0:
        return "0"
    if 1e-2 <= abs(value) < 100:
        return format_fixed(value, 3 if abs(value) < 10 else 2)
    mantissa, exponent = f"{value:.{decimals}e}".split("e")
    return use_minus_sign(f"{mantissa}e{int(exponent)}")


def format_four_digits(value: float) -> str:
    """Return `value` with four significant digits, with a power of ten if it is very large or small."""
    if value == 0:
        return "0"
    decade = math.floor(math.log10(abs(value))) if math.isfinite(value) else 0
    return format_fixed(value, max(3 - decade, 0)) if -4 < decade < 6 else format_scientific(value, 3)


def tick_decimals(step: float) -> int:
    """Return the number of decimals that distinguish two ticks `step` apart."""
    return max(0, -math.floor(math.log10(step) + 1e-9)) if step > 0 else 0


def step_decimals(step: float) -> int:
    """Return the number of decimals for multiples of `step`: all decimals of `step`, but at most two
    more than `tick_decimals`.

    >>> step_decimals(0.01), step_decimals(0.0025), step_decimals(1 / 3), step_decimals(2.0)
    (2, 4, 3, 0)
    """
    decimals = tick_decimals(step)
    return next(
        (n for n in (decimals, decimals + 1) if abs(round(step, n) - step) <= 1e-9 * step), decimals + 2
    )


def nice_step(span: float, intervals: int) -> float:
    """Return the smallest of 1, 2, 5 times a power of ten that divides `span` into at most `intervals` parts."""
    raw = span / max(intervals, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    for factor in (1.0, 2.0, 5.0):
        if factor * power >= raw * (1 - 1e-9):
            return factor * power
    return 10.0 * power


def tick_step(low: float, high: float, least: int) -> float:
    """Return the largest of 1, 2, 5 times a power of ten with at least `least` multiples in [low, high]."""
    step = nice_step(high - low, 1)
    while len(tick_values(low, high, step)) < least:
        step = nice_step(step * 0.39, 1)  # the next smaller of 1, 2, 5
    return step


def tick_values(low: float, high: float, step: float) -> list[float]:
    """Return the multiples of `step` in the interval [low, high], as positions of ticks."""
    first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
    return [index * step for index in range(first, last + 1)]


_FEW_DECADES = 2.5
"""Length of a logarithmic axis [decades] below which 2 and 5 are labeled too."""
_MINOR_MANTISSAS: tuple[tuple[float, ...], ...] = (
    (2.0, 5.0),
    tuple(range(2, 10)),
    tuple(n / 2 for n in range(3, 20)),
    tuple(n / 10 for n in range(11, 100)),
)
"""Mantissas, between whole powers of ten, whose ticks may get a label.

The tuples are tried in order until one gives at least two labels on the axis.
"""


def decade_ticks(low: float, high: float, label_room: float) -> tuple[list[float], list[float]]:
    """Return the ticks of a logarithmic axis.

    Parameters
    ----------
    low, high
        Ends of the axis [decades].
    label_room
        Number of labels that fit.

    Returns
    -------
    labeled, unlabeled : list of float
        Positions [decades] of ticks with and without labels: whole decades, and mantissas between them if the
        axis has few decades.

    Examples
    --------
    >>> decade_ticks(-3.2, 1.4, 8.0)[0]
    [-3.0, -2.0, -1.0, 0.0, 1.0]
    """
    if not (math.isfinite(low) and math.isfinite(high)) or high - low > 400:
        return [], []
    max_labels = max(label_room, 2.0)
    decade_step = max(1, math.ceil((high - low) / max_labels))
    decades = range(math.floor(low), math.ceil(high) + 1)
    decade_labels = [float(decade) for decade in decades if decade % decade_step == 0]
    minor_ticks = (
        [decade + math.log10(n) for decade in decades for n in range(2, 10)] if decade_step == 1 else []
    )
    inside = [value for value in decade_labels if low <= value <= high]
    margin = (high - low) / (3.0 * label_room)
    for finer in _MINOR_MANTISSAS:
        # Labels close to an end of the axis would be clipped.
        uncut_labels = [value for value in inside if low + margin <= value <= high - margin]
        if len(uncut_labels) < 2 or (
            finer is _MINOR_MANTISSAS[0] and high - low < _FEW_DECADES and 3 * (high - low) < max_labels
        ):
            refined_labels = sorted(
                [*decade_labels, *(decade + math.log10(n) for decade in decades for n in finer)]
            )
            refined_labels = [value for value in refined_labels if low <= value <= high]
            inside = refined_labels if len(refined_labels) < max_labels + 2 else inside
    return inside, [value for value in minor_ticks if low <= value <= high and value not in inside]


def format_decade(decades: float) -> str:
    """Return the number at a position on a logarithmic axis.

    >>> format_decade(-3.0), format_decade(math.log10(25.0))
    ('10⁻³', '2.5×10¹')
    """
    exponent = math.floor(decades + 1e-9)
    mantissa = round(10 ** (decades - exponent), 1)
    power = format_power_of_ten(exponent)
    return power if mantissa == 1 else f"{mantissa:g}×{power}"


def format_time_range(low: float, high: float, sample: float) -> str:
    """Return both ends and the length of a time range with units, with enough decimals to distinguish samples.

    The ends are joined by "to" because a dash would be read as a minus sign.
    """
    decimals = max(2, tick_decimals(sample))
    first, last, length = (format_fixed(time, decimals) for time in (low, high, high - low))
    return tr("{first} to {last} s, {length} s", first=first, last=last, length=length)


def format_factor(power: int) -> str:
    """Return a factor for an axis title: 4 gives "× 10⁴"."""
    return f"× {format_power_of_ten(power) if power > 1 else 10**power}"


def to_superscript(number: int) -> str:
    """Return an integer as superscript: -12 gives ⁻¹²."""
    return str(number).translate(_SUPERSCRIPT)


def format_power_of_ten(exponent: int) -> str:
    """Return a power of ten: -7 gives 10⁻⁷."""
    return f"10{to_superscript(exponent)}"


def numbered_symbols(symbol: str, count: int) -> list[str]:
    """Return symbols for `count` items: f for a single item; otherwise f₁ to f₉, and f without an index for all further
    items."""
    if count == 1:
        return [symbol]
    return [symbol + _SUBSCRIPTS[index : index + 1] for index in range(count)]


def as_list(names: Any) -> list[str]:
    """Return names as a list. A single name, or any value that is not iterable, gives a list of one entry."""
    return list(names) if isinstance(names, Iterable) and not isinstance(names, str) else [names]
