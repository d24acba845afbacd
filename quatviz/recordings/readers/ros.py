"""Bags of ROS 1 and ROS 2 (MCAP and SQLite), read without a ROS installation."""

import importlib.util
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from quatviz.base.errors import InputError, phrase, plural_phrase
from quatviz.recordings.columns import MAX_NUMBERS, FileColumns
from quatviz.recordings.readers.base import Reader

_TOPIC = "recordings#bags-of-ros"
_Q = ("orientation.w", "orientation.x", "orientation.y", "orientation.z")
_W = ("angular_velocity.x", "angular_velocity.y", "angular_velocity.z")
_A = ("linear_acceleration.x", "linear_acceleration.y", "linear_acceleration.z")


class MessageLayout(NamedTuple):
    """Names of the columns of a message type, and a function that returns their values from a message."""

    columns: tuple[str, ...]
    numbers: Callable[[Any], tuple[float, ...]]


def _imu(message: Any) -> tuple[float, ...]:
    """Return the values of an `Imu` message in the order of its columns, with NaN for missing measurements.

    A covariance that begins with -1 marks a missing measurement (REP 145).
    """
    q, w, a = message.orientation, message.angular_velocity, message.linear_acceleration
    nan = float("nan")
    attitude = (nan,) * 4 if message.orientation_covariance[0] == -1.0 else (q.w, q.x, q.y, q.z)
    rates = (nan,) * 3 if message.angular_velocity_covariance[0] == -1.0 else (w.x, w.y, w.z)
    return (*attitude, *rates, a.x, a.y, a.z)


def _quaternion(q: Any) -> tuple[float, ...]:
    return q.w, q.x, q.y, q.z


def _twist(message: Any) -> tuple[float, ...]:
    w = message.twist.angular
    return w.x, w.y, w.z


def _vector(message: Any) -> tuple[float, ...]:
    return message.vector.x, message.vector.y, message.vector.z


def _odometry(message: Any) -> tuple[float, ...]:
    q, w = message.pose.pose.orientation, message.twist.twist.angular
    return q.w, q.x, q.y, q.z, w.x, w.y, w.z


MESSAGE_LAYOUTS = {
    "sensor_msgs/msg/Imu": MessageLayout((*_Q, *_W, *_A), _imu),
    "geometry_msgs/msg/PoseStamped": MessageLayout(_Q, lambda message: _quaternion(message.pose.orientation)),
    "geometry_msgs/msg/TransformStamped": MessageLayout(
        _Q, lambda message: _quaternion(message.transform.rotation)
    ),
    "nav_msgs/msg/Odometry": MessageLayout((*_Q, *_W), _odometry),
    "geometry_msgs/msg/PoseWithCovarianceStamped": MessageLayout(
        _Q, lambda message: _quaternion(message.pose.pose.orientation)
    ),
    "geometry_msgs/msg/QuaternionStamped": MessageLayout(_Q, lambda message: _quaternion(message.quaternion)),
    "geometry_msgs/msg/TwistStamped": MessageLayout(_W, _twist),
    "geometry_msgs/msg/TwistWithCovarianceStamped": MessageLayout(_W, lambda message: _twist(message.twist)),
}
"""Layouts by message type, in the order in which topics are preferred."""
TRANSFORMS = "tf2_msgs/msg/TFMessage"
PATH = "nav_msgs/msg/Path"
_CONTAINERS = {
    TRANSFORMS: ("geometry_msgs/msg/TransformStamped", "transforms"),
    "tf/msg/tfMessage": ("geometry_msgs/msg/TransformStamped", "transforms"),
    PATH: ("geometry_msgs/msg/PoseStamped", "poses"),
}
"""Type of the contained messages and name of the field that holds them, for each message type that contains other
messages."""


class ROS(Reader):
    """Reader of a topic with `Imu`, `Odometry`, pose, transform, quaternion, twist, `Path` or `TFMessage` messages. Each
    frame of a `TFMessage` is a part.

    The last message of a `Path` topic is read. Times come from the message headers, or from the bag if the headers
    contain zeros. Quaternions are Hamilton quaternions that transform body components to the frame in the header;
    rates are in body axes.
    """

    name = "ros"
    title = "a bag of ROS (ROS 1, MCAP or SQLite)"
    suffixes = (".mcap", ".db3", ".bag")
    magic = b"#ROSBAG V2"

    def read(self, path: Path, part: str | None) -> FileColumns:
        if importlib.util.find_spec("rosbags") is None:
            raise InputError(
                str(path), expected="the package rosbags, which reads bags", found="no such package",
                remedy='install it: pip install "quatviz[ros]"', topic=_TOPIC,
            )  # fmt: skip
        from rosbags.rosbag1 import Reader as Bag1
        from rosbags.rosbag2 import Reader as Bag2

        with path.open("rb") as file:
            is_ros1 = file.read(len(self.magic)) == self.magic
        bag: Any
        with Bag1(path) if is_ros1 else Bag2(path) as bag:
            parts = dict(_usable_topics(bag))
            if not parts:
                others = sorted({connection.msgtype for connection in bag.connections})[:12]
                raise InputError(
                    str(path),
                    expected=phrase(
                        "a topic with one of the message types {kinds}", kinds=", ".join((*MESSAGE_LAYOUTS, *_CONTAINERS))
                    ),
                    found=", ".join(others) or phrase("no topic"), remedy="record one of these", topic=_TOPIC,
                )  # fmt: skip
            name, _, frame = (part or next(iter(parts))).partition(" ")
            if name not in parts:
                raise InputError(
                    str(path), expected=phrase("one of the topics {names}", names=", ".join(list(parts)[:20])), found=repr(part),
                    remedy="choose one of these", key="part", topic=_TOPIC,
                )  # fmt: skip
            rows, columns, frames, bad = _read_rows(bag, parts[name], frame, str(path), is_ros1)
        remark = plural_phrase(
            bad,
            "{count} message that cannot be read was left out",
            "{count} messages that cannot be read were left out",
        )
        remarks = [remark] if bad else []
        names = ("stamp", *columns)
        return FileColumns(
            dict(zip(names, rows.T, strict=True)), _declared_options(names, rows), f"{name} {frame}".strip(),
            tuple(dict.fromkeys([*parts, *(f"{name} {connection}" for connection in frames)])), self.title, tuple(remarks),
        )  # fmt: skip


def _usable_topics(bag: Any) -> Iterator[tuple[str, Any]]:
    """Yield name and connection of each topic with an attitude or rates, preferred topics first."""
    order = [*MESSAGE_LAYOUTS, *_CONTAINERS]
    connections = [connection for connection in bag.connections if connection.msgtype in order]
    for connection in sorted(
        connections, key=lambda connection: (order.index(connection.msgtype), connection.topic)
    ):
        yield connection.topic, connection


def _read_rows(
    bag: Any, connection: Any, frame: str, source: str, is_ros1: bool
) -> tuple[np.ndarray, tuple[str, ...], list[str], int]:
    """Return the messages of a topic: an array (n, 1 + k) with time stamps [s] and values, the names of the k values,
    the names of all frames in `TFMessage` messages, and the number of unreadable messages.

    Times are relative to the first message, because nanoseconds since 1970 have more digits than a float64.
    """
    from rosbags.typesys import Stores, get_typestore

    types = get_typestore(Stores.ROS1_NOETIC if is_ros1 else Stores.ROS2_HUMBLE)
    inner_type, container = _CONTAINERS.get(connection.msgtype, (connection.msgtype, ""))
    layout = MESSAGE_LAYOUTS[inner_type]
    number_count = connection.msgcount * (1 + len(layout.columns))
    if number_count > MAX_NUMBERS:
        raise InputError(
            source, expected=phrase("at most {most:g} numbers", most=MAX_NUMBERS),
            found=phrase("{count:g} numbers in {messages} messages", count=number_count, messages=connection.msgcount),
            remedy="cut the bag to the range that you need", topic=_TOPIC,
        )  # fmt: skip
    deserialize = types.deserialize_ros1 if is_ros1 else types.deserialize_cdr
    stamps: list[int] = []
    numbers: list[tuple[float, ...]] = []
    frames: dict[str, None] = {}
    unreadable_count = 0
    for _, received, data in bag.messages(connections=[connection]):
        try:
            message: Any = deserialize(data, connection.msgtype)
            if connection.msgtype == PATH:
                stamps, numbers = [], []  # each message repeats the whole path
            for inner in getattr(message, container) if container else (message,):
                if container == "transforms":
                    frames[inner.child_frame_id] = None
                    if inner.child_frame_id != (frame or next(iter(frames))):
                        continue
                stamp = inner.header.stamp
                numbers.append(layout.numbers(inner))
                stamps.append(stamp.sec * 10**9 + stamp.nanosec or received)
        except Exception:
            # Damaged messages can raise any exception.
            unreadable_count += 1
    if not numbers:
        raise InputError(
            source, expected=phrase("messages of the topic {name}", name=connection.topic), found="none that can be read",
            remedy="choose another topic", key="part", topic=_TOPIC,
        )  # fmt: skip
    times = (np.array(stamps, dtype=np.int64) - stamps[0]) * 1e-9
    return np.column_stack([times, np.array(numbers)]), layout.columns, list(frames), unreadable_count


def _declared_options(names: tuple[str, ...], rows: np.ndarray) -> dict[str, Any]:
    """Return options for the conventions that ROS prescribes (REP 103, 145). Quantities that the messages mark as
    missing are declared as absent."""
    declared: dict[str, Any] = {"time": "stamp", "time_unit": "s", "attitude": "none", "rate_columns": ()}

    def has_values(columns: tuple[str, ...]) -> bool:
        values = (
            rows[:, [names.index(name) for name in columns]]
            if set(columns) <= set(names)
            else np.empty((0, 0))
        )
        return bool(values.size) and bool((np.isfinite(values).all(axis=1) & values.any(axis=1)).any())

    if has_values(_Q):
        declared |= {
            "attitude": "quaternion", "attitude_columns": _Q, "order": "scalar_first", "direction": "body_to_space",
            "product": "hamilton",
        }  # fmt: skip
    if has_values(_W):
        declared |= {"rate_columns": _W, "rate_axes": "body", "rate_unit": "rad/s"}
    if has_values(_A):
        declared["gravity_columns"] = _A
    return declared
