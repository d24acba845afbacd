"""Detection of the roles of columns from their headers and values.

A role is a field of `physics.observables.read_options.ReadOptions` that names columns, such as the time or the rates.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, Phrase, join_phrases, phrase
from quatviz.base.spelled_units import SI_UNITS
from quatviz.physics.observables.read_options import UNIT_DIMENSIONS, usual_unit
from quatviz.recordings.columns import text_cells
from quatviz.recordings.file_times import FORMATS, read_times
from quatviz.recordings.headers import ColumnHeader, parse_header, quantity_of

CHECKED_ROWS = 20_000
"""Largest number of rows of a column that are examined."""
ROW_NUMBER = "row number"
"""Name of the column of row numbers that replaces the times in files without times."""
_ACCELERATION_UNITS = re.compile(r"(m|g|G|mg)( ?/ ?(s(\^?2|²)|\(s\^?2\)))?|m ?s(\^?-2|⁻²)|m/s/s|g0|gal")
_NO_UNIT = re.compile(
    r"txt|-|1|utc|gmt|local\w*|unix|posix|epoch|gps|tai|td[bt]|tt|iso.*|[+-]\d.*|[dhmy:. /-]*|since .*|"
    r"([dmy./ -]*)hh?:mm(:ss)?([.:][fsz]+)?",
    re.IGNORECASE,
)
"""Pattern of texts in the header of a time column that are time scales, time zones or formats, although they look like
units."""
_DAY_NUMBER = re.compile(r"^(mjd|jd|julian ?dates?|modified julian dates?)\b")
"""Pattern of column names that denote times in days, such as Julian dates."""
_FACTOR = re.compile(
    r"^\s*[-−]|\d\s*[*×]\s*[^\W\d]|[^\W\d]\s*[*×]\s*\d|(?:^|[\W_])(?:minus|neg|negative)(?:[\W_]|$)",
    re.IGNORECASE,
)
"""Pattern of a minus sign or a numeric factor in the header of a column, as in "-wx" or "1000*wx"."""
_MOTION = ("rate", "angles", "rotation_vector", "quaternion", "matrix")
"""Names of the quantities (`quantity`) that describe a motion: rates, and the representations of an attitude."""
_INERTIAL, _MOVING = (
    "eci|ecef|inertial|world|earth|ned|enu|nav|space|global|icrf|gcrf|j2000|ref",
    "body|sensor|imu|sc|spacecraft",
)
_DIRECTIONS = {
    "space_to_body": re.compile(rf"\b({_INERTIAL}) ?(2|to) ?({_MOVING})\b"),
    "body_to_space": re.compile(rf"\b({_MOVING}) ?(2|to) ?({_INERTIAL})\b"),
}
"""Patterns of attitude names that state the frames between which the attitude transforms, such as "q_eci2body".

The keys are the values of the option `direction`.
"""
_NAMED_SCORE = 2.0
"""Score above which four columns are offered as an alternative quaternion. Only columns with the name of a quaternion
exceed it."""
_SECONDARY = re.compile(
    r"\b(raw|unfilt\w*|unfiltered|uncal\w*|uncalibrated|pred|predicted|simulated|sim|model)\b"
)
"""Pattern of names, such as "raw" or "predicted", that mark second-choice angular rates. These rates are used only if
the file has no others."""
_SCALE = re.compile(r"\b(?!19\d\d|20\d\d)\d{2,}\b|\b\d+[a-z]+\b")
"""Pattern of a factor in the name of a time column, such as "time x 1000"."""
_MIN_VALID_SHARE = 0.5
"""Smallest fraction of rows with a valid time in a time column."""
_ANGLE_NAMES = (
    (("azimuth", "pitch", "roll"), {"sequence": "312", "axes": "intrinsic", "signs": "--+"}),
    (("yaw", "pitch", "roll"), {"sequence": "321"}),
    (("heading", "pitch", "roll"), {"sequence": "321"}),
    (("heading", "pitch", "bank"), {"sequence": "321"}),
    (("psi", "theta", "phi"), {"sequence": "321"}),
    (("precession", "nutation", "spin"), {"sequence": "313"}),
)  # fmt: skip
"""Names of angles in the order of rotation, and the convention that the names imply. Azimuth, pitch and roll are
those of Android's SensorManager.getOrientation: Rz(-azimuth) Rx(-pitch) Ry(roll)."""
_QUATERNION_LETTERS = (
    ("wxyz", "scalar_first"), ("sxyz", "scalar_first"), ("wijk", "scalar_first"), ("sijk", "scalar_first"),
    ("rijk", "scalar_first"), ("0123", "scalar_first"), ("abcd", "scalar_first"), ("1234", "scalar_last"), ("123c", "scalar_last"),
)  # fmt: skip
_MATRIX_INDICES = (
    [f"{i}{j}" for i in "123" for j in "123"], [f"{i}{j}" for i in "012" for j in "012"],
    [f"{i}{j}" for i in "xyz" for j in "xyz"], list("123456789"), list("012345678"),
)  # fmt: skip
_SPACE = re.compile(
    r"space|world|inertial|global|earth|\b(nav|navigation|lab|laboratory|ned|enu|eci|ecef|icrf|gcrf|j2000)\b|(^| )(i|n)$"
)
Group = Mapping[str, ColumnHeader]


class Detection(NamedTuple):
    """Proposed roles of the columns of a file, as options for reading it."""

    options: dict[str, Any]
    """Detected fields of `physics.observables.read_options.ReadOptions`, with their values."""
    given: frozenset[str]
    """Names of the fields in `options` whose values the column headers state explicitly."""
    remarks: tuple[Phrase, ...]
    """Remarks on columns that were not understood, with the reason."""
    alternatives: Mapping[str, Sequence[tuple[str, ...]]] = {}
    """Other columns that are candidates for the roles "rate_columns" and "attitude_columns", by name of the role."""


def detect_columns(columns: Mapping[str, np.ndarray], file_name: str = "") -> Detection:
    """Propose the roles of columns by their headers and, for times and quaternions, by their values."""
    headers = [parse_header(name) for name in columns]
    remarks: list[Phrase] = []
    options, given = _detect_time(headers, columns, remarks)
    others = [header for header in headers if header.full != options.get("time")]
    unknown = [header for header in others if _has_unknown_unit(header)]
    scaled = [header for header in others if _is_scaled(header)]
    groups = _groups([header for header in others if header not in unknown and header not in scaled])
    alternatives: dict[str, list[tuple[str, ...]]] = {}
    for detected, given_fields in (
        _detect_attitude(groups, others, columns, alternatives),
        _detect_rates(groups, others, file_name, alternatives),
    ):
        options |= detected
        given |= given_fields
    gravity = _detect_gravity(groups)
    options |= gravity
    direction = _named_direction(options.get("attitude_columns", ()))
    if direction:
        options["direction"] = direction
        given |= {"direction"}
    if "rate_columns" not in options and "gravity_columns" not in options:
        letters = [
            header.full for header in others if header.stem == "g" and header.component in tuple("xyz")
        ]
        if len(letters) == 3:
            remarks.append(
                phrase(
                    "{names} may be an angular velocity or an acceleration: choose one of these roles",
                    names=join_phrases(letters),
                )
            )
    if unknown:
        units = dict.fromkeys(header.unit_text for header in unknown)
        names = join_phrases([header.full for header in unknown][:6])
        remarks.append(
            phrase(
                "columns with an unknown unit ({units}) are used only if you choose their role and unit: {names}",
                units=join_phrases(units),
                names=names,
            )
        )
    if scaled:
        names = join_phrases([header.full for header in scaled][:6])
        text = (
            "columns with a sign or a factor in their name are not used unless you choose their role: {names}"
        )
        remarks.append(phrase(text, names=names))
    return Detection(options, frozenset(given), tuple(remarks), alternatives)


def quantity(header: ColumnHeader) -> str:
    """Return the name of the quantity that a column contains, or "". It follows from the unit and the name of the column."""
    named = header.quantity
    dimension = header.unit.dimension if header.unit is not None else ""
    if named in ("ignored", "counter") or (named == "time" and dimension in ("", "time")):
        return named
    if dimension == "rate":
        return "rate"
    if header.unit_text and is_acceleration_unit(header.unit_text):
        is_linear = quantity_of(header.stem) == "linear_acceleration"
        return "linear_acceleration" if is_linear else "gravity" if header.unit_text.strip() != "m" else ""
    if dimension == "angle" and named not in ("rotation_vector", "angles"):
        return "angles" if named == "" else "ignored"
    return "ignored" if dimension in ("time", "other") else named


def _named_direction(names: Sequence[str]) -> str:
    """Return the direction that the column names of an attitude state, or "".

    >>> _named_direction(["q_eci2body_w", "q_eci2body_x", "q_eci2body_y", "q_eci2body_z"])
    'space_to_body'
    """
    stems = {parse_header(name).words for name in names}
    return next(
        (key for key, pattern in _DIRECTIONS.items() if stems and all(map(pattern.search, stems))), ""
    )


def _is_scaled(header: ColumnHeader) -> bool:
    """Return True for an attitude or a rate whose name states a sign or a factor, as in "-wx" or "1000*wx"."""
    return _FACTOR.search(header.full) is not None and quantity(header) in _MOTION


def is_acceleration_unit(text: str) -> bool:
    """Return True for a unit of acceleration.

    >>> is_acceleration_unit("m/s²"), is_acceleration_unit("LSB")
    (True, False)
    """
    return _ACCELERATION_UNITS.fullmatch(text.strip()) is not None


def _has_unknown_unit(header: ColumnHeader) -> bool:
    """Return True for a rate or angle with an unknown unit."""
    if not header.unit_text or header.unit is not None or is_acceleration_unit(header.unit_text):
        return False
    return quantity(header) in ("rate", "angles", "rotation_vector") and header.unit_text not in (
        "-",
        "1",
        "R",
    )


def _groups(headers: Sequence[ColumnHeader]) -> Mapping[tuple[str, str, str], Group]:
    """Return the columns grouped by name and unit. The keys are (prefix, stem, unit) as in `ColumnHeader`, and the
    values map components to headers."""
    groups: dict[tuple[str, str, str], dict[str, ColumnHeader]] = {}
    for header in headers:
        if quantity(header) not in ("ignored", "counter", "time"):
            key = header.prefix, header.stem, header.unit_text
            groups.setdefault(key, {}).setdefault(header.component, header)
    return groups


def _full_names(group: Group, components: Sequence[str]) -> tuple[str, ...]:
    return tuple(group[component].full for component in components)


# --- time


def _detect_time(
    headers: Sequence[ColumnHeader], columns: Mapping[str, np.ndarray], remarks: list[Phrase]
) -> tuple[dict[str, Any], set[str]]:
    """Return the options `time` and `time_unit`, and the set of those that the header states. The results are empty if
    no time column is found.

    The time column is the best column that is named as a time. Without one, it is the first column of the file if this
    has no recognized name, is usable as time and does not merely count rows. Otherwise, it is the first monotonic
    column whose unit is a unit of time.
    """
    named = [header for header in headers if header.quantity == "time" and header.unit_text not in ("txt",)]
    unclear = [header for header in named if _has_unclear_time_unit(header, columns)]
    candidates = [
        score
        for header in named
        if header not in unclear and (score := _score_time(header, columns)) is not None
    ]
    if not candidates and headers and _may_be_time(headers[0], columns):
        score = _score_time(headers[0], columns)
        candidates = [score] if score is not None and not _counts_rows(columns[headers[0].full]) else []
    if not candidates:  # the name is unknown, but the unit is that of a time
        scores = [_score_time(header, columns) for header in headers if _has_only_a_time_unit(header)]
        candidates = [score for score in scores if score is not None and score.score[0] == 1.0][:1]
    if not candidates:
        if unclear:
            names = join_phrases([header.full for header in unclear])
            remarks.append(phrase("the unit of the times in {names} is not understood", names=names))
        elif named:
            texts = text_cells(columns, named[0].full, CHECKED_ROWS)
            if texts and not any(texts):
                return {}, set()
            remarks.append(
                phrase(
                    "the times in the column {name}, which begins with {text!r}, were not understood; supported formats: {formats}",
                    name=named[0].full, text=texts[0] if texts else "", formats=FORMATS,
                )
            )  # fmt: skip
        return {}, set()
    best = max(candidates, key=lambda candidate: candidate.score)
    options = {"time": best.header.full, "time_unit": best.unit}
    return options, {"time_unit"} if best.is_unit_given else set()


def _has_only_a_time_unit(header: ColumnHeader) -> bool:
    """Return True for a column that has a unit of time but a name that indicates no quantity, such as "X
    [s]"."""
    has_unit = header.unit is not None and header.unit.dimension == "time"
    return has_unit and (header.quantity == "" or (header.stem == "" and header.component != ""))


def _may_be_time(header: ColumnHeader, columns: Mapping[str, np.ndarray]) -> bool:
    """Return True if the first column of a file may contain times, even though its name does not say so."""
    if re.fullmatch(r"column \d+", header.words):
        return True
    is_unnamed = header.quantity == "" and header.component == ""
    return is_unnamed and not _has_unclear_time_unit(header, columns)


def _has_unclear_time_unit(header: ColumnHeader, columns: Mapping[str, np.ndarray]) -> bool:
    """Return True for numeric times whose header contains an unknown unit or factor."""
    if header.unit is not None and header.unit.dimension == "time":
        is_clear = not _SCALE.search(header.words)
    else:
        is_clear = not header.unit_text or _NO_UNIT.fullmatch(header.unit_text) is not None
        is_clear &= not _SCALE.search(header.words)
    return not is_clear and _is_numeric(columns[header.full][:CHECKED_ROWS])


def _is_numeric(values: np.ndarray) -> bool:
    return values.dtype.kind in "iu" or bool(np.isfinite(values).any())


class _TimeCandidate(NamedTuple):
    header: ColumnHeader
    unit: str
    is_unit_given: bool
    score: tuple[float, ...]


def _score_time(header: ColumnHeader, columns: Mapping[str, np.ndarray]) -> _TimeCandidate | None:
    """Return a score for a time column, or None if it is unusable.

    Monotonic values, an explicit unit, and numbers instead of texts give a high score.
    """
    values = columns[header.full][:CHECKED_ROWS]
    is_number = _is_numeric(values)
    unit, is_given, is_date = "s", True, False
    if header.unit is not None and header.unit.dimension == "time":
        unit = usual_unit(header.unit_text, "time_unit")
    elif _DAY_NUMBER.search(header.words):
        unit = "d"
    elif is_number:
        (unit, is_date), is_given = _unit_by_numbers(values), False
    times = read_times(columns, header.full, unit, CHECKED_ROWS)
    known = times.seconds[np.isfinite(times.seconds)]
    if len(known) < _MIN_VALID_SHARE * len(values) or not len(known):
        return None
    steps = np.diff(known)
    if len(steps) and not steps.any():
        return None
    direction = max((steps > 0.0).mean(), (steps < 0.0).mean()) if len(steps) else 1.0
    is_exact = header.unit is not None and (values.dtype.kind == "f" or not _is_rounded(values))
    score = (round(float(direction), 1), float(is_exact), float(is_given or is_date), float(is_number))
    return _TimeCandidate(header, unit, is_given, score)


def _is_rounded(values: np.ndarray) -> bool:
    """Return True for integers that were converted from floats and have lost their last binary digits."""
    return bool((values % 64 == 0).all()) and bool((values > 2**53).all())


def _counts_rows(values: np.ndarray) -> bool:
    """Return True for row numbers 0, 1, 2, ... or 1, 2, 3, ..., which are not times."""
    return len(values) > 1 and bool((np.diff(values[:CHECKED_ROWS].astype(np.float64)) == 1.0).all())


def _unit_by_numbers(values: np.ndarray) -> tuple[str, bool]:
    """Return the likely unit of times without a stated unit, and True if they are likely to count from 1970.

    The unit is always reported to the user as an assumption.
    """
    known = values if values.dtype.kind in "iu" else values[np.isfinite(values)]
    for unit, size in (("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)):
        if 9e8 * size < float(known[0]) < 4.2e9 * size and float(known[0]) > 9e8:
            return unit, True
    steps = np.abs(np.diff(known.astype(np.float64)))
    typical = float(np.median(steps[steps > 0.0])) if (steps > 0.0).any() else 0.0
    if not (known == np.floor(known)).all() or typical < 2.0:
        return "s", False
    return "ms" if typical < 500.0 else "us" if typical < 1e6 else "ns", False


# --- attitude


def _detect_attitude(
    groups: Mapping[tuple[str, str, str], Group],
    headers: Sequence[ColumnHeader],
    columns: Mapping[str, np.ndarray],
    alternatives: dict[str, list[tuple[str, ...]]],
) -> tuple[dict[str, Any], set[str]]:
    for detected in (
        _detect_quaternion(groups, columns, alternatives),
        _detect_matrix(groups),
        _detect_angles(groups, headers),
        _detect_rotation_vector(groups),
    ):
        if detected is not None:
            return detected
    return {"attitude": "none"}, set()


def _detect_quaternion(
    groups: Mapping[tuple[str, str, str], Group],
    columns: Mapping[str, np.ndarray],
    alternatives: dict[str, list[tuple[str, ...]]],
) -> tuple[dict[str, Any], set[str]] | None:
    """Return options for a quaternion: four columns with a common name whose rows have norms near 1.

    Other columns that are named as a quaternion are added to `alternatives`.
    """
    candidates: list[tuple[float, dict[str, Any], set[str]]] = []
    for (_, _, unit), group in groups.items():
        kinds = {quantity(header) for header in group.values()} - {""}
        if kinds - {"quaternion", "rotation_vector"} and not (
            kinds <= {"gravity", "matrix", "angles"} and not unit
        ):
            continue
        of_group = []
        for letters, order in _quaternion_sets(group):
            chosen = _full_names(group, letters)
            share = _unit_share(np.stack([columns[name][:CHECKED_ROWS] for name in chosen], axis=1))
            if share > 0.5:
                is_given = bool(set(letters) & {*"wscr", "cos", "scalar", "real"})
                options = {"attitude": "quaternion", "attitude_columns": chosen, "order": order}
                score = share + 2.0 * ("quaternion" in kinds)
                of_group.append((score, options, {"attitude", "order"} if is_given else {"attitude"}))
        candidates += sorted(of_group, key=lambda candidate: -candidate[0])[:1]
    if not candidates:
        return None
    best = max(candidates, key=lambda candidate: candidate[0])
    alternatives["attitude_columns"] = [
        candidate[1]["attitude_columns"]
        for candidate in candidates
        if candidate is not best and candidate[0] > _NAMED_SCORE
    ]
    return best[1:]


def _quaternion_sets(group: Group) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the possible quaternions in a group of columns: four column names, and "scalar_first" or "scalar_last"."""
    if len(group.keys() & set("0123456789")) > 5:
        return  # the columns of a matrix are not a quaternion
    for letters, order in _QUATERNION_LETTERS:
        if set(letters) <= group.keys() and not (letters == "1234" and "0" in group):
            yield tuple(letters), order
    for scalar in ("scalar", "cos", "real"):
        for axes in ("xyz", "ijk"):
            if {*axes, scalar} <= group.keys():
                yield (scalar, *axes), "scalar_first"


def _unit_share(rows: np.ndarray) -> float:
    """Return the fraction of rows whose norm is close to the median norm. Return 0 if the median norm is not near 1."""
    lengths = np.linalg.norm(rows[np.isfinite(rows).all(axis=1)], axis=1)
    typical = float(np.median(lengths)) if len(lengths) else 0.0
    return float((np.abs(lengths - typical) < 0.1 * typical).mean()) if 0.5 < typical < 2.0 else 0.0


def is_scalar_lettered(detected: Mapping[str, Any]) -> bool:
    """Return True if the scalar part of a detected quaternion is identified by a letter of a column name and
    not only by its position."""
    if detected.get("attitude") != "quaternion":
        return False
    columns = detected["attitude_columns"]
    return parse_header(columns[0 if detected["order"] == "scalar_first" else -1]).component.isalpha()


def _detect_matrix(groups: Mapping[tuple[str, str, str], Group]) -> tuple[dict[str, Any], set[str]] | None:
    """Return options for a matrix: nine columns with a common name, in the order of its rows."""
    for (_, stem, _), group in groups.items():
        for indices in _MATRIX_INDICES:
            if set(indices) <= group.keys() and (
                quantity_of(stem) in ("matrix", "quaternion", "gravity") or not stem
            ):
                columns = _full_names(group, indices)
                return {"attitude": "matrix", "attitude_columns": columns}, {"attitude"}
    return None


def _detect_angles(
    groups: Mapping[tuple[str, str, str], Group], headers: Sequence[ColumnHeader]
) -> tuple[dict[str, Any], set[str]] | None:
    """Return options for angles: columns called roll, pitch and yaw, or three columns whose name ends with an Euler
    sequence."""
    angles = [header for header in headers if quantity(header) == "angles" and not _has_unknown_unit(header)]
    for names, values in _ANGLE_NAMES:
        named = [next((h for h in angles if re.search(rf"\b{name}\b", h.words)), None) for name in names]
        if all(named):
            return _angle_options([header for header in named if header is not None], values, set())
    for (_, stem, _), group in groups.items():
        sequence_match = re.search(r"(?<!\d)([123]{3})$|\b([xyz]{3})$", stem)
        for indices in ("123", "012", "abc", "xyz"):
            kinds = {quantity(header) for header in group.values()}
            if not set(indices) <= group.keys() or kinds != {"angles"}:
                continue
            chosen = [group[index] for index in indices]
            if sequence_match is not None:
                sequence = sequence_match[1] or sequence_match[2].translate(str.maketrans("xyz", "123"))
                return _angle_options(chosen, {"sequence": sequence}, {"sequence"})
            # Euler_X, Euler_Y and Euler_Z are roll, pitch and yaw.
            return _angle_options(chosen[::-1] if indices == "xyz" else chosen, {"sequence": "321"}, set())
    return None


def _angle_options(
    chosen: Sequence[ColumnHeader], values: Mapping[str, str], given: set[str]
) -> tuple[dict[str, Any], set[str]]:
    unit, is_given = _common_unit(chosen, "angle")
    options = {
        "attitude": "angles",
        "attitude_columns": tuple(header.full for header in chosen),
        **values,
        "angle_unit": unit,
    }
    return options, {"attitude", *given, *(["angle_unit"] if is_given else [])}


def _detect_rotation_vector(
    groups: Mapping[tuple[str, str, str], Group],
) -> tuple[dict[str, Any], set[str]] | None:
    for (_, stem, _), group in groups.items():
        for indices in ("xyz", "123", "012"):
            if set(indices) <= group.keys() and quantity_of(stem) == "rotation_vector":
                chosen = [group[index] for index in indices]
                unit, is_given = _common_unit(chosen, "angle")
                options = {
                    "attitude": "rotation_vector",
                    "attitude_columns": _full_names(group, indices),
                    "angle_unit": unit,
                }
                return options, {"angle_unit", "attitude"} if is_given else set()
    return None


def header_unit(names: Sequence[str], field: str) -> str:
    """Return the unit that the headers of columns state for a field of `ReadOptions`, or "".

    Raises
    ------
    InputError
        If the headers state different units.
    """
    dimension = UNIT_DIMENSIONS[field]
    headers = [parse_header(name) for name in names if name]
    units = {
        usual_unit(header.unit_text, field): header.full
        for header in headers
        if header.unit is not None and header.unit.dimension == dimension
    }
    if len(units) > 1:
        raise InputError(
            f"Reading.{field}", expected="columns of one unit", found=join_phrases(units.values()), key=field,
            remedy="choose other columns, or convert these", topic="recordings#column-detection",
        )  # fmt: skip
    return next(iter(units), "")


def _common_unit(chosen: Sequence[ColumnHeader], dimension: str) -> tuple[str, bool]:
    """Return the unit that all headers state, and True. Without a common unit, return the SI unit and False."""
    units = {
        header.unit_text
        for header in chosen
        if header.unit is not None and header.unit.dimension == dimension
    }
    if len(units) == 1 and all(header.unit is not None for header in chosen):
        return usual_unit(units.pop(), f"{dimension}_unit"), True
    return SI_UNITS[dimension], False


# --- rates and accelerations


def _detect_rates(
    groups: Mapping[tuple[str, str, str], Group],
    headers: Sequence[ColumnHeader],
    file_name: str,
    alternatives: dict[str, list[tuple[str, ...]]],
) -> tuple[dict[str, Any], set[str]]:
    """Return options for an angular velocity in three columns. Its frame is the space frame if the names of the
    columns say so.

    Further columns that could be the angular velocity are added to `alternatives`.
    """
    candidates: list[tuple[tuple[int, ...], dict[str, Any], set[str]]] = []
    has_accelerometer = any(
        stem in ("a", "acc") and set("xyz") <= group.keys() for (_, stem, _), group in groups.items()
    )
    is_gyroscope_file = quantity_of(parse_header(re.sub(r"\.\w+$", "", file_name)).words) == "rate"
    for (prefix, stem, _), group in groups.items():
        kinds = {quantity(header) for header in group.values()}
        is_letter_g = stem == "g" and has_accelerometer and kinds == {"gravity"}
        is_bare = stem in ("", "axis", "value") and is_gyroscope_file and kinds <= {"", "quaternion"}
        for indices in ("xyz", "123", "012", "ijk"):
            if set(indices) <= group.keys() and (is_letter_g or is_bare or kinds == {"rate"}):
                chosen = [group[index] for index in indices]
                is_named = quantity_of(stem) == "rate"
                is_in_space = bool(_SPACE.search(stem)) or (
                    indices == "xyz" and stem == "omega" and bool(prefix)
                )
                candidates.append(
                    (
                        (bool(_SECONDARY.search(stem)), not is_named, is_in_space),
                        *_rate_options(chosen, is_in_space, {"rate_axes"} if is_in_space else set()),
                    )
                )
    bare = {header.words: header for header in headers if not header.unit_text or quantity(header) == "rate"}
    for words in (("roll", "pitch", "yaw"),):
        named = [
            next((h for h in headers if re.search(rf"\b{word}", h.words) and quantity(h) == "rate"), None)
            for word in words
        ]
        if all(named) and not _has_unknown_unit(named[0]):  # type: ignore[arg-type]
            chosen = [header for header in named if header is not None]
            candidates.append(((0, 1, 1), *_rate_options(chosen, False, set())))
    if {"p", "q", "r"} <= bare.keys():
        candidates.append(((0, 1, 2), *_rate_options([bare[name] for name in "pqr"], False, set())))
    if not candidates:
        return {}, set()
    _, options, given = min(candidates, key=lambda candidate: candidate[0])
    alternatives["rate_columns"] = [
        other["rate_columns"]
        for _, other, _ in candidates
        if other is not options and other["rate_axes"] == options["rate_axes"]
    ]
    return options, given


def _rate_options(
    chosen: Sequence[ColumnHeader], is_in_space: bool, given: set[str]
) -> tuple[dict[str, Any], set[str]]:
    unit, is_given = _common_unit(chosen, "rate")
    options = {
        "rate_columns": tuple(header.full for header in chosen), "rate_axes": "space" if is_in_space else "body", "rate_unit": unit,
    }  # fmt: skip
    return options, {*given, *(["rate_unit"] if is_given else [])}


def _detect_gravity(groups: Mapping[tuple[str, str, str], Group]) -> dict[str, Any]:
    """Return options for the columns of an accelerometer. In a recording of rates, gravity at rest determines the initial
    attitude."""
    triples = [
        ([group[index] for index in "xyz"], stem)
        for (_, stem, _), group in groups.items()
        if set("xyz") <= group.keys() and {quantity(group[index]) for index in "xyz"} == {"gravity"}
    ]
    has_a = any(stem != "g" for _, stem in triples)
    likely = [chosen for chosen, stem in triples if stem != "g" or (chosen[0].unit_text and not has_a)]
    likely.sort(key=lambda chosen: "acc" not in chosen[0].stem and chosen[0].stem != "a")
    return {"gravity_columns": tuple(header.full for header in likely[0])} if likely else {}
