"""Whether two frames look alike in 3D."""

from __future__ import annotations

from quatviz.feed.frame import Frame


def what_is_seen(frame: Frame) -> object:
    """What of a frame the items read: while a run is prepared, or rests, it stays the same."""
    lanes = [
        (
            lane.name,
            lane.status,
            lane.colour,
            lane.solid,
            lane.visible,
            lane.drawn,
            lane.frozen,
            lane.computed_to,
        )
        for lane in frame.lanes
    ]
    poses = [None if lane.pose is None else lane.pose.p.tobytes() for lane in frame.lanes]
    # Only the body has arrows: those of the others are never computed.
    pose = frame.pose
    arrows = [vector.tobytes() for vector in pose.vectors.values()] if pose is not None else []
    return frame.generation, frame.time, lanes, poses, arrows, frame.scales
