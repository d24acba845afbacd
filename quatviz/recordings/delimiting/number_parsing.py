"""Numbers and dates in the bytes of a text: kernels, so that a million rows take less than a second, beside other threads."""

import math

import numpy as np

from quatviz.physics.kernels.binder import compiled, inline

BLANK = 32
"""The separator that stands for any number of blanks and tabs."""
HARD = 4096
"""Numbers that are too near the middle between two doubles, or too large or small, for a kernel to tell: of one call of `read_rows`
at most so many, and those of one row."""
_RANGE = 280
"""Powers of ten by which a kernel multiplies."""
_ZERO, _NINE, _TAB, _LINE, _RETURN, _QUOTE, _COMMA, _POINT, _PLUS, _MINUS = b'09\t\n\r",.+-'
_DASH, _COLON, _LETTER_T, _LETTER_Z = b"-:TZ"
_EXPONENTS = tuple(b"eEdD")
_NANO = 1_000_000_000


def _powers() -> tuple[np.ndarray, np.ndarray]:
    """The first 64 bits of 10^e, the rest cut off, and the power of two that they are to be multiplied by."""
    bits, powers = [], []
    for e in range(-_RANGE, _RANGE + 1):
        shift = 64 + max(0, math.ceil(-e * math.log2(10.0)))
        whole = 10**e << shift if e >= 0 else (1 << shift) // 10**-e
        more = whole.bit_length() - 64
        bits.append(whole >> more)
        powers.append(more - shift)
    return np.array(bits, dtype=np.uint64), np.array(powers, dtype=np.int64)


_BITS, _POWERS = _powers()
_EXACT = 10.0 ** np.arange(23)
"""Doubles that are powers of ten."""
_U = np.uint64


@compiled
def read_rows(data, at, separator, numbers, starts, row, hard):
    """Read lines of `data` (bytes) from `at` on into `numbers` (columns, rows) from `row` on, and where each begins into `starts`
    (rows,); NaN where a cell is no number. Lines with another number of cells are counted, and those without any passed over.

    The cells that Python has to read stand in `hard` (HARD + columns, 4): column, row, first byte, and the one behind the last.
    Gives where it stopped, which is the end or where `numbers` or `hard` is full, the next row, how many lines were counted,
    and how many cells are hard.
    """
    columns, size, torn, found = numbers.shape[0], len(data), 0, 0
    while at < size and row < numbers.shape[1] and found < HARD:
        start, count, before, ends = at, 0, found, False
        while not ends:
            begin, end, at, ends = _cell(data, at, separator)
            if ends and begin == end and count == 0:
                break
            if count < columns:
                value, easy = _number(data, begin, end)
                numbers[count, row] = value
                if not easy:
                    hard[found, 0], hard[found, 1], hard[found, 2], hard[found, 3] = count, row, begin, end
                    found += 1
            count += 1
        if count == columns:
            starts[row] = start
            row += 1
        else:
            found = before
            torn += count > 0
    return at, row, torn, found


@compiled
def read_dates(data, starts, column, separator, moments, dated):
    """Of a column of the rows that begin at `starts` (rows,) the nanoseconds since 1970 into `moments` (rows,), and which of them
    are a date with a time of day into `dated`. Behind a second that is called 60 all are a second later: it was a leap second."""
    leaps, leaping = 0, False
    for row in range(len(starts)):
        at, begin, end = starts[row], 0, 0
        for _ in range(column + 1):
            begin, end, at, _ = _cell(data, at, separator)
        moment, dated[row], leap = _date(data, begin, end)
        if dated[row] and leap != leaping:
            leaps, leaping = leaps + leaping, leap
        moments[row] = moment + leaps * _NANO


def prepare() -> None:
    """Load the kernels, compiling those that are not kept."""
    text, starts = np.frombuffer(b"0,1", dtype=np.uint8), np.zeros(1, dtype=np.int64)
    read_rows(text, 0, ord(","), np.empty((2, 1)), starts, 0, np.empty((HARD + 2, 4), dtype=np.int64))
    read_dates(text, starts, 0, ord(","), np.empty(1, dtype=np.int64), np.empty(1, dtype=bool))


@inline
def _cell(data, at, separator):
    """First byte of the cell that begins at `at` and the one behind its last, without quotes and blanks around; where the next
    begins, and whether that is in another line."""
    size = len(data)
    while at < size and (data[at] == BLANK or (data[at] == _TAB and separator != _TAB)):
        at += 1
    begin, quoted = at, False
    while at < size and data[at] != _LINE and data[at] != _RETURN:
        if data[at] == _QUOTE:
            quoted = not quoted
        elif not quoted and (data[at] == separator or (separator == BLANK and data[at] == _TAB)):
            break
        at += 1
    end = at
    while end > begin and (data[end - 1] == BLANK or data[end - 1] == _TAB):
        end -= 1
    if end - begin > 1 and data[begin] == _QUOTE and data[end - 1] == _QUOTE:
        begin, end = begin + 1, end - 1
        while end > begin and data[begin] == BLANK:
            begin += 1
        while end > begin and data[end - 1] == BLANK:
            end -= 1
    if separator == BLANK:
        while at < size and (data[at] == BLANK or data[at] == _TAB):
            at += 1
        if at < size and data[at] != _LINE and data[at] != _RETURN:
            return begin, end, at, False
    ends = at >= size or data[at] == _LINE or data[at] == _RETURN
    return begin, end, at + 1, ends


@inline
def _number(data, begin, end):
    """The number in these bytes, NaN where they are none, and whether it is the double nearest to it: Python may have to say."""
    at, negative = begin, False
    if at < end and (data[at] == _PLUS or data[at] == _MINUS):
        negative = data[at] == _MINUS
        at += 1
    whole, kept, seen, power, cut, point = _U(0), 0, 0, 0, False, False
    while at < end:
        byte = data[at]
        if _ZERO <= byte <= _NINE:
            seen += 1
            if kept < 19:
                whole = whole * _U(10) + _U(byte - _ZERO)
                kept += whole != _U(0)
                power -= point
            else:
                cut |= byte != _ZERO
                power += not point
        elif byte in (_POINT, _COMMA) and not point:
            point = True
        else:
            break
        at += 1
    if seen == 0:
        return math.nan, True
    if at < end:
        more, good = _exponent(data, at, end)
        if not good:
            return math.nan, True
        power += more
    value, easy = _scaled(whole, power, cut)
    return -value if negative else value, easy


@inline
def _exponent(data, at, end):
    """The power of ten behind a number, and whether it is one."""
    if data[at] not in _EXPONENTS:
        return 0, False
    at += 1
    down = at < end and data[at] == _MINUS
    if at < end and (data[at] == _PLUS or data[at] == _MINUS):
        at += 1
    if at == end:
        return 0, False
    power = 0
    while at < end:
        if not _ZERO <= data[at] <= _NINE:
            return 0, False
        if power < 10_000:
            power = 10 * power + (data[at] - _ZERO)
        at += 1
    return -power if down else power, True


@inline
def _scaled(whole, power, cut):
    """The double nearest to whole 10^power, of which digits behind may be `cut` off, and whether it is: Lemire, Number parsing at
    a gigabyte per second, 2021."""
    if whole == _U(0):
        return 0.0, True
    if whole < _U(1 << 53) and -22 <= power <= 22:  # both are doubles, so that one rounding is all
        one = np.float64(whole)
        return (one * _EXACT[power] if power >= 0 else one / _EXACT[-power]), True
    if not -_RANGE <= power <= _RANGE:
        return math.nan, False
    shift = 0
    for step in (32, 16, 8, 4, 2, 1):
        if whole >> _U(64 - step) == _U(0):
            whole = whole << _U(step)
            shift += step
    high = _upper(whole, _BITS[power + _RANGE])
    drop = 11 if high >> _U(63) else 10
    rest, half = high & ((_U(1) << _U(drop)) - _U(1)), _U(1) << _U(drop - 1)
    # What was cut off the power, and off the digits, adds less than this.
    most = _U(18) if cut else _U(2)
    mantissa = (high >> _U(drop)) + (_U(1) if rest > half else _U(0))
    value = math.ldexp(np.float64(mantissa), drop + 64 + _POWERS[power + _RANGE] - shift)
    return value, not rest <= half <= rest + most


@inline
def _upper(one, two):
    """The upper half of the product of two numbers of 64 bits."""
    low = _U(0xFFFFFFFF)
    a, b, c, d = one >> _U(32), one & low, two >> _U(32), two & low
    middle = ((b * d) >> _U(32)) + ((a * d) & low) + b * c
    return a * c + ((a * d) >> _U(32)) + (middle >> _U(32))


@inline
def _date(data, begin, end):
    """Nanoseconds since 1970 of a date with a time of day, as ISO 8601 writes it, whether it is one, and whether it lies in a leap
    second, 60. Years are those that nanoseconds reach; in the place of month and day may stand the day of the year."""
    year, month_at = _digits(data, begin, end, 4)
    by_day = begin + 8 < end and data[begin + 8] in (_LETTER_T, BLANK)
    if by_day:
        month, at = 1, month_at
        day, at = _digits(data, _behind(data, at, end, _DASH), end, 3)
        last = 365 + _is_leap(year)
    else:
        month, at = _digits(data, _behind(data, month_at, end, _DASH), end, 2)
        day, at = _digits(data, _behind(data, at, end, _DASH), end, 2)
        last = 28 + _is_leap(year) if month == 2 else 30 + (month + month // 8) % 2
    if at < 0 or at >= end or data[at] not in (_LETTER_T, BLANK):
        return 0, False, False
    if not (1700 <= year < 2200 and 1 <= month <= 12 and 1 <= day <= last):
        return 0, False, False
    hour, at = _digits(data, at + 1, end, 2)
    minute, at = _digits(data, _behind(data, at, end, _COLON), end, 2)
    second, nano = 0, 0
    if 0 <= at < end and data[at] == _COLON:
        second, at = _digits(data, at + 1, end, 2)
        if 0 <= at < end and (data[at] == _POINT or data[at] == _COMMA):
            nano, at = _fraction(data, at + 1, end)
    away, at = _zone(data, at, end)
    if at != end or hour > 23 or minute > 59 or second > 60:
        return 0, False, False
    seconds = ((_days(year, month, day) * 24 + hour) * 60 + minute - away) * 60 + second
    return seconds * _NANO + nano, True, second == 60


@inline
def _digits(data, at, end, count):
    """A number of so many digits, and where it ends: -1 where it is none."""
    if at < 0 or at + count > end:
        return 0, -1
    number = 0
    for _ in range(count):
        if not _ZERO <= data[at] <= _NINE:
            return 0, -1
        number = 10 * number + (data[at] - _ZERO)
        at += 1
    return number, at


@inline
def _behind(data, at, end, mark):
    """The place behind a mark: -1 where another stands there."""
    return at + 1 if 0 <= at < end and data[at] == mark else -1


@inline
def _fraction(data, at, end):
    """Nanoseconds by the digits behind a second, of which there may be more, and where they end."""
    nano, scale, first = 0, _NANO, at
    while at < end and _ZERO <= data[at] <= _NINE:
        scale //= 10
        nano += scale * (data[at] - _ZERO)
        at += 1
    return nano, (at if at > first else -1)


@inline
def _zone(data, at, end):
    """Minutes by which a zone is ahead, and where it ends."""
    if at < 0 or at >= end:
        return 0, at
    if data[at] == _LETTER_Z:
        return 0, at + 1
    if data[at] != _PLUS and data[at] != _MINUS:
        return 0, -1
    sign = 1 if data[at] == _PLUS else -1
    hours, at = _digits(data, at + 1, end, 2)
    if 0 <= at < end and data[at] == _COLON:
        at += 1
    minutes, at = _digits(data, at, end, 2)
    return sign * (60 * hours + minutes), at


@inline
def _is_leap(year):
    return 1 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 0


@inline
def _days(year, month, day):
    """From 1970-01-01 to a day, which may be any of the year in its first month. Years begin with March here, so that the day that
    leap years add is their last."""
    early = month <= 2
    years = year - early
    of_year = (153 * (month + (9 if early else -3)) + 2) // 5 + day - 1
    return 365 * years + years // 4 - years // 100 + years // 400 + of_year - 719_468
