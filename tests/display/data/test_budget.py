"""One budget a frame, with a clock of our own."""

from quatviz.display.data.budget import (
    AT_ONCE,
    CURVES,
    CURVES_AT_REST,
    GROWN,
    LEAPT,
    PLOTS,
    READ,
    STARTS,
    TAKES,
    FrameBudget,
    Share,
)


def served(share: Share, names: str, cost: float = 1.0) -> str:
    """Who of these may draw in this frame."""
    return "".join(name for name in names if share.grants(name, cost))


def test_what_nothing_has_begun_refuses_nobody() -> None:
    assert served(FrameBudget().pictures, "abc", 1e9) == "abc"


def test_who_has_waited_longest_is_served_first_and_nobody_waits_for_ever() -> None:
    share = Share()
    rounds = []
    for tick in range(6):
        share.begin(tick / 60, 2.0)
        rounds.append(served(share, "abcde"))
    assert rounds == ["ab", "cd", "ae", "bc", "ad", "be"], "whoever wants to draw in every frame takes turns"


def test_what_takes_more_than_all_of_the_room_has_its_turn_alone() -> None:
    share = Share()
    rounds = []
    for tick in range(3):
        share.begin(tick / 60, 4.0)
        rounds.append(served(share, "abc", 8.0))
    assert rounds == ["a", "b", "c"]


def test_where_it_is_owing_that_the_next_frames_pay_for_it() -> None:
    share = Share()
    rounds = []
    for tick in range(7):
        share.begin(tick / 60, 4.0, owing=True)
        rounds.append(served(share, "abc", 10.0))
    assert rounds == ["a", "", "b", "", "", "c", ""], "ten each, of four a frame"
    share.begin(1.0, 4.0)
    assert served(share, "ab", 10.0) == "a"


def test_who_does_not_come_again_holds_nobody_up() -> None:
    share = Share()
    share.begin(0.0, 1.0)
    assert served(share, "abc") == "a"
    share.begin(0.1, 1.0)
    assert served(share, "c") == "", "b may come yet"
    share.begin(0.2, 1.0)
    assert served(share, "c") == "c"


def test_some_draw_at_most_so_often_unless_that_is_urgent() -> None:
    share = Share()
    found = []
    for tick in range(60):
        share.begin(tick / 60, 4.0)
        found.append(share.grants("digits", every=0.2))
    assert sum(found) == 5
    assert share.grants("digits", every=0.2, urgent=True)
    share.begin(1.1, 4.0)
    assert not share.grants("digits", every=0.2), "what was urgent counts"


def test_while_a_run_plays_pictures_hold_up_no_cursor_and_at_rest_there_is_room() -> None:
    budget = FrameBudget()
    budget.begin(1.0, playing=True)
    assert len(served(budget.pictures, "abcdefgh")) == CURVES
    assert len(served(budget.takes, "abcdefgh")) == TAKES
    assert len(served(budget.growth, "abcdefgh")) == GROWN
    budget.begin(1.1, playing=False)
    assert served(budget.takes, "abcdefgh") == "abcdefgh"
    assert served(budget.pictures, "ab", CURVES_AT_REST) == "a"


def test_what_is_read_moves_the_more_seldom_the_more_plots_it_moves_in() -> None:
    def read(plots: float, leapt: bool = False) -> int:
        """In how many of a second's frames."""
        budget = FrameBudget()
        budget.plots, found = plots, 0
        for tick in range(60):
            budget.begin(100.0 + tick / 60, playing=True, leapt=leapt)
            found += budget.reads
        return found

    assert read(1.0) == read(4.0) == 30, f"{READ[0]} s at least"
    assert read(20.0) in (PLOTS / 20.0 - 1, PLOTS / 20.0), "as frames fall"
    assert read(1000.0) == 4, f"{READ[1]} s at most"
    assert read(20.0, leapt=True) == 30
    slow, found = FrameBudget(), []
    for tick in range(6):
        slow.begin(100.0 + tick, playing=True)
        found.append(slow.reads)
    assert found == [True, False] * 3, "what is between draws curves, however slow frames are"
    budget = FrameBudget()
    budget.begin(1.0, playing=False)
    assert budget.reads
    budget.begin(1.001, playing=False)
    assert budget.reads, "at rest every frame is"


def test_after_a_leap_curves_are_coarse_for_a_moment_and_many_are_drawn_at_once() -> None:
    budget = FrameBudget()
    budget.begin(1.0, playing=True)
    assert served(budget.pictures, "ab", CURVES) == "a"
    assert not budget.coarse
    budget.leap()
    assert budget.coarse
    assert served(budget.pictures, "bc", AT_ONCE / 2) == "bc"
    budget.begin(1.0 + 1.5 * LEAPT, playing=True)
    assert not budget.coarse
    assert served(budget.pictures, "bc", CURVES) == "b"


def test_as_many_plots_follow_a_hand_as_leave_thirty_frames_a_second() -> None:
    def follow(budget: FrameBudget, first: int, every: float) -> list[int]:
        found = []
        for frame in range(first, first + 40):
            budget.begin(frame * every, playing=True)
            found.append(len(served(budget.starts, "abcdefghijklmnopqrst")))
        return found

    budget = FrameBudget()
    assert follow(budget, 1, 0.016)[-2:] == [STARTS[1]] * 2
    assert follow(budget, 100, 0.05)[-2:] == [STARTS[0]] * 2
    assert follow(budget, 1000, 0.016)[-1] == STARTS[1], "and again where there is time"
