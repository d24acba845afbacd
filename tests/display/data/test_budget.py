"""The time budget of a frame, with a fake clock."""

from quatviz.display.data.budget import (
    COARSE_DURATION,
    MAX_GROWTH_REDRAWS,
    MAX_READOUT_RATE,
    MAX_REDRAWN_CURVES,
    MAX_REDRAWN_CURVES_AFTER_JUMP,
    MAX_REDRAWN_CURVES_AT_REST,
    MAX_ROW_UPDATES,
    READOUT_INTERVAL_LIMITS,
    RUN_START_LIMITS,
    DrawQuota,
    FrameBudget,
)


def served(share: DrawQuota, names: str, cost: float = 1.0) -> str:
    """Return the clients that may draw in this frame."""
    return "".join(name for name in names if share.request(name, cost))


def test_quota_without_a_frame_accepts_everything() -> None:
    assert served(FrameBudget().redraws, "abc", 1e9) == "abc"


def test_longest_waiting_client_is_served_first() -> None:
    share = DrawQuota()
    rounds = []
    for tick in range(6):
        share.begin_frame(tick / 60, 2.0)
        rounds.append(served(share, "abcde"))
    assert rounds == ["ab", "cd", "ae", "bc", "ad", "be"], "clients that draw in every frame take turns"


def test_client_above_the_budget_is_served_alone() -> None:
    share = DrawQuota()
    rounds = []
    for tick in range(3):
        share.begin_frame(tick / 60, 4.0)
        rounds.append(served(share, "abc", 8.0))
    assert rounds == ["a", "b", "c"]


def test_debt_is_paid_by_the_next_frames() -> None:
    share = DrawQuota()
    rounds = []
    for tick in range(7):
        share.begin_frame(tick / 60, 4.0, carry_debt=True)
        rounds.append(served(share, "abc", 10.0))
    assert rounds == ["a", "", "b", "", "", "c", ""], "ten each, with four per frame"
    share.begin_frame(1.0, 4.0)
    assert served(share, "ab", 10.0) == "a"


def test_absent_clients_block_nobody() -> None:
    share = DrawQuota()
    share.begin_frame(0.0, 1.0)
    assert served(share, "abc") == "a"
    share.begin_frame(0.1, 1.0)
    assert served(share, "c") == "", "b may still come"
    share.begin_frame(0.2, 1.0)
    assert served(share, "c") == "c"


def test_minimum_interval_is_kept_unless_urgent() -> None:
    share = DrawQuota()
    updates = []
    for tick in range(60):
        share.begin_frame(tick / 60, 4.0)
        updates.append(share.request("digits", min_interval=0.2))
    assert sum(updates) == 5
    assert share.request("digits", min_interval=0.2, urgent=True)
    share.begin_frame(1.1, 4.0)
    assert not share.request("digits", min_interval=0.2), "the urgent request counts"


def test_pictures_do_not_delay_the_cursor_while_playing() -> None:
    budget = FrameBudget()
    budget.begin_frame(1.0, playing=True)
    assert len(served(budget.redraws, "abcdefgh")) == MAX_REDRAWN_CURVES
    assert len(served(budget.row_updates, "abcdefgh")) == MAX_ROW_UPDATES
    assert len(served(budget.growth_redraws, "abcdefgh")) == MAX_GROWTH_REDRAWS
    budget.begin_frame(1.1, playing=False)
    assert served(budget.row_updates, "abcdefgh") == "abcdefgh"
    assert served(budget.redraws, "ab", MAX_REDRAWN_CURVES_AT_REST) == "a"


def test_cursor_updates_get_rarer_with_more_plots() -> None:
    def read(plots: float, leapt: bool = False) -> int:
        """Return in how many frames of a second the numbers are updated."""
        budget = FrameBudget()
        budget.readout_plot_count, updates = plots, 0
        for tick in range(60):
            budget.begin_frame(100.0 + tick / 60, playing=True, cursor_jumped=leapt)
            updates += budget.updates_readouts
        return updates

    assert read(1.0) == read(4.0) == 30, f"{READOUT_INTERVAL_LIMITS[0]} s at least"
    assert read(20.0) in (MAX_READOUT_RATE / 20.0 - 1, MAX_READOUT_RATE / 20.0), (
        "every frame at low frame rates"
    )
    assert read(1000.0) == 4, f"{READOUT_INTERVAL_LIMITS[1]} s at most"
    assert read(20.0, leapt=True) == 30
    slow, updates = FrameBudget(), []
    for tick in range(6):
        slow.begin_frame(100.0 + tick, playing=True)
        updates.append(slow.updates_readouts)
    assert updates == [True, False] * 3, "frames in between draw curves, however slow they are"
    budget = FrameBudget()
    budget.begin_frame(1.0, playing=False)
    assert budget.updates_readouts
    budget.begin_frame(1.001, playing=False)
    assert budget.updates_readouts, "at rest every frame updates"


def test_many_curves_are_coarse_after_a_jump_of_the_axis() -> None:
    budget = FrameBudget()
    budget.begin_frame(1.0, playing=True)
    assert served(budget.redraws, "ab", MAX_REDRAWN_CURVES) == "a"
    assert not budget.is_coarse
    budget.note_axis_jump()
    assert budget.is_coarse
    assert served(budget.redraws, "bc", MAX_REDRAWN_CURVES_AFTER_JUMP / 2) == "bc"
    budget.begin_frame(1.0 + 1.5 * COARSE_DURATION, playing=True)
    assert not budget.is_coarse
    assert served(budget.redraws, "bc", MAX_REDRAWN_CURVES) == "b"


def test_dragging_keeps_thirty_frames_per_second() -> None:
    def follow(budget: FrameBudget, first: int, every: float) -> list[int]:
        updates = []
        for frame in range(first, first + 40):
            budget.begin_frame(frame * every, playing=True)
            updates.append(len(served(budget.run_starts, "abcdefghijklmnopqrst")))
        return updates

    budget = FrameBudget()
    assert follow(budget, 1, 0.016)[-2:] == [RUN_START_LIMITS[1]] * 2
    assert follow(budget, 100, 0.05)[-2:] == [RUN_START_LIMITS[0]] * 2
    assert follow(budget, 1000, 0.016)[-1] == RUN_START_LIMITS[1], "and again with enough time"
