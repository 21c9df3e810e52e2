"""Edits by command: comments stay, an undo restores every byte, an invalid edit changes nothing."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cardbattle.campaign import check
from cardbattle.campaign.ledger import operations, undo, value_edits
from cardbattle.campaign.ledger.addresses import Condition, find_paths, key_to_adjust, read_condition
from cardbattle.campaign.ledger.ledger import EMPTY_LEDGER
from cardbattle.campaign.ledger.operations import CampaignFile, Operation, parse_campaign
from cardbattle.campaign.ledger.value_edits import value_in
from cardbattle.campaign.state.editing.hunks import apply_hunks, hunks_between, reverse_hunks
from cardbattle.campaign.visibility.reader import visible_to
from cardbattle.core.errors import CardbattleError, InvalidInput, UsageError
from cardbattle.show.pages.campaign.history import describe_entry
from tests.campaign.ledger.test_umpire_changes import DOTTED, EMPTY, HEADERS, INLINE, LAYOUTS, umpire_of
from tests.campaign.ledger.test_undo import Umpire
from tests.support.marches import MARCHES, books

FULL = """\
# The whole of it.
format = 1
name = "Full" # its name
turn = 0x2    # odd, but a number
revision = 0
seed = "x"
rules = "strategy-war"

[scoring]     # generous
win = 2       # for a field

# Cards for the strong.
[advantage.strategy-war]
per = "1/4"
give = { cards = ["K"] } # a king

[map] # drawn by Anne
roads = [
    ["hill", "mill"], # muddy
    # no ford
    ["mill", "wood"],
]

[factions.york]
[factions.lancaster]
name = 'Lancaster'

# Percy rides for glory.
[forces.percy]
strength = 4   # men
faction = "york"
standing = [
    "first", # always
]
x_banner = 0.5

[forces.stafford]
faction = "lancaster"
strength = 5

[locations.hill]
owner = "york"
[locations.mill]
[locations.wood]

# To be fought.
[[pending]]
id = "hill"
sides = ["percy", "stafford"] # at dawn
stakes = "hill"
# It rains.

[[assert]]
force = "percy"   # who else
strength = 4

[[assert]]
turn = 2
"""
ALL_LAYOUTS = {**LAYOUTS, "full": FULL.replace('standing = [\n    "first", # always\n]\n', "")}

SETTINGS = st.sampled_from(
    [
        "scoring.win=3", "scoring.loss=-1", "scoring.per_score+=2", "attrition.rate=1/4",
        "calendar.first_day=1403-07-01", "calendar.days=14", "visibility.strength=own", "turn_name=Dust",
        "turn=7", "name=The War", "map.roads=[['hill','mill'],['wood','hill']]", "map.roads=[]",
        "map.roads.1=['wood','hill']", "forces.*.strength=9", "forces.*.strength+=1", "percy.commander=green",
        "forces.percy.location=hill", "forces.percy.name=Harry Percy", "locations.*.owner=york",
        "locations.hill.at=[3, 4]", "pending.hill.note=In the rain", "pending.*.stakes=mill",
        "pending.hill.names.percy=The North", "advantage.strategy-war.most=3", "advantage.wargame.per=1/2",
        "factions.york.points-=4", "assert.1.strength=9", "assert.*.turn=2", "x_mine=4", "x.deep.er=[1, 'b']",
        "forces.percy.x_banner=blue", "visibility={strength='all', pending='own'}", "scoring={win=1}",
        "forces.nobody.strength=1", "pending.bridge.note=none", "forces.percy.strength=-3",
    ]
)  # fmt: skip
ADDRESSES = st.sampled_from(
    [
        "scoring.win", "scoring.*", "calendar.first_day", "map.roads", "forces.*.location", "turn_name",
        "forces.percy.name", "locations.*.owner", "pending.*.note", "pending.hill.stakes", "visibility.*",
        "advantage.*.most", "forces.percy.x_banner", "assert.1.strength", "x_mine", "attrition.rate",
    ]
)  # fmt: skip
THINGS = st.sampled_from(
    [
        "scoring", "calendar", "visibility", "advantage", "map.roads.1", "map", "assert.1", "assert.*",
        "forces.percy", "forces.mortimer", "forces.*", "locations.*", "locations.hill", "factions.*",
        "attrition", "x", "advantage.strategy-war",
    ]
)  # fmt: skip
Plan = Callable[[CampaignFile], Operation]


def plans() -> st.SearchStrategy[Plan]:
    """Return edits by command of every kind."""
    return st.one_of(
        st.lists(SETTINGS, min_size=1, max_size=3).map(
            lambda texts: (
                lambda books: value_edits.set_values(books, [*map(value_edits.read_assignment, texts)])
            )
        ),
        ADDRESSES.map(lambda address: lambda books: value_edits.unset_values(books, [address])),
        THINGS.map(lambda address: lambda books: value_edits.remove_things(books, [address])),
        st.just(lambda books: value_edits.cancel_battles(books, ["*"])),
        st.sampled_from(["regular", "green", "human"]).flatmap(
            lambda rank: st.sampled_from([None, 3, 4]).map(
                lambda turn: lambda books: value_edits.plan_substitute(books, "york", rank, turn)
            )
        ),
        st.sampled_from(["kind=swiss", "kind=random", "kind=swiss seeding=order"]).map(
            lambda words: (
                lambda books: value_edits.add_item(
                    books,
                    "fixtures",
                    "",
                    [*map(value_edits.read_assignment, [*words.split(), "forces=percy,stafford"])],
                )
            )
        ),
        st.just(
            lambda books: value_edits.add_item(
                books, "assert", "", [value_edits.read_assignment(f"turn={books.campaign.turn}")]
            )
        ),
    )


STEPS = st.lists(st.one_of(plans(), st.sampled_from(["undo", "redo"])), min_size=1, max_size=8)


def without_revision(text: bytes) -> bytes:
    """Return a file without the line of its revision, if it has one."""
    return re.sub(rb"(?m)^revision = [0-9]+(\r?\n)?", b"", text)


def take(umpire: Umpire, step: Plan | str) -> bool:
    """Take a step; return False if it is refused, and then nothing has changed."""
    before = umpire.file.read_bytes()
    try:
        if step == "undo":
            umpire.record(undo.undo(umpire.books, umpire.seen, "", "a slip"))
        elif step == "redo":
            umpire.record(undo.redo(umpire.books, umpire.seen))
        elif callable(step):
            umpire.record(step(umpire.books))
    except CardbattleError:
        assert umpire.file.read_bytes() == before
        return False
    wrong = [str(error) for error in check.check(umpire.folder)]
    assert not [text for text in wrong if ": assert." not in text]  # the umpire's own checks can fail
    return True


@pytest.mark.slow
@pytest.mark.parametrize("layout", ALL_LAYOUTS)
@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(steps=STEPS)
def test_any_edits_undone_restore_every_byte(
    layout: str, steps: list[Plan | str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    umpire = umpire_of(tmp_path_factory.mktemp("edits"), ALL_LAYOUTS[layout])
    before = umpire.file.read_bytes()
    for step in steps:
        take(umpire, step)
    while take(umpire, "undo"):
        pass
    assert without_revision(umpire.file.read_bytes()) == without_revision(before)


def comments_in(text: str) -> list[str]:
    """Return the comments of a text that are on lines of values or of their own."""
    return sorted(re.findall(r"#[^\n]*", text))


@pytest.mark.slow
@pytest.mark.parametrize("layout", ALL_LAYOUTS)
@settings(max_examples=30)
@given(texts=st.lists(SETTINGS, min_size=1, max_size=3))
def test_set_keeps_every_comment_and_says_what_was_asked(layout: str, texts: list[str]) -> None:
    books = parse_campaign("", "campaign.toml", ALL_LAYOUTS[layout].encode())
    try:
        operation = value_edits.set_values(books, [*map(value_edits.read_assignment, texts)])
    except CardbattleError:
        return
    after = operations.after(books, [operation])
    if not any("roads" in text for text in texts):  # an item that goes takes its own comment along
        assert comments_in(after.source.text) == comments_in(books.source.text)
    assert after.campaign.revision == 1


@pytest.mark.slow
@pytest.mark.parametrize("layout", ALL_LAYOUTS)
@settings(max_examples=20)
@given(text=SETTINGS)
def test_set_then_unset_of_a_new_value_is_the_identity(layout: str, text: str) -> None:
    books = parse_campaign("", "campaign.toml", ALL_LAYOUTS[layout].encode())
    assignment = value_edits.read_assignment(text)
    try:
        paths = find_paths(books.campaign, assignment.address)
        operation = value_edits.set_values(books, [assignment])
    except CardbattleError:
        return
    if any(value_edits.value_in(books.source.data, path) is not value_edits.MISSING for path in paths):
        return
    there = operations.after(books, [operation])
    try:
        back = operations.after(there, [value_edits.unset_values(there, [assignment.address])])
    except InvalidInput:  # the table would be incomplete without it
        return
    assert without_tables(back.source.data) == without_tables(books.source.data)


def without_tables(data: dict[str, object]) -> dict[str, object]:
    """Return a campaign's data without its revision and without empty tables."""
    return {key: value for key, value in data.items() if key != "revision" and value != {}}


@given(old=st.text("ab\n"), new=st.text("ab\n"), above=st.text("cd\n", max_size=5))
def test_hunks_turn_one_text_into_another_and_back(old: str, new: str, above: str) -> None:
    hunks = hunks_between(old, new)
    assert apply_hunks(old, hunks) == new
    assert apply_hunks(new, reverse_hunks(hunks)) == old


def books_of(text: str = HEADERS) -> CampaignFile:
    return parse_campaign("", "campaign.toml", text.encode())


def set_in(books: CampaignFile, *texts: str, where: str = "") -> CampaignFile:
    """Return the campaign after `campaign set`."""
    conditions = [read_condition(where)] if where else []
    operation = value_edits.set_values(books, [*map(value_edits.read_assignment, texts)], conditions)
    return operations.after(books, [operation])


def test_several_factions_are_a_list_with_commas() -> None:
    text = HEADERS + '\n[[schedule]]\nturn = 5\ntext = "A muster"\n'
    (plan,) = set_in(books_of(text), "schedule.1.known=york,lancaster").campaign.schedule
    assert plan.known == ["york", "lancaster"]
    with pytest.raises(InvalidInput, match='faction "yrok" is not in this campaign'):
        set_in(books_of(text), "schedule.1.known=york,yrok")


def test_new_tables_have_the_order_in_which_they_are_set() -> None:
    texts = ["movement.allowance=2", "recruit.cost=3", "income.per_value=1", "results.confirm=both",
             "aftermath.capture=true", "deadlines.orders=2 days", "supply.range=2"]  # fmt: skip
    text = set_in(books_of(), *texts).source.text
    tables = [word.split(".")[0] for word in texts]
    assert re.findall(rf"^\[({'|'.join(tables)})\]", text, re.MULTILINE) == tables


@pytest.mark.parametrize("name", ["Percy's Men", "Percy\u2019s Men"])
@pytest.mark.parametrize("typed", ["Percy's Men", "forces.Percy\u2019s Men", "percys men"])
def test_an_address_can_have_a_name_with_an_apostrophe(name: str, typed: str) -> None:
    books = set_in(set_in(books_of(), f"forces.percy.name={name}"), f"{typed}.strength=3")
    assert books.campaign.forces["percy"].strength == 3


def test_a_value_is_named_by_key_name_or_pattern() -> None:
    books = set_in(books_of(), "Harry Percy.strength=3", 'forces."Harry Percy".location=Shrewsbury')
    assert books.campaign.forces["percy"].strength == 3
    books = set_in(books, "forces.*.strength=6", where="faction=House York")
    assert {key: force.strength for key, force in books.campaign.forces.items()} == {
        "percy": 6, "mortimer": 6, "stafford": 8,
    }  # fmt: skip
    assert set_in(books, "force.m*.strength+=1").campaign.forces["mortimer"].strength == 7


@pytest.mark.slow
@given(st.permutations(["experience.steps.1.at=3", "experience.steps.1.title=old", "experience.battle=1"]))
def test_the_first_item_of_a_list_can_be_set_key_by_key(texts: list[str]) -> None:
    books = set_in(books_of(), *texts)
    assert books.source.data["experience"] == {"steps": [{"at": 3, "title": "old"}], "battle": 1}
    assert set_in(books, "experience.steps.2.at=9", "experience.steps.2.title=older").campaign.experience


@pytest.mark.parametrize("order", [1, -1])
def test_one_command_can_add_several_items_to_a_list(order: int) -> None:
    texts = ["road.1.between=york,ely", "road.2.between=ely,shrewsbury", "road.2.length=2"][::order]
    places = MARCHES + "\n[locations.york]\n[locations.ely]\n"
    books = set_in(books_of(places), *texts)
    assert books.source.data["road"] == [
        {"between": ["york", "ely"]}, {"between": ["ely", "shrewsbury"], "length": 2},
    ]  # fmt: skip
    with pytest.raises(InvalidInput, match=r"road has 2 items, not 4; to add one: campaign set road\.3"):
        set_in(books_of(places), *texts, "road.4.length=3")


@pytest.mark.parametrize(
    "address",
    [
        "pending.wood.options.stafford.cards",
        "pending.wood.options.percy.cards",
        "advantage.strategy-war.give.cards",
    ],
)
def test_items_are_added_to_a_list_of_options_one_by_one_and_removed(address: str) -> None:
    before = books_of()
    books = set_in(before, f"{address}+=J", f"{address}+=5,J")
    [path] = find_paths(books.campaign, address)
    old, new = (value_in(each.source.data, path) for each in (before, books))
    first = old if isinstance(old, list) else []
    assert isinstance(new, list) and sorted(new) == sorted([*first, "J", "5", "J"])
    assert value_in(set_in(books, f"{address}-=J").source.data, path) != new
    back = set_in(books, f"{address}-=J,5", f"{address}-=J")
    assert value_in(back.source.data, path) == old
    with pytest.raises(InvalidInput):
        set_in(before, f"{address}+=knight")


def test_all_keys_of_a_new_item_count_before_it_is_checked() -> None:
    new = ["event.1.each=turn", "event.1.text=Fever", "event.1.change.forces.*.strength=-1"]
    [event] = set_in(books_of(), *new).campaign.event
    assert (event.text, dict(event.change)) == ("Fever", {"forces.*.strength": -1})
    with pytest.raises(InvalidInput, match="write one of each"):
        set_in(books_of(), "event.1.text=Fever", "event.1.once=true")


@pytest.mark.slow
@given(st.sets(st.sampled_from(["percy", "mortimer"]), min_size=1), st.booleans())
def test_items_are_added_to_a_list_and_removed_from_it(keys: set[str], by_name: bool) -> None:
    """Adding items and removing them again restores the list, also if the umpire writes names."""
    books = set_in(books_of(), "fixtures.kind=swiss", "fixtures.forces=percy,mortimer")
    books = set_in(books, "schedule.1.turn=9", "schedule.1.text=x", "schedule.1.known=york")
    names = ",".join(books.campaign.display_name(key) if by_name else key for key in sorted(keys))
    with pytest.raises(InvalidInput):
        set_in(books, f"fixtures.forces-={names}")  # a league needs at least two forces
    both = set_in(books, "schedule.1.known+=public")
    assert both.source.data["schedule"] == [{"turn": 9, "text": "x", "known": ["york", "public"]}]
    none = set_in(both, "schedule.1.known-=york,public")
    assert none.source.data["schedule"] == [{"turn": 9, "text": "x"}]
    with pytest.raises(InvalidInput, match="has no item"):
        set_in(none, "schedule.1.known-=york")


@pytest.mark.parametrize("address", ["rules", "pending.bridge.rules", "fixtures.rules"])
def test_a_rule_set_can_be_written_by_its_name(address: str) -> None:
    books = set_in(books_of(), "fixtures.kind=swiss", "fixtures.forces=percy,mortimer")
    books = set_in(books, "pending.wood.rules=strategy-war") if address == "rules" else books
    named = set_in(books, f"{address}=Warfare Tactics").source.data
    assert named == set_in(books, f"{address}=warfare-tactics").source.data
    assert set_in(books, "x_note.rules=As Written").source.data["x_note"] == {"rules": "As Written"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("forces.percy.strenght=3", 'forces.percy.strenght: unknown key; did you mean "strength"?'),
        ("forces.percy.rules=wargame", "unknown key; a battle has its rule set: cardbattle campaign edit "),
        ("forces.percey.strength=3", 'force "percey" is not in this campaign; did you mean "percy"?'),
        ("forces.percy.commander=vetern", 'forces.percy.commander: unknown commander "vetern"; did you'),
        ("forces.percy.location=Shrewsbry", 'place "Shrewsbry" is not in this campaign; did you mean'),
        ("forces.harry.strength=3", 'force "harry" is not in this campaign; did you mean "percy"?'),
        ("scorin.win=3", '"scorin" is not in this campaign; did you mean "scoring"?'),
        ("pending.brigde.note=x", 'no battle "brigde" is pending; did you mean "bridge"?'),
        ("assert.9.turn=1", "assert has 1 item, not 9; to add one: campaign set assert.2.KEY=VALUE"),
        ("forces.percy.strength=-3", "forces.percy.strength: expected a whole number from 0, got -3"),
        ("forces.percy.strength.x=3", "forces.percy.strength is 14, not a table; nothing is below it"),
        ("revision=3", "revision is written by cardbattle and cannot be edited"),
        ("forces.z*.strength=3", 'nothing matches "forces.z*.strength"; [forces] has percy, mortimer and'),
        ("turn=4", "turn is already 4"),
    ],
)
def test_an_error_says_what_to_write_instead(text: str, words: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        set_in(books_of(), text)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("forces.percy=3", "forces.percy is a table; set a value of it"),
        ("forces.percy", "write KEY=VALUE, such as forces.percy.strength=16"),
        ("forces..strength=3", "is not an address"),
        ("pending.bridge.id=x", "the id of a battle cannot be changed"),
        ("forces.percy.name+=3", "only a number can be added to"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        set_in(books_of(), text)


def test_the_word_faction_is_no_key_of_all_factions() -> None:
    with pytest.raises(UsageError, match="faction: write only the keys of what to remove, without this word"):
        value_edits.remove_things(books_of(), ["faction", "york"])


def test_what_is_still_named_is_not_removed() -> None:
    with pytest.raises(InvalidInput) as caught:
        value_edits.remove_things(books_of(), ["percy"])
    assert [str(error) for error in caught.value.errors] == [
        "assert.1.force still refers to forces.percy; change that first",
        "forces.percy fights in battle bridge; cancel or edit that first",
        "forces.percy fights in battle wood; cancel or edit that first",
    ]


COMPANIONS = """\
format = 1
name = "Companions"
revision = 0
seed = "x"
rules = "strategy-war"
[factions.york]
[forces]
percy = { faction = "york", strength = 4 }
scrope = { faction = "york", strength = 3 }
mowbray = { faction = "york", strength = 3 }
[locations]
hill = {}
mill = {}
[fixtures]
kind = "round-robin"
forces = ["percy", "scrope", "mowbray"]
[[road]]
between = ["hill", "mill"]
"""


@pytest.mark.parametrize(
    "addresses",
    [
        ["percy", "fixtures.forces.1"],
        ["fixtures.forces.1", "percy"],
        ["fixtures", "fixtures.forces.1", "percy"],
        ["york", "fixtures", "percy", "scrope", "mowbray"],
        ["hill", "road.1"],
        ["road", "hill", "mill"],
    ],
)
def test_things_that_name_each_other_are_removed_in_one_command(addresses: list[str]) -> None:
    books = books_of(COMPANIONS)
    removed = value_edits.remove_things(books, addresses)
    books.campaign.after(removed.entry.changes)  # the rest is a valid campaign
    with pytest.raises(InvalidInput, match=r"still refers to"):
        value_edits.remove_things(books, ["percy", "hill"])


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("faction=crown", Condition("faction", "=", "crown")),
        ("strength <= 5", Condition("strength", "<=", "5")),
        ("name!=The Old", Condition("name", "!=", "The Old")),
    ],
)
def test_a_condition_is_a_word_a_comparison_and_a_value(text: str, condition: Condition) -> None:
    assert read_condition(text) == condition


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("strength", "is not a condition"),
        ("strenght=3", 'forces.percy has no "strenght"; did you mean "strength"?'),
        ("strength<many", 'expected a whole number to compare with, got "many"'),
    ],
)
def test_a_wrong_condition_is_refused(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=re.escape(words)):
        set_in(books_of(), "forces.*.strength=1", where=text)


def test_nothing_that_meets_the_condition_is_an_error() -> None:
    with pytest.raises(InvalidInput, match="nothing meets the conditions"):
        set_in(books_of(), "forces.*.strength=1", where="strength>1000")


def test_a_list_gives_back_only_what_an_edit_put_in(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, HEADERS)
    for text in ("turn=4", "name=The Marches"):
        item = [value_edits.read_assignment(text)]
        umpire.record(value_edits.add_item(umpire.books, "assert", "", item))
    umpire.undo("1")
    asserts = tomllib.loads(umpire.file.read_text())["assert"]
    assert asserts[1:] == [{"name": "The Marches"}]
    umpire.redo()
    umpire.undo()


def test_history_shows_a_player_no_edit_of_hidden_things(tmp_path: Path) -> None:
    umpire = umpire_of(tmp_path, HEADERS)
    hidden = ("forces.percy.commander=elite", "visibility.strength=own", "x_plan=ambush", "attrition.rate=1")
    for text in hidden:
        umpire.do(value_edits.set_values(umpire.books, [value_edits.read_assignment(text)]))
    umpire.do(value_edits.set_values(umpire.books, [value_edits.read_assignment("york.points=1")]))
    for reader in (None, "lancaster"):
        visible = visible_to(umpire.books.campaign, umpire.seen, reader)
        told = [describe_entry(visible, entry) for entry in visible.entries]
        assert told == ["Set: House York: points 12 -> 1"]
        assert "elite" not in repr([entry.table() for entry in visible.entries])


def test_the_layouts_differ_but_the_edits_are_the_same() -> None:
    for text in (INLINE, DOTTED):
        books = set_in(books_of(text), "forces.percy.strength=7", "scoring.win=2")
        assert books.campaign.forces["percy"].strength == 7 and books.campaign.scoring.win == 2
    assert "[scoring]\nwin = 2\n" in set_in(books_of(EMPTY + "\n"), "scoring.win=2").source.text
    assert EMPTY_LEDGER.whole_entries == 0


@pytest.mark.parametrize("order", [1, -1])
def test_the_order_of_values_in_one_command_does_not_decide_whether_they_fit(order: int) -> None:
    texts = ["deadlines.confirm=2 days", "results.confirm=both"]
    books = set_in(books_of(), *texts[::order])
    assert books.campaign.deadlines is not None and books.campaign.deadlines.confirm == "2 days"
    with pytest.raises(InvalidInput, match="expected a whole number"):
        set_in(books_of(), *[*texts, "forces.percy.strength=many"][::order])


@pytest.mark.parametrize("order", [1, -1])
def test_one_command_makes_a_table_with_several_required_keys(order: int) -> None:
    texts = ["fixtures.kind=swiss", "fixtures.forces=percy, mortimer", "fixtures.rounds=2"]
    fixtures = set_in(books_of(), *texts[::order]).campaign.fixtures
    assert fixtures is not None
    assert (fixtures.kind, fixtures.forces, fixtures.rounds) == ("swiss", ["percy", "mortimer"], 2)
    with pytest.raises(InvalidInput, match='fixtures: key "kind" is missing'):
        set_in(books_of(), *texts[1:][::order])


LEAGUE = """
[fixtures]
kind = "round-robin"
forces = ["percy", "stafford"]
tie_breaks = ["points"]
"""


@pytest.mark.parametrize(
    ("setting", "error"),
    [
        ("fixtures.tie_breaks=points,scor", r"tie_breaks\.2: .*, got \"scor\"; did you mean \"score\"\?$"),
        ("fixtures.tie_breaks=scor", r"tie_breaks\.1: .*, got \"scor\"; did you mean \"score\"\?$"),
        ("fixtures.tie_breaks+=scor", r"tie_breaks\.2: .*, got \"scor\"; did you mean \"score\"\?$"),
        ("fixtures.forces=percy,staford", r"forces\.2: force \"staford\" is not .*\"stafford\"\?$"),
        ("fixtures.forces=percy", r"forces: a league needs at least two forces; name them all$"),
        ("pending.hill.sides=percy,staford", r"sides\.2: force \"staford\" is not .*\"stafford\"\?$"),
    ],
)
def test_a_wrong_item_of_a_list_is_named_with_the_nearest_valid_one(setting: str, error: str) -> None:
    books = parse_campaign("", "campaign.toml", (ALL_LAYOUTS["full"] + LEAGUE).encode())
    address, text = value_edits.read_assignment(setting)
    with pytest.raises(InvalidInput, match=error):
        value_edits.set_values(books, [value_edits.Assignment(address, text)])


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("Harry Percy.strength", "forces.percy.strength"),
        ("forces.Harry Percy.strength+", "forces.percy.strength+"),
        ("forces.percy.strength -", "forces.percy.strength-"),
        ("turn", "turn"),
        ("forces.*.strength", "forces.*.strength"),
        ("forces.nobody.strength+", "forces.nobody.strength+"),
        ("forces..strength", "forces..strength"),
    ],
)
def test_a_name_in_the_key_of_adjust_is_replaced_with_the_key(key: str, expected: str) -> None:
    assert key_to_adjust(books().campaign, key) == expected


def test_adjust_names_the_command_for_a_value_in_a_list() -> None:
    with pytest.raises(UsageError, match=r"write: cardbattle campaign set pending\.wood\.note=VALUE"):
        key_to_adjust(books().campaign, "pending.wood.note")
