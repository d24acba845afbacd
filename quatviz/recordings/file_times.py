"""Conversion of the times of rows to seconds, from numbers with a unit, dates, times of day and counters.

Differences of integers and dates are computed with integers before conversion to float64, because nanoseconds since
1970 have more digits than a float64. Dates and times since 1970 become seconds since the midnight before the first
row, in UTC, or in local time if there is no time zone.
"""

import math
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from quatviz.base.errors import Phrase, phrase, plural_phrase
from quatviz.base.spelled_units import unit_factor
from quatviz.recordings.columns import text_cells

DAY = 86_400
"""Length of a day [s]."""
EPOCH_LIMIT = 1e8
"""Smallest number [s] that counts as a date, in seconds since 1970. It is about three years after 1970."""
_NANO = 10**9
_LEAP_SECOND_DAYS = (
    "1972-07-01 1973-01-01 1974-01-01 1975-01-01 1976-01-01 1977-01-01 1978-01-01 1979-01-01 1980-01-01 1981-07-01 1982-07-01 "
    "1983-07-01 1985-07-01 1988-01-01 1990-01-01 1991-01-01 1992-07-01 1993-07-01 1994-07-01 1996-01-01 1997-07-01 1999-01-01 "
    "2006-01-01 2009-01-01 2012-07-01 2015-07-01 2017-01-01"
)  # fmt: skip
"""UTC days that began directly after a leap second (IERS Bulletin C)."""
LEAP_SECONDS = np.array(_LEAP_SECOND_DAYS.split(), dtype="datetime64[ns]").astype(np.int64)
"""Starts of the days after leap seconds [ns since 1970]."""
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_CLOCK = r"(?P<h>\d{1,4})[:\-_h](?P<m>\d\d)(?:[:\-_m](?P<s>\d\d)(?:[.,:_](?P<f>\d+))?)?\s*(?P<half>[AaPp]\.?[Mm]\.?)?"
_ZONE = r"\s*(?P<zone>Z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?"
_DATES = (
    r"(?P<Y>\d{4})[-/._](?P<M>\d{1,2})[-/._](?P<D>\d{1,2})",
    r"(?P<Y>\d{4})-(?P<N>\d{3})",
    r"(?P<D>\d{1,2})[ -](?P<B>[A-Za-z]{3})[a-z]*\.?[ -](?P<Y>\d{4})",
    r"(?P<D>\d{1,2})\.(?P<M>\d{1,2})\.(?P<Y>\d{4})",
    r"(?P<P>\d{1,2})[/-](?P<Q>\d{1,2})[/-](?P<Y>\d{4})",
)
_PATTERNS = tuple(re.compile(date + r"(?:[T _]|, )" + _CLOCK + _ZONE, re.ASCII) for date in _DATES)
_COMPACT = re.compile(
    r"(?P<Y>\d{4})(?P<M>\d\d)(?P<D>\d\d)T(?P<h>\d\d)(?P<m>\d\d)(?P<s>\d\d)(?:[.,](?P<f>\d+))?" + _ZONE,
    re.ASCII,
)
_TIME_OF_DAY = re.compile(
    r"(?P<h>\d{1,4}):(?P<m>\d\d):(?P<s>\d\d)(?:[.,:](?P<f>\d+))?\s*(?P<half>[AaPp]\.?[Mm]\.?)?", re.ASCII
)
_DECIMAL = re.compile(r"\d{1,10}(?:\.\d*)?", re.ASCII)
_UTC_ZONES = ("Z", "UTC", "GMT", "+0000", "+00:00")
_WITH_UNIT = re.compile(r"([-+]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][-+]?\d+)?)\s*([^\W\d_]+)")
"""Pattern of a cell that contains a number and its unit, such as "0.01 sec"."""
_LARGEST_COUNT = 2**63 - 1
"""Largest integer to which decimal seconds are converted without loss, the limit of int64."""
_TRIED_ROWS = 100
"""Number of rows on which each date format is tried."""
FORMATS = "0.25, 0.25 sec, 12:34:56.789, 2026-11-25T13:20:00.5Z, 25.11.2026 13:20:00, 25 Nov 2026 13:20:00"
"""Examples of times that can be read, to be shown in error messages."""
_COUNTER_BITS = (8, 16, 24, 32, 48)
_COUNTER_EDGE = 0.05
"""Width of the zones at both ends of a counter's range, as a fraction of the range.

A decrease counts as an overflow if it leads from the upper zone to the lower zone.
"""


class FileTimes(NamedTuple):
    """Times of all rows of a file.

    `seconds` (n,) are times [s], NaN for cells that are not understood. Remarks describe conversions. `is_date` is True for
    dates and for counts since 1970.
    """

    seconds: np.ndarray
    remarks: tuple[Phrase, ...] = ()
    is_date: bool = False


class Clock(NamedTuple):
    """Parsed times of day or dates.

    Nanoseconds (n,) count from 1970 for dates and from midnight for times of day; a mask (n,) is True for valid rows.
    `has_date` is True for dates, and `is_utc` is True for times in UTC.
    """

    nanoseconds: np.ndarray
    is_known: np.ndarray
    has_date: bool
    is_utc: bool
    is_leap: np.ndarray
    """Mask (n,) of the rows in a leap second, written as second 60."""


def read_times(
    columns: Mapping[str, np.ndarray],
    name: str,
    unit: str = "s",
    count: int | None = None,
    is_utc: bool = False,
) -> FileTimes:
    """Return the times of the first `count` rows, or of all rows.

    Parameters
    ----------
    columns
        Columns of the file.
    name
        Name of the time column.
    unit
        Unit of numeric times. It has no effect on dates and times of day.
    count
        Number of rows, or None for all.
    is_utc
        True if the file declares UTC, so that leap seconds are counted.
    """
    values = columns[name][:count]
    factor = unit_factor(unit, "time") or 1.0
    if values.dtype.kind in "iu":
        return _times_of_numbers(values, Fraction(repr(factor)))
    if np.isfinite(values).any():
        largest = float(np.nanmax(np.abs(values))) * factor
        texts = text_cells(columns, name, count) if largest >= EPOCH_LIMIT else None
        exact = None if texts is None else _decimal_counts(texts)
        if exact is None:
            return _times_of_numbers(values, Fraction(repr(factor)))
        counts, digits = exact
        return _times_of_numbers(counts, Fraction(repr(factor)) / 10**digits)
    texts = text_cells(columns, name, count)
    clock = None if texts is None else parse_clock(texts)
    if clock is not None:
        return _times_of_clock(clock, is_utc)
    durations = None if texts is None else _durations(texts)
    return FileTimes(values if durations is None else durations)


def _durations(texts: list[str]) -> np.ndarray | None:
    """Return times (n,) [s] from cells such as "0.01 sec", which contain a number and a unit of time.

    Return None if a cell contains anything else. An empty cell gives NaN.
    """
    matches = [_WITH_UNIT.fullmatch(text) if text else None for text in texts]
    if not any(matches) or any(text and match is None for text, match in zip(texts, matches, strict=True)):
        return None
    factors = {match[2]: unit_factor(match[2], "time") for match in matches if match is not None}
    if any(factor is None for factor in factors.values()):
        return None
    return np.array(
        [
            np.nan if match is None else float(match[1].replace(",", ".")) * (factors[match[2]] or 1.0)
            for match in matches
        ]
    )


def _times_of_numbers(values: np.ndarray, factor: Fraction) -> FileTimes:
    """Return times in seconds from numbers in units of `factor` seconds."""
    values, remarks = _unwrap_counter(values)
    known = values if values.dtype.kind in "iu" else values[np.isfinite(values)]
    if not len(known):
        return FileTimes(values.astype(np.float64))
    first = Fraction(int(known[0])) if values.dtype.kind in "iu" else Fraction(float(known[0]))
    start = first * factor
    if abs(start) < EPOCH_LIMIT:
        return FileTimes(_scaled(values, factor), remarks)
    offset = float(start - start // DAY * DAY)
    origin = int(first) if values.dtype.kind in "iu" else float(first)
    return FileTimes(_scaled(values - origin, factor) + offset, remarks, True)


def _scaled(values: np.ndarray, factor: Fraction) -> np.ndarray:
    """Return `values`, which are in units of `factor` seconds, in seconds as float64. Values beyond the range of float64
    become NaN."""
    with np.errstate(over="ignore"):
        seconds = values.astype(np.float64) * float(factor)
    return np.where(np.isfinite(seconds), seconds, np.nan)


def clock_nanoseconds(clock: Clock, is_utc: bool, since: int) -> np.ndarray:
    """Return the nanoseconds (n,) since 1970, including the leap seconds inserted after the instant `since` [ns
    since 1970]."""
    shown = clock.nanoseconds[clock.is_leap & clock.is_known] // (DAY * _NANO) * DAY * _NANO
    leap_starts = np.union1d(LEAP_SECONDS if is_utc or clock.is_utc else LEAP_SECONDS[:0], shown)
    passed = np.searchsorted(leap_starts, clock.nanoseconds, "right") - np.searchsorted(
        leap_starts, since, "right"
    )
    return clock.nanoseconds + (passed - clock.is_leap) * _NANO


def _decimal_counts(texts: list[str]) -> tuple[np.ndarray, int] | None:
    """Return decimal numbers (n,) as integers in units of 10^-k, and the exponent k. Return None if a text is not a decimal
    number."""
    if not all(map(_DECIMAL.fullmatch, texts)):
        return None
    entire, _, fraction = zip(*(text.partition(".") for text in texts), strict=True)
    largest = max(map(int, entire)) + 1
    digits = min(max(map(len, fraction)), math.floor(math.log10(_LARGEST_COUNT / largest)))
    parts = np.array(
        [int(f"{text[:digits]:0<{digits}}") if digits else 0 for text in fraction], dtype=np.int64
    )
    return np.array(entire, dtype=np.int64) * 10**digits + parts, digits


def _times_of_clock(clock: Clock, is_utc: bool) -> FileTimes:
    """Return times from dates or times of day. Times of day continue to increase after midnight."""
    stamps, remarks = clock.nanoseconds.copy(), []
    rows = np.flatnonzero(clock.is_known)
    first = int(stamps[rows[0]])
    origin = first // (DAY * _NANO) * DAY * _NANO
    if clock.has_date:
        passed = clock_nanoseconds(clock, is_utc, first)
        if (passed[rows] != stamps[rows]).any():
            remarks.append(phrase("the times include a leap second of UTC"))
        stamps = passed
    else:
        steps = np.diff(stamps[rows])
        days = np.cumsum((steps < -DAY * _NANO // 2).astype(np.int64) - (steps > DAY * _NANO // 2))
        stamps[rows[1:]] += days * DAY * _NANO
        if days.any():
            remarks.append(
                phrase("the recording passes midnight, so later times of day count as the next day")
            )
    seconds = np.where(clock.is_known, (stamps - origin) * 1e-9, np.nan)
    return FileTimes(seconds, tuple(remarks), clock.has_date)


def _unwrap_counter(values: np.ndarray) -> tuple[np.ndarray, tuple[Phrase, ...]]:
    """Return a counter that continues to increase after its overflows at a power of two, and remarks on the overflows."""
    known = np.isfinite(values)
    numbers = values[known]
    drops = np.flatnonzero(np.diff(numbers) < 0)
    if (
        not len(drops)
        or len(drops) > len(numbers) // 3
        or not (numbers == np.floor(numbers)).all()
        or numbers.min() < 0
    ):
        return values, ()
    for bits in _COUNTER_BITS:
        size = 2**bits
        is_wrap = (numbers[drops] > (1.0 - _COUNTER_EDGE) * size) & (
            numbers[drops + 1] < _COUNTER_EDGE * size
        )
        if numbers.max() < size and is_wrap.all():
            turns = np.zeros(len(numbers), dtype=values.dtype)
            turns[drops + 1] = 1
            result = values.copy()
            result[known] = numbers + np.cumsum(turns) * values.dtype.type(size)
            remark = plural_phrase(
                len(drops), "the time counter overflows at 2^{bits}; it was unwrapped",
                "the time counter overflows at 2^{bits} {count} times; it was unwrapped", bits=bits,
            )  # fmt: skip
            return result, (remark,)
    return values, ()


def parse_clock(texts: list[str]) -> Clock | None:
    """Parse dates with times of day, or times of day alone. Return None if no row is understood, or if the order of
    day and month is ambiguous.

    Rows with the same positions of digits are parsed together, other rows one by one.
    """
    nanoseconds, is_known = np.zeros(len(texts), dtype=np.int64), np.zeros(len(texts), dtype=bool)
    is_leap, is_utc = is_known.copy(), True
    open_rows = np.array([row for row, text in enumerate(texts) if text], dtype=np.int64)
    has_date: bool | None = None
    for pattern in (*_PATTERNS, _COMPACT, _TIME_OF_DAY):
        if not len(open_rows):
            break
        if not any(pattern.fullmatch(texts[row]) for row in open_rows[:_TRIED_ROWS].tolist()):
            continue
        fields, matches = _match_all(pattern, [texts[row] for row in open_rows.tolist()])
        day_first = _is_day_first(fields, matches) if "P" in fields else True
        if day_first is None or has_date not in (None, "Y" in fields):
            return None
        has_date = "Y" in fields
        stamps, is_valid = _to_nanoseconds(fields, day_first)
        matches &= is_valid
        rows = open_rows[matches]
        nanoseconds[rows], is_known[rows] = np.broadcast_to(stamps, matches.shape)[matches], True
        is_leap[rows] = fields["s"][matches] == "60"
        zone = fields.get("zone")
        is_utc &= zone is not None and bool(np.isin(zone[matches], _UTC_ZONES).all())
        open_rows = open_rows[~matches]
    return Clock(nanoseconds, is_known, bool(has_date), is_utc, is_leap) if is_known.any() else None


def _match_all(pattern: re.Pattern[str], texts: list[str]) -> tuple[dict[str, np.ndarray], np.ndarray]:
    """Return the fields of all rows as texts (n,), by the names of the groups of `pattern`, and a mask (n,) of the
    rows that match."""
    names = list(pattern.groupindex)
    array = np.array(texts, dtype=np.str_)
    is_known = np.zeros(len(texts), dtype=bool)
    fields = {name: np.zeros(len(texts), dtype="U12") for name in names}
    shapes = np.char.str_len(array)
    for length in np.unique(shapes):
        rows = np.flatnonzero(shapes == length)
        match = pattern.fullmatch(str(array[rows[0]])) if length else None
        if match is None:
            remaining = rows
        else:
            letters = array[rows].view("U1").reshape(len(rows), -1)[:, :length]
            template = np.array(list(str(array[rows[0]])))
            is_digit = np.char.isdigit(template)
            alike = (letters[:, ~is_digit] == template[~is_digit]).all(axis=1)
            digits = letters[:, is_digit]
            alike &= ((digits >= "0") & (digits <= "9")).all(axis=1)
            for name in names:
                begin, end = match.span(name)
                if begin >= 0:
                    part = np.ascontiguousarray(letters[alike, begin:end])
                    fields[name][rows[alike]] = part.view(f"U{end - begin}").ravel() if end > begin else ""
            is_known[rows[alike]] = True
            remaining = rows[~alike]
        for row in remaining.tolist():
            single = pattern.fullmatch(texts[row])
            if single is not None:
                is_known[row] = True
                for name in names:
                    fields[name][row] = single[name] or ""
    return fields, is_known


def _is_day_first(fields: Mapping[str, np.ndarray], is_known: np.ndarray) -> bool | None:
    """Return True if the day precedes the month in dates, and False if it follows.

    Return None if the order is ambiguous and affects differences of times.
    """
    first, second = (np.array(fields[key][is_known], dtype=np.int64) for key in "PQ")
    if (first > 12).any() or (second > 12).any():
        return bool((first > 12).any())
    return True if (first == first[0]).all() and (second == second[0]).all() else None


def _to_nanoseconds(fields: Mapping[str, np.ndarray], day_first: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return nanoseconds (n,) since 1970 or midnight, and a mask (n,) of the rows with valid dates and times."""

    def numbers(key: str, default: int = 0) -> np.ndarray:
        texts = fields.get(key)
        return (
            np.array(default)
            if texts is None
            else np.where(texts == "", str(default), texts).astype(np.int64)
        )

    hour, minute, second = numbers("h"), numbers("m"), numbers("s")
    if "half" in fields:
        half = np.char.lower(np.char.replace(fields["half"], ".", ""))
        is_twelve = hour % 12
        hour = np.where(half == "pm", is_twelve + 12, np.where(half == "am", is_twelve, hour))
    fraction = fields.get("f")
    nanos = np.array(0) if fraction is None else np.char.ljust(fraction, 9, "0").astype("U9").astype(np.int64)
    is_valid = (minute < 60) & (second < 61)
    days = np.array(0)
    if "Y" in fields:
        year = numbers("Y")
        is_valid = is_valid & (hour < 24) & (year > 1677) & (year < 2262)
        year = np.clip(year, 1678, 2261)
        january = (year - 1970).astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64)
        if "N" in fields:
            length = (year - 1969).astype("datetime64[Y]").astype("datetime64[D]").astype(np.int64) - january
            days, is_valid = (
                january + numbers("N") - 1,
                is_valid & (numbers("N") >= 1) & (numbers("N") <= length),
            )
        else:
            month, day = _month_and_day(fields, day_first, numbers)
            is_valid = is_valid & (month >= 1) & (month <= 12)
            first = ((year - 1970) * 12 + np.clip(month, 1, 12) - 1).astype("datetime64[M]")
            days = first.astype("datetime64[D]").astype(np.int64)
            length = (first + 1).astype("datetime64[D]").astype(np.int64) - days
            is_valid = is_valid & (day >= 1) & (day <= length)
            days = days + day - 1
    total = ((days * 24 + hour) * 60 + minute) * 60 + second - _zone_seconds(fields)
    # Second 60 is treated as the first second of the next minute.
    return total * _NANO + nanos, is_valid


def _month_and_day(
    fields: Mapping[str, np.ndarray], day_first: bool, numbers: Callable[..., np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    if "B" in fields:
        names = np.char.lower(fields["B"])
        return 1 + sum(np.where(names == name, number, 0) for number, name in enumerate(_MONTHS)) - (
            ~np.isin(names, _MONTHS)
        ), numbers("D")
    if "P" in fields:
        return (numbers("Q"), numbers("P")) if day_first else (numbers("P"), numbers("Q"))
    return numbers("M"), numbers("D")


def _zone_seconds(fields: Mapping[str, np.ndarray]) -> np.ndarray:
    """Return the offset of local times from UTC (n,) [s], positive east."""
    zone = fields.get("zone")
    if zone is None:
        return np.array(0)
    digits = np.char.replace(zone, ":", "")
    is_offset = np.char.startswith(digits, "+") | np.char.startswith(digits, "-")
    plain = np.where(is_offset, digits, "+0000")
    magnitude = np.char.ljust(np.char.lstrip(plain, "+-"), 4, "0").astype(np.int64)
    seconds = magnitude // 100 * 3600 + magnitude % 100 * 60
    return np.where(np.char.startswith(plain, "-"), -seconds, seconds)
