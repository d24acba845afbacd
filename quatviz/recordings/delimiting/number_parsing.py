"""Numbers and dates in the bytes of a text: kernels, so that a million rows take less than a second, beside other threads."""

import math

import numpy as np

from quatviz.physics.kernels.binder import compiled, inline

BLANK = 32
"""The separator that stands for any number of blanks and tabs."""
MAX_HARD_CELLS = 4096
"""Numbers that are too near the middle between two doubles, or too large or small, for a kernel to tell: of one call of `read_rows`
at most so many, and those of one row."""
_MAX_POWER = 280
"""Powers of ten by which a kernel multiplies."""
_ZERO, _NINE, _TAB, _LINE, _RETURN, _QUOTE, _COMMA, _POINT, _PLUS, _MINUS = b'09\t\n\r",.+-'
_DASH, _COLON, _LETTER_T, _LETTER_Z = b"-:TZ"
_EXPONENTS = tuple(b"eEdD")
_NANO = 1_000_000_000


def _power_tables() -> tuple[np.ndarray, np.ndarray]:
    """The first 64 bits of 10^e, the rest cut off, and the power of two that they are to be multiplied by."""
    bits, powers = [], []
    for e in range(-_MAX_POWER, _MAX_POWER + 1):
        shift = 64 + max(0, math.ceil(-e * math.log2(10.0)))
        scaled = 10**e << shift if e >= 0 else (1 << shift) // 10**-e
        excess = scaled.bit_length() - 64
        bits.append(scaled >> excess)
        powers.append(excess - shift)
    return np.array(bits, dtype=np.uint64), np.array(powers, dtype=np.int64)


_BITS, _POWERS = _power_tables()
_EXACT = 10.0 ** np.arange(23)
"""Doubles that are powers of ten."""
_U = np.uint64


@compiled
def read_rows(data, position, separator, numbers, starts, row, hard_cells):
    """Read lines of `data` (bytes) from `at` on into `numbers` (columns, rows) from `row` on, and where each begins into `starts`
    (rows,); NaN where a cell is no number. Lines with another number of cells are counted, and those without any passed over.

    The cells that Python has to read stand in `hard_cells` (HARD + columns, 4): column, row, first byte, and the one behind the
    last. Gives where it stopped, which is the end or where `numbers` or `hard_cells` is full, the next row, how many lines were
    counted, and how many cells are hard.
    """
    columns, size, torn_count, hard_count = numbers.shape[0], len(data), 0, 0
    while position < size and row < numbers.shape[1] and hard_count < MAX_HARD_CELLS:
        start, count, previous_hard_count, is_line_end = position, 0, hard_count, False
        while not is_line_end:
            begin, end, position, is_line_end = _find_cell(data, position, separator)
            if is_line_end and begin == end and count == 0:
                break
            if count < columns:
                value, is_exact = _parse_number(data, begin, end)
                numbers[count, row] = value
                if not is_exact:
                    (
                        hard_cells[hard_count, 0],
                        hard_cells[hard_count, 1],
                        hard_cells[hard_count, 2],
                        hard_cells[hard_count, 3],
                    ) = count, row, begin, end
                    hard_count += 1
            count += 1
        if count == columns:
            starts[row] = start
            row += 1
        else:
            hard_count = previous_hard_count
            torn_count += count > 0
    return position, row, torn_count, hard_count


@compiled
def read_dates(data, starts, column, separator, stamps, is_date):
    """Of a column of the rows that begin at `starts` (rows,) the nanoseconds since 1970 into `stamps` (rows,), and which of them
    are a date with a time of day into `is_date`. Behind a second that is called 60 all are a second later: it was a leap second."""
    leaps, in_leap_second = 0, False
    for row in range(len(starts)):
        position, begin, end = starts[row], 0, 0
        for _ in range(column + 1):
            begin, end, position, _ = _find_cell(data, position, separator)
        stamp, is_date[row], is_leap_second = _parse_date(data, begin, end)
        if is_date[row] and is_leap_second != in_leap_second:
            leaps, in_leap_second = leaps + in_leap_second, is_leap_second
        stamps[row] = stamp + leaps * _NANO


def compile_kernels() -> None:
    """Load the kernels, compiling those that are not kept."""
    text, starts = np.frombuffer(b"0,1", dtype=np.uint8), np.zeros(1, dtype=np.int64)
    read_rows(
        text, 0, ord(","), np.empty((2, 1)), starts, 0, np.empty((MAX_HARD_CELLS + 2, 4), dtype=np.int64)
    )
    read_dates(text, starts, 0, ord(","), np.empty(1, dtype=np.int64), np.empty(1, dtype=bool))


@inline
def _find_cell(data, position, separator):
    """First byte of the cell that begins at `at` and the one behind its last, without quotes and blanks around; where the next
    begins, and whether that is in another line."""
    size = len(data)
    while position < size and (data[position] == BLANK or (data[position] == _TAB and separator != _TAB)):
        position += 1
    begin, quoted = position, False
    while position < size and data[position] != _LINE and data[position] != _RETURN:
        if data[position] == _QUOTE:
            quoted = not quoted
        elif not quoted and (data[position] == separator or (separator == BLANK and data[position] == _TAB)):
            break
        position += 1
    end = position
    while end > begin and (data[end - 1] == BLANK or data[end - 1] == _TAB):
        end -= 1
    if end - begin > 1 and data[begin] == _QUOTE and data[end - 1] == _QUOTE:
        begin, end = begin + 1, end - 1
        while end > begin and data[begin] == BLANK:
            begin += 1
        while end > begin and data[end - 1] == BLANK:
            end -= 1
    if separator == BLANK:
        while position < size and (data[position] == BLANK or data[position] == _TAB):
            position += 1
        if position < size and data[position] != _LINE and data[position] != _RETURN:
            return begin, end, position, False
    is_line_end = position >= size or data[position] == _LINE or data[position] == _RETURN
    return begin, end, position + 1, is_line_end


@inline
def _parse_number(data, begin, end):
    """The number in these bytes, NaN where they are none, and whether it is the double nearest to it: Python may have to say."""
    position, negative = begin, False
    if position < end and (data[position] == _PLUS or data[position] == _MINUS):
        negative = data[position] == _MINUS
        position += 1
    mantissa, digit_count, seen_digits, power, is_truncated, after_point = _U(0), 0, 0, 0, False, False
    while position < end:
        byte = data[position]
        if _ZERO <= byte <= _NINE:
            seen_digits += 1
            if digit_count < 19:
                mantissa = mantissa * _U(10) + _U(byte - _ZERO)
                digit_count += mantissa != _U(0)
                power -= after_point
            else:
                is_truncated |= byte != _ZERO
                power += not after_point
        elif byte in (_POINT, _COMMA) and not after_point:
            after_point = True
        else:
            break
        position += 1
    if seen_digits == 0:
        return math.nan, True
    if position < end:
        exponent, is_valid = _parse_exponent(data, position, end)
        if not is_valid:
            return math.nan, True
        power += exponent
    value, is_exact = _scale_mantissa(mantissa, power, is_truncated)
    return -value if negative else value, is_exact


@inline
def _parse_exponent(data, position, end):
    """The power of ten behind a number, and whether it is one."""
    if data[position] not in _EXPONENTS:
        return 0, False
    position += 1
    is_negative = position < end and data[position] == _MINUS
    if position < end and (data[position] == _PLUS or data[position] == _MINUS):
        position += 1
    if position == end:
        return 0, False
    power = 0
    while position < end:
        if not _ZERO <= data[position] <= _NINE:
            return 0, False
        if power < 10_000:
            power = 10 * power + (data[position] - _ZERO)
        position += 1
    return -power if is_negative else power, True


@inline
def _scale_mantissa(digits, power, is_truncated):
    """The double nearest to whole 10^power, of which digits behind may be `is_truncated` off, and whether it is: Lemire, Number
    parsing at a gigabyte per second, 2021."""
    if digits == _U(0):
        return 0.0, True
    if digits < _U(1 << 53) and -22 <= power <= 22:  # both are doubles, so that one rounding is all
        double = np.float64(digits)
        return (double * _EXACT[power] if power >= 0 else double / _EXACT[-power]), True
    if not -_MAX_POWER <= power <= _MAX_POWER:
        return math.nan, False
    shift = 0
    for step in (32, 16, 8, 4, 2, 1):
        if digits >> _U(64 - step) == _U(0):
            digits = digits << _U(step)
            shift += step
    high = _upper_product(digits, _BITS[power + _MAX_POWER])
    drop = 11 if high >> _U(63) else 10
    remainder, half = high & ((_U(1) << _U(drop)) - _U(1)), _U(1) << _U(drop - 1)
    # What was cut off the power, and off the digits, adds less than this.
    uncertainty = _U(18) if is_truncated else _U(2)
    mantissa = (high >> _U(drop)) + (_U(1) if remainder > half else _U(0))
    value = math.ldexp(np.float64(mantissa), drop + 64 + _POWERS[power + _MAX_POWER] - shift)
    return value, not remainder <= half <= remainder + uncertainty


@inline
def _upper_product(a64, b64):
    """The upper half of the product of two numbers of 64 bits."""
    low = _U(0xFFFFFFFF)
    a, b, c, d = a64 >> _U(32), a64 & low, b64 >> _U(32), b64 & low
    middle = ((b * d) >> _U(32)) + ((a * d) & low) + b * c
    return a * c + ((a * d) >> _U(32)) + (middle >> _U(32))


@inline
def _parse_date(data, begin, end):
    """Nanoseconds since 1970 of a date with a time of day, as ISO 8601 writes it, whether it is one, and whether it lies in a leap
    second, 60. Years are those that nanoseconds reach; in the place of month and day may stand the day of the year."""
    year, month_at = _parse_digits(data, begin, end, 4)
    is_day_of_year = begin + 8 < end and data[begin + 8] in (_LETTER_T, BLANK)
    if is_day_of_year:
        month, position = 1, month_at
        day, position = _parse_digits(data, _skip_mark(data, position, end, _DASH), end, 3)
        last_day = 365 + _is_leap(year)
    else:
        month, position = _parse_digits(data, _skip_mark(data, month_at, end, _DASH), end, 2)
        day, position = _parse_digits(data, _skip_mark(data, position, end, _DASH), end, 2)
        last_day = 28 + _is_leap(year) if month == 2 else 30 + (month + month // 8) % 2
    if position < 0 or position >= end or data[position] not in (_LETTER_T, BLANK):
        return 0, False, False
    if not (1700 <= year < 2200 and 1 <= month <= 12 and 1 <= day <= last_day):
        return 0, False, False
    hour, position = _parse_digits(data, position + 1, end, 2)
    minute, position = _parse_digits(data, _skip_mark(data, position, end, _COLON), end, 2)
    second, nano = 0, 0
    if 0 <= position < end and data[position] == _COLON:
        second, position = _parse_digits(data, position + 1, end, 2)
        if 0 <= position < end and (data[position] == _POINT or data[position] == _COMMA):
            nano, position = _parse_fraction(data, position + 1, end)
    zone_minutes, position = _parse_zone(data, position, end)
    if position != end or hour > 23 or minute > 59 or second > 60:
        return 0, False, False
    seconds = ((_days(year, month, day) * 24 + hour) * 60 + minute - zone_minutes) * 60 + second
    return seconds * _NANO + nano, True, second == 60


@inline
def _parse_digits(data, position, end, count):
    """A number of so many digits, and where it ends: -1 where it is none."""
    if position < 0 or position + count > end:
        return 0, -1
    number = 0
    for _ in range(count):
        if not _ZERO <= data[position] <= _NINE:
            return 0, -1
        number = 10 * number + (data[position] - _ZERO)
        position += 1
    return number, position


@inline
def _skip_mark(data, position, end, mark):
    """The place behind a mark: -1 where another stands there."""
    return position + 1 if 0 <= position < end and data[position] == mark else -1


@inline
def _parse_fraction(data, position, end):
    """Nanoseconds by the digits behind a second, of which there may be more, and where they end."""
    nano, scale, first = 0, _NANO, position
    while position < end and _ZERO <= data[position] <= _NINE:
        scale //= 10
        nano += scale * (data[position] - _ZERO)
        position += 1
    return nano, (position if position > first else -1)


@inline
def _parse_zone(data, position, end):
    """Minutes by which a zone is ahead, and where it ends."""
    if position < 0 or position >= end:
        return 0, position
    if data[position] == _LETTER_Z:
        return 0, position + 1
    if data[position] != _PLUS and data[position] != _MINUS:
        return 0, -1
    sign = 1 if data[position] == _PLUS else -1
    hours, position = _parse_digits(data, position + 1, end, 2)
    if 0 <= position < end and data[position] == _COLON:
        position += 1
    minutes, position = _parse_digits(data, position, end, 2)
    return sign * (60 * hours + minutes), position


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
