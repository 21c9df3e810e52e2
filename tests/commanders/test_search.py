"""Commanders that search: their knowledge, their choices, and their settings."""

from __future__ import annotations

from time import monotonic

import pytest

from cardbattle import resolve
from cardbattle.battles.records.battle_file import bare_battle, read_battle
from cardbattle.battles.resolve import deal, fight_battle, streams_of
from cardbattle.commanders import RANKS, make_commander, rank_error, with_deadline
from cardbattle.commanders.rollout import draw_index, play_out_by
from cardbattle.commanders.search import (
    BEST_LINES,
    LINES,
    Candidate,
    Search,
    SearchCommander,
    TimeUp,
    is_better,
)
from cardbattle.core.battle import NOBODY, Battle, View
from cardbattle.core.chance import Chance, Drawn, stream
from cardbattle.core.errors import UsageError
from cardbattle.core.referee import Commander, Referee, Seat
from cardbattle.core.ruleset import RuleSet
from cardbattle.rules import RULE_SETS, find
from cardbattle.rules.strategy_war import StrategyWarRules
from cardbattle.rules.strategy_war.battle import StrategyWar
from cardbattle.rules.wargame import tactics
from cardbattle.rules.wargame.battle import ADVANCE, FULL_ARMY, Wargame
from cardbattle.rules.wargame.solver import can_solve, solve
from cardbattle.testing import Trial, trials
from research.lines import seat_at_first, worths_of
from tests.rules.test_every_rule_set import SPECIAL, special_trial
from tests.toy import OUTBID

FEW = 14  # iterations that reach every part of the search in a short time


def answered(rules: RuleSet, referee: Referee, iterations: int = FEW) -> int:
    """Return what a thinker answers to the question that is asked now."""
    return SearchCommander(rules, stream("search", "side/north"), iterations).answer(referee.seat)


@pytest.mark.parametrize("key", RULE_SETS)
@pytest.mark.parametrize("rank", ["veteran", "elite"])
def test_a_thinker_stops_when_the_time_is_up_and_else_does_not_feel_the_deadline(key: str, rank: str) -> None:
    """Every way of searching looks at the clock, and takes nothing from the stream for it."""
    trial = trials(find(key))[0]
    referee = Referee(trial.rules, trial.setup.copy(), trial.random_source())

    def thinker() -> Commander:
        return make_commander(f"{rank}:iterations={FEW}", trial.rules, stream("search", "side/north"))

    free = thinker().answer(referee.seat)
    assert with_deadline(thinker(), monotonic() + 1000).answer(referee.seat) == free
    late = with_deadline(thinker(), monotonic() - 1)
    with pytest.raises(TimeUp):
        late.answer(referee.seat)


@pytest.mark.slow
def test_an_elite_commander_follows_a_learned_policy_where_it_has_an_answer() -> None:
    """It answers at once; with -1 the commander searches."""
    trial = trials(find("field-of-honour"))[0]
    referee = Referee(trial.rules, trial.setup.copy(), trial.random_source())
    searched = SearchCommander(trial.rules, stream("search", "side/north"), FEW, is_elite=True)
    for learned, answers in ((3, 3), (-1, searched.answer(referee.seat))):
        elite = SearchCommander(trial.rules, stream("search", "side/north"), FEW, is_elite=True)
        elite.learned = lambda view, chance, learned=learned: learned
        if learned >= 0:
            elite = with_deadline(elite, monotonic() - 1)  # type: ignore[assignment]
        assert elite.answer(referee.seat) == answers


def test_who_does_not_think_is_bound_by_no_deadline() -> None:
    """The rules of thumb take no time."""
    trial = trials(find("wargame"))[0]
    referee = Referee(trial.rules, trial.setup.copy(), trial.random_source())
    for rank in ("green", "regular"):
        commander = make_commander(rank, trial.rules, trial.chance("side"))
        assert 0 <= with_deadline(commander, monotonic() - 1).answer(referee.seat) < referee.seat.count


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_thinker_knows_only_what_its_side_knows(key: str) -> None:
    """With everything hidden dealt otherwise, the same stream gives the same answer.

    The redeals it then makes are of the altered battle, so a redeal that leaks fails here too.
    """
    differed = False
    for trial in trials(find(key))[:3]:
        for referee in trial.points(4):
            battle = referee.battle
            before = battle.state()
            answer = answered(trial.rules, referee)
            assert 0 <= answer < len(battle.options)
            assert battle.state() == before, "thinking changed the battle"
            for n in range(2):
                referee.battle = battle.redeal(battle.side, trial.chance(f"hidden/{n}"))
                differed = differed or referee.battle.state() != before
                assert answered(trial.rules, referee) == answer, "it knows what it cannot know"
            referee.battle = battle
    assert differed or key == "strategy-war", "nothing hidden was ever altered"


@pytest.mark.slow
@pytest.mark.parametrize("is_elite", [False, True])
@pytest.mark.parametrize("key", RULE_SETS)
def test_a_thinker_keeps_in_mind_only_what_its_side_knows(key: str, is_elite: bool) -> None:
    """Of two with one stream the second is asked in redealt battles all along, yet both answer alike.

    So neither a plan kept from one question to the next nor a solved end knows what is hidden.
    """
    rules = find(key)
    special = [special_trial(path, 0) for path in SPECIAL if path.stem.startswith(key)]
    for trial in [trials(rules)[0], *special[-1:]]:
        referee = Referee(rules, trial.setup.copy(), trial.random_source())
        hidden, chance = trial.chance("hidden"), trial.chance("choices")
        pairs = [
            [SearchCommander(rules, stream(trial.seed, f"side/{seat}"), 2, is_elite) for _ in range(2)]
            for seat in trial.seats
        ]
        asked = 0
        while not referee.battle.is_over() and asked < 120:
            battle, pair = referee.battle, pairs[referee.battle.side]
            asked += 1
            solved = is_elite and rules.solution(battle)
            if asked > 10 and asked % 25 and not solved:  # the plans are laid; on to the ends
                referee.choose(rules.regular(battle.view(battle.side), chance))
                continue
            answer = pair[0].answer(referee.seat)
            referee.battle = battle.redeal(battle.side, hidden)
            assert pair[1].answer(referee.seat) == answer, "it knows what it cannot know"
            assert pair[1].line == pair[0].line
            referee.battle = battle
            referee.choose(answer)


@pytest.mark.slow
@pytest.mark.parametrize("key", RULE_SETS)
def test_thinkers_fight_every_rule_set(key: str) -> None:
    """All sides search, with each number of sides that is allowed. The same seed fights the same battle."""
    rules = find(key)
    sides = [f"s{seat}=veteran:iterations=3" for seat in range(min(rules.most, 4))]
    plan = read_battle(bare_battle(key, sides))._replace(seed=7)
    if key == "warmonger":
        plan.setup.house["armistice"] = 30
    record, referee = fight_battle(plan)
    again, _ = fight_battle(plan)
    assert referee.battle.is_over()
    assert record.moves == again.moves
    assert record.sides[0].commander == "veteran:iterations=3"


def test_a_thinker_draws_from_its_own_stream_only() -> None:
    """The battle's own chance stays where it was."""
    trial = trials(find("field-of-honour"))[0]
    random_source = stream(1, "battle")
    referee = Referee(trial.rules, trial.setup.copy(), Drawn(random_source))
    before = (random_source.a, random_source.b, random_source.c, random_source.counter)
    answered(trial.rules, referee)
    assert (random_source.a, random_source.b, random_source.c, random_source.counter) == before


@pytest.mark.parametrize("is_elite", [False, True])
@pytest.mark.parametrize("key", ["wargame", "strategy-war"])
def test_a_single_option_is_taken(key: str, is_elite: bool) -> None:
    """A question may be put that has one answer only, openly as in Wargame or in secret."""
    trial = trials(find(key))[0]
    referee = Referee(trial.rules, trial.setup.copy(), Drawn(stream(1, "battle")))
    referee.battle.options = referee.battle.options[:1]
    assert SearchCommander(trial.rules, stream(1, "side/x"), FEW, is_elite).answer(referee.seat) == 0


def wargame_about_to_end() -> Referee:
    """Return a battle in which one attack of three wins at once and the others lose."""
    trial: Trial = trials(find("wargame"))[0]
    referee = Referee(trial.rules, trial.setup.copy(), Drawn(stream(1, "battle")))
    battle = Wargame()
    battle.begin([[3, 5, 9], [4, 6, 7]], referee.battle.random_source, chips=[0, 0], traitors=[[], []])
    battle.run()
    battle.hand = [[], []]
    battle.line = [[3, 5, 9], [4, 6, 7]]
    battle.attacker = 0
    battle.won = [1, 1]
    battle.side = NOBODY
    battle.todo = []
    battle.begin_battle()
    battle.run()
    assert (battle.side, battle.question) == (0, ADVANCE)
    referee.battle = battle
    return referee


def test_a_winning_move_is_found() -> None:
    """The nine alone beats its opposite and wins the third of five battles."""
    referee = wargame_about_to_end()
    assert referee.battle.options[answered(find("wargame"), referee, 30)] == 2


def test_what_follows_a_choice_is_left_to_the_policy() -> None:
    """Where nothing is hidden and the policy draws no lot, every try of a choice is the same battle."""
    referee = wargame_about_to_end()

    def last(view: View, chance: Chance) -> int:
        return len(view.options) - 1

    search = Search(find("wargame"), last, stream(1, "side/north"))
    racing = search.entrants(referee.seat, 100)
    search.run_round(referee.seat, racing, 100 * len(racing))
    for candidate in racing:
        battle = referee.battle.copy()
        battle.choose(battle.options.index(candidate.choices[0]))
        worth = play_out_by(find("wargame"), last, battle, stream(1, "luck"))[referee.battle.side]
        assert candidate.payoffs == [worth] * 100
    assert len({candidate.payoffs[0] for candidate in racing}) > 1


def seat_of(battle: Battle, rules: RuleSet) -> Seat:
    """Return the seat of the side that is asked in a battle made by hand."""
    referee = Referee(rules, trials(rules)[0].setup.copy(), Drawn(stream(1, "battle")))
    referee.battle = battle
    return Seat(referee)


def duel(hand: list[int]) -> StrategyWar:
    """Return a duel of Strategy WAR at its first question."""
    battle = StrategyWar()
    battle.begin([hand, hand], Drawn(stream(1, "battle")), rounds=len(hand))
    battle.run()
    return battle


def test_who_thinks_takes_the_others_for_seasoned_players() -> None:
    """Wary or not, they fight their tries on by the best rules of thumb."""
    rules = find("field-of-honour")
    assert rules.regular != rules.seasoned
    for is_elite in (False, True):
        assert SearchCommander(rules, stream(1, "x"), 60, is_elite).search.policy == rules.seasoned


def test_secret_choices_are_raced_against_regulars() -> None:
    """An enemy who always plays the highest meets the lowest first, and is beaten twice after that."""

    class Predictable(StrategyWarRules):
        def regular(self, view: View, chance: Chance) -> int:
            return len(view.options) - 1  # always the highest

    rules = Predictable()
    battle = duel([2, 13, 14])
    battle.hands[0] = [3, 13, 14]
    battle.options = battle.hands[0]
    found = Search(rules, rules.regular, stream(1, "side/p1")).secret_choices(seat_of(battle, rules), 300)
    assert found == [3], "the lowest against their highest, then both of the others win"


def test_secret_questions_in_a_row_are_one_decision() -> None:
    """A line of Field of Honour is decided on at its first space, and laid as decided."""
    trial = trials(find("field-of-honour"))[0]
    referee = Referee(trial.rules, trial.setup.copy(), Drawn(stream(1, "battle")))
    chance = Watched(1, 2, 3, 4)
    thinker = SearchCommander(trial.rules, chance, 60)
    side, drawn_before = referee.battle.side, 0
    for space in range(5):
        assert referee.battle.side == side
        Watched.drawn = 0
        referee.choose(thinker.answer(referee.seat))
        drawn_before = max(drawn_before, Watched.drawn)
        assert (Watched.drawn > 0) == (space == 0)
    assert drawn_before > 100


@pytest.mark.slow
def test_an_elite_commander_lays_a_line_like_any_other() -> None:
    """Several answers in a row are not a duel of single answers. They are raced, and four are kept."""
    search, seat = lining_up(12)
    lines = []
    for is_elite in (False, True):
        thinker = SearchCommander(search.rules, stream(1, "side/percy"), 60, is_elite)
        answer = thinker.answer(seat)
        lines.append([seat.view.options[answer], *thinker.line])
    assert [len(set(line)) for line in lines] == [5, 5]


def lining_up(hand: int) -> tuple[Search, Seat]:
    """Return a search and the seat of the side that lays its line first, out of so many cards."""
    rules = find("field-of-honour")
    sides = {key: {"hand": hand} for key in rules.default_sides}
    plan = read_battle(bare_battle(rules.key, []) | {"sides": sides, "seed": 1})
    referee = Referee(rules, deal(plan, streams_of(plan)), Drawn(stream(1, "battle")))
    return Search(rules, rules.seasoned, stream(1, "side/north")), referee.seat


@pytest.mark.parametrize("hand", [5, 6, 7, 12])
def test_lines_near_a_good_one_can_be_laid(hand: int) -> None:
    """Answers change places, and what is then no longer on offer, or forced, is left out."""
    search, seat = lining_up(hand)
    best = search.lines(seat, LINES)[:BEST_LINES]
    near = search.lines_near(seat, best)
    lines = [candidate.choices for candidate in near]
    assert lines[: len(best)] == [candidate.choices for candidate in best]
    assert len({tuple(line) for line in lines}) == len(lines) <= LINES
    assert len(lines) > len(best)
    for line in lines:
        battle = seat.redeal(search.chance)
        side = battle.side
        for choice in line:
            assert battle.side == side
            battle.choose(battle.options.index(choice))
        assert battle.side == 1 - side, "all spaces are filled"


def test_a_line_meets_what_the_enemy_would_have_laid_anyway() -> None:
    """The enemy's answers are found once for all lines: they are theirs, whichever line was laid."""
    search, seat = lining_up(8)
    first, *others = search.lines(seat, LINES)
    dealt = seat.redeal(search.chance)
    (theirs,) = search.secret_answers(dealt, first.choices)
    assert len(theirs) == 5
    for other in others:
        battle = dealt.copy()
        for choice in other.choices + theirs:
            battle.choose(battle.options.index(choice))
        assert battle.question not in search.rules.sealed


@pytest.mark.slow
def test_a_line_that_is_raced_for_is_better_than_a_seasoned_one() -> None:
    """In battles that it did not have to win before: by the mean of a few deals."""
    gains = []
    for seed in range(8):
        plan = read_battle(bare_battle("field-of-honour", []) | {"seed": seed})
        seat = seat_at_first(plan)
        judge = Search(plan.rules, plan.rules.seasoned, stream(seed, "judge"))
        usual = judge.line(seat.redeal(judge.chance), False)
        raced = Search(plan.rules, plan.rules.seasoned, stream(seed, "side")).secret_choices(seat, 100)
        worths = worths_of(seat, judge, [usual, raced], 100)
        gains.append(worths[1] - worths[0])
    assert sum(gains) / len(gains) > 0.02


class Judged(Search):
    """A search that gives a line the payoffs around its first choice."""

    def run_round(self, seat: Seat, racing: list[Candidate], iterations: int) -> None:
        """Add payoffs 50 below and 50 above the first choice; where one line is above, the other is below."""
        for candidate, luck in zip(racing, (50, -50), strict=True):
            first = candidate.choices[0]
            candidate.payoffs += [first + luck, first - luck] * iterations


@pytest.mark.parametrize(
    ("best", "usual", "replaces"), [(900, 100, True), (501, 500, False), (100, 900, False)]
)
def test_only_a_clearly_better_line_replaces_the_policys_own(best: int, usual: int, replaces: bool) -> None:
    _, seat = lining_up(5)
    rules = find("field-of-honour")
    judged = Judged(rules, rules.seasoned, stream(1, "side/north"))
    line = judged.better_line(seat, [best, 1], [usual, 2], 20)
    assert line == ([best, 1] if replaces else [usual, 2])


class Watched(Chance):
    """A stream that counts what is drawn from it."""

    drawn = 0

    def bits(self) -> int:
        """Return the next 32 bits."""
        Watched.drawn += 1
        return super().bits()


def test_more_iterations_think_longer() -> None:
    """The option of a commander reaches its search."""
    trial = trials(OUTBID)[0]
    spent = []
    for name in ("elite:iterations=5", "elite:iterations=50"):
        Watched.drawn = 0
        chance = Watched(1, 2, 3, 4)
        referee = Referee(OUTBID, trial.setup.copy(), Drawn(stream(1, "battle")))
        make_commander(name, OUTBID, chance).answer(referee.seat)
        spent.append(Watched.drawn)
    assert spent[1] > 5 * spent[0]


def test_ranks_think_as_long_as_the_rule_set_says() -> None:
    """The budgets are data of the rule set; elite thinks longer than veteran, where it is not one."""
    for key in RULE_SETS:
        rules = find(key)
        iterations = []
        for rank in ("veteran", "elite"):
            commander = make_commander(rank, rules, stream(1, "side/north"))
            assert isinstance(commander, SearchCommander)
            iterations.append(commander.iterations)
        assert 0 < iterations[0] <= iterations[1]
        assert (iterations[0] < iterations[1]) == ("elite" in rules.iterations)


@pytest.mark.slow
def test_an_elite_commander_of_strategy_war_plays_as_a_veteran() -> None:
    """Both by the default budget and by one of their own."""
    for budget in ("", ":iterations=60"):
        duels = [
            resolve("strategy-war", seed=7, sides={"york": f"{rank}{budget}", "lancaster": "regular"})
            for rank in ("veteran", "elite")
        ]
        assert duels[0].moves == duels[1].moves


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("elite:iteration=5", 'has no option "iteration"; write elite:iterations=4000'),
        ("elite:", 'has no option ""'),
        ("elite:iterations", 'expected a whole number from 1 to 1000000, got ""'),
        ("elite:iterations=0", 'got "0"'),
        ("elite:iterations=-5", 'got "-5"'),
        ("elite:iterations=4_000", 'got "4_000"'),
        ("elite:iterations=٤", "expected a whole number"),
        ("elite:iterations=10000000", "from 1 to 1000000"),
        ("veteran:iterations=1=2", 'got "1=2"'),
        ("regular:iterations=5", "commander regular takes no options"),
        ("orders:iterations=5", "commander orders takes no options"),
        ("elit:iterations=5", 'did you mean "elite"?'),
    ],
)
def test_options_of_a_commander_that_make_no_sense_are_refused(text: str, says: str) -> None:
    """The error says what would be right."""
    assert says in rank_error(text)
    with pytest.raises(UsageError):
        make_commander(text, OUTBID, stream(1, "side/ann"))


@pytest.mark.parametrize("text", ["veteran", "elite:iterations=1", "elite:iterations=1000000"])
def test_options_of_a_commander_are_accepted(text: str) -> None:
    """A rank stands alone or with its iterations."""
    assert rank_error(text) == ""
    assert RANKS[text.partition(":")[0]].thinks


def test_drawing_follows_the_weights() -> None:
    """A weight of nothing is never drawn; three times the weight comes three times as often."""
    chance = stream(1, "weights")
    drawns = [draw_index([0, 1, 3], chance) for _ in range(4000)]
    assert drawns.count(0) == 0
    assert 900 < drawns.count(1) < 1100


def test_better_means_beyond_doubt() -> None:
    """One more win by luck is no evidence, but many wins are."""
    assert not is_better([1000, 0, 1000], [1000, 0, 1000])
    assert not is_better([1000, 0], [0, 0])
    assert is_better([1000] * 5, [0] * 5)
    assert not is_better([0] * 5, [1000] * 5)


def test_an_unfinished_battle_is_estimated_by_its_score() -> None:
    """The shares of all sides have a sum of about 1, and are equal if no side has scored."""
    for key in RULE_SETS:
        for referee in trials(find(key))[0].points(3):
            battle: Battle = referee.battle
            shares = [find(key).estimate(battle, side) for side in range(battle.sides)]
            assert all(0 <= share <= 1000 for share in shares)
            assert 1000 - battle.sides <= sum(shares) <= 1000


def open_ends(count: int) -> list[Wargame]:
    """Return ends of Wargame battles with nothing hidden in which some options win and some lose."""
    found: list[Wargame] = []
    for seed in range(count * 40):
        chance = stream(seed, "ends")
        battle = Wargame()
        battle.begin([FULL_ARMY, FULL_ARMY], Drawn(chance), traitors=[[], []])
        battle.run()
        while battle.side != NOBODY:
            if can_solve(battle) and chance.below(4) == 0:
                if len(solve(battle).best) < len(battle.options) > 1:
                    found.append(battle.copy())
                break
            battle.choose(tactics.decide(battle.view(battle.side), chance))
        if len(found) == count:
            break
    return found


def share_found(count: int, name: str) -> float:
    """Return the share of `count` open endings in which a commander chooses one of the solver's options."""
    rules = find("wargame")
    referee = Referee(rules, trials(rules)[0].setup.copy(), Drawn(stream(1, "battle")))
    hits = 0
    ends = open_ends(count)
    for number, battle in enumerate(ends):
        referee.battle = battle
        commander = make_commander(name, rules, stream(number, "side/brown"))
        hits += commander.answer(referee.seat) in solve(battle).best
    return hits / len(ends)


@pytest.mark.slow
def test_a_thinker_finds_most_winning_moves_of_open_ends() -> None:
    """The exact solver knows which options win."""
    assert share_found(10, "veteran") >= 0.5


@pytest.mark.slow
def test_elite_solves_what_can_be_solved() -> None:
    """Where nothing is hidden any more it looks at all that may follow."""
    assert share_found(6, "elite") == 1


@pytest.mark.heavy
def test_elite_finds_the_winning_move_in_nearly_all_open_ends() -> None:
    """In at least 95 of 100 out of 500 positions."""
    assert share_found(500, "elite") >= 0.95
