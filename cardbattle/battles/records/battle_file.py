"""Turn a battle file, or the same settings from a command line, into a plan for one battle."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from cardbattle import commanders, rules
from cardbattle.commanders.standing import column_of, else_of, is_else, read_standing
from cardbattle.core.errors import MOST, Diagnostic, InvalidInput, TextDiagnostic, UsageError, note
from cardbattle.core.grammar import Noun
from cardbattle.core.names import key_error, key_from, listed, quoted
from cardbattle.core.options import Option
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.files import reader
from cardbattle.files.reader import TableReader, table_or_empty

FORMAT = 1
KEYS = ("format", "id", "rules", "seed", "house", "sides", "deal", "bound")
SIDE_KEYS = (
    "name", "plural", "commander", "orders", "then", "if_impossible", "standing", "if_engine_fails",
)  # fmt: skip
STOP, FORFEIT = "stop", "forfeit"  # what `if_engine_fails` can be, apart from a commander
RESIGN = "resign"  # the answer with which a side forfeits, in rule sets that have it


class SidePlan(NamedTuple):
    """One side of a battle plan.

    Attributes:
        plural: True if the name takes plural verbs; None to guess.
        standing: standing orders, which come before the commander.
        passes: True to skip an order that is not possible.
        substitutes: commanders who replaced a player or an engine, each as "PLACE: RANK".
        if_engine_fails: STOP, FORFEIT, or the commander who takes over from an engine.

    """

    name: str
    commander: str
    orders: list[str]
    then: str
    standing: list[str] = []
    passes: bool = False
    substitutes: list[str] = []
    plural: bool | None = None
    if_engine_fails: str = STOP

    @property
    def noun(self) -> Noun:
        """The side's name with its grammatical number."""
        return Noun(self.name, self.plural)

    @property
    def acting(self) -> str:
        """The current commander, who answers if no order and no standing order does."""
        if self.substitutes:
            return self.substitutes[-1].rpartition(": ")[2]
        usual = self.then if self.commander == commanders.ORDERS else self.commander
        return else_of(self.standing) or usual


class BattlePlan(NamedTuple):
    """A validated battle file, not yet dealt.

    Attributes:
        seed: None if it is not drawn yet.
        bound: the binding that a campaign wrote, which ties the result to its forces.

    """

    id: str
    rules: RuleSet
    seed: int | str | None
    setup: Setup
    sides: list[SidePlan]
    bound: dict[str, object]

    def __repr__(self) -> str:
        sides = ", ".join(
            f"{key} ({side.commander})" for key, side in zip(self.setup.seats, self.sides, strict=True)
        )
        return f"<BattlePlan {self.id} of {self.rules.name}: {sides}>"


def read_battle(data: Mapping[str, object], base: str = "") -> BattlePlan:
    """Return the plan in a battle file's table; InvalidInput lists all its errors.

    `base` is the folder for relative file names in the table.
    """
    errors: list[Diagnostic] = []
    table = TableReader(dict(data), (), errors)
    table.only(KEYS)
    if table.take("format", reader.expect_whole, FORMAT) != FORMAT:
        table.wrong("this program reads format 1", "format")
    chosen = table.need("rules", rule_set, None)
    if chosen is None:
        raise InvalidInput(errors)
    keys, sides, options = read_sides(table, chosen)
    house = read_options(table.table("house"), chosen.house, "house rule", keys)
    setup = Setup(keys, house, options, read_deal(table.table("deal"), chosen), base)
    seed = table.take("seed", reader.expect_seed, None)
    bound = read_bound(table.table("bound"))
    file_id = table.take("id", reader.expect_key, "")
    errors += contradictions(setup, chosen, errors)
    if errors:
        raise InvalidInput(errors)
    return BattlePlan(file_id or id_from_content(chosen, data), chosen, seed, setup, sides, bound)


def rule_set(value: object) -> RuleSet:
    """Return the rule set with this key. Raises ValueError with the nearest one."""
    try:
        return rules.find(reader.expect_text(value))
    except UsageError as error:
        raise ValueError(str(error)) from None


def read_sides(
    table: TableReader, chosen: RuleSet
) -> tuple[list[str], list[SidePlan], list[dict[str, object]]]:
    """Return the sides' keys, plans and options, in seat order."""
    sides = table.table("sides")
    keys = list(sides.data)
    if "sides" not in table.data:
        table.wrong(f"sides are missing; write a table for each, such as [sides.{chosen.default_sides[0]}]")
    elif not chosen.fewest <= len(keys) <= chosen.most:
        table.wrong(f"{chosen.name} is fought by {chosen.number_of_sides} sides, got {len(keys)}", "sides")
    plans, options = [], []
    for key in keys[: chosen.most]:
        error = key_error(key)
        if error:
            sides.wrong(error, key)
        side = sides.table(key)
        plans.append(read_side(side, key, chosen))
        options.append(read_options(side, chosen.options, "option", keys, SIDE_KEYS))
    return keys, plans, options


def read_side(side: TableReader, key: str, chosen: RuleSet) -> SidePlan:
    """Return one side's plan."""
    orders = side.take("orders", reader.expect_texts, list[str]())
    default = commanders.ORDERS if "orders" in side.data else commanders.DEFAULT
    commander = side.take("commander", commander_word, default)
    then = side.take("then", then_word, commanders.DEFAULT)
    passes = side.take("if_impossible", what_if_impossible, False)
    if commander != commanders.ORDERS:
        for word in ("orders", "then", "if_impossible"):
            if word in side.data:
                side.wrong(f'only commander = "orders" reads {word}; this side has "{commander}"', word)
    failure = side.take("if_engine_fails", lambda value: failure_word(value, chosen), STOP)
    if "if_engine_fails" in side.data and not commanders.is_engine(commander):
        side.wrong(f'only an engine reads if_engine_fails; this side has "{commander}"', "if_engine_fails")
    name = side.take("name", reader.expect_name, default_name(key))
    plural = side.take("plural", reader.expect_switch, None)
    standing = take_standing(side, chosen)
    return SidePlan(name, commander, orders, then, standing, passes, [], plural, failure)


def take_standing(side: TableReader, chosen: RuleSet) -> list[str]:
    """Return a side's standing orders; append errors to the table."""
    lines = side.take("standing", reader.expect_texts, list[str]())
    try:
        read_standing(lines, chosen)
    except InvalidInput as refused:
        for error in refused.errors:
            at = (*side.at, "standing", *error.at)
            note(side.errors, TextDiagnostic(error.text, column_of(error), at))
    return lines


def what_if_impossible(value: object) -> bool:
    """Return True if impossible orders are skipped; raise ValueError for an unknown word."""
    if value not in ("refuse", "then"):
        raise ValueError(f'expected "refuse" or "then", got {quoted(value)}')
    return value == "then"


def commander_word(value: object) -> str:
    """Return the value if it is the name of a commander. Raises ValueError with the nearest one."""
    error = commanders.rank_error(value)
    if error:
        raise ValueError(error)
    return str(value)


def failure_word(value: object, chosen: RuleSet) -> str:
    """Return the value if it says what happens when an engine fails. Raises ValueError."""
    if value == FORFEIT and RESIGN not in chosen.forms:
        raise ValueError(f'{chosen.name} has no resignation; write "{STOP}" or a commander')
    if value in (STOP, FORFEIT):
        return str(value)
    word = then_word(value)
    if commanders.is_engine(word):
        raise ValueError(f'expected "{STOP}", "{FORFEIT}" or a commander of the program, got {quoted(value)}')
    return word


def then_word(value: object) -> str:
    """Return the value if it names a commander who can follow after orders.

    Raises ValueError with the nearest one.
    """
    error = commanders.rank_error(value, orders=False)
    if error:
        raise ValueError(error)
    return str(value)


@lru_cache(4096)
def default_name(key: str) -> str:
    """Return the default name of a side.

    >>> default_name("harry-percy"), default_name("edward-of-march")
    ('Harry Percy', 'Edward of March')
    """
    parts = [word for word in key.replace("_", "-").split("-") if word]
    small = [place > 0 and word in SMALL_WORDS for place, word in enumerate(parts)]
    return " ".join(
        word if is_small else word.capitalize() for word, is_small in zip(parts, small, strict=True)
    )


SMALL_WORDS = frozenset((
    "a", "an", "and", "at", "by", "da", "de", "del", "den", "der", "di", "du", "for", "from", "in", "la",
    "le", "of", "on", "or", "over", "the", "to", "under", "upon", "van", "von", "with",
))  # fmt: skip


def read_options(
    table: TableReader,
    known_values: Mapping[str, Option],
    label: str,
    seats: list[str],
    besides: tuple[str, ...] = (),
) -> dict[str, object]:
    """Return every option with its value or default; append errors to the table."""
    table.only([*known_values, *besides], label)
    values: dict[str, object] = {}
    for word, option in known_values.items():

        def read(value: object, option: Option = option) -> object:
            return option.read(value, seats)

        values[word] = table.take(word, read, option.default)
    return values


def read_deal(table: TableReader, chosen: RuleSet, within: str = "") -> dict[str, list[int]]:
    """Return the typed-in piles; nested tables become names with dots."""
    piles: dict[str, list[int]] = {}
    for word, value in table.data.items():
        pile = within + word
        if isinstance(value, dict):
            piles |= read_deal(table.table(word), chosen, f"{pile}.")
        else:
            piles[pile] = read_pile(table, word, pile, chosen)
    return piles


def read_pile(table: TableReader, word: str, pile: str, chosen: RuleSet) -> list[int]:
    """Return the cards of one pile, top first; append errors to the table."""
    value = table.data[word]
    if not isinstance(value, list):
        table.wrong('expected a list of cards, such as ["KS", "10H"]', word)
        return []
    results = []
    for place, item in enumerate(value):
        if len(table.errors) > MOST:
            break
        try:
            results.append(chosen.read_card(item, pile))
        except ValueError as error:
            table.wrong(str(error), word, place)
    return results


def contradictions(setup: Setup, chosen: RuleSet, before: list[Diagnostic]) -> list[Diagnostic]:
    """Return contradictions between valid fields.

    Invalid values count as their defaults here, so sides and tables with an invalid value are not checked.
    """
    if any(len(error.at) < 2 or error.at[0] == "seats" for error in before if error.at[:1] != ("id",)):
        return []
    spoilt = {error.at[:2] for error in before}
    errors = unknown_piles(setup, chosen) or chosen.check(setup)
    return [error for error in errors if error.at[:2] not in spoilt]


def unknown_piles(setup: Setup, chosen: RuleSet) -> list[Diagnostic]:
    """Return an error for each pile of the deal that the rule set does not have."""
    piles = chosen.piles(setup)
    has = f"the piles are {listed(piles)}" if piles else f"{chosen.name} deals no cards"
    return [
        Diagnostic(f"there is no such pile; {has}", at=("deal", *pile.split(".")))
        for pile in setup.deal
        if pile not in piles
    ]


def read_bound(table: TableReader) -> dict[str, object]:
    """Return the binding that a campaign wrote."""
    if not table.data:
        return {}
    table.only(("campaign", "battle", "forces", "seal"))
    table.need("campaign", reader.expect_text, "")
    table.need("battle", reader.expect_key, "")
    if "forces" not in table.data:
        table.wrong("forces are missing; a campaign binds a battle to all that fight it")
    forces = table.table("forces")
    for key in forces.data:
        force = forces.table(key)
        force.only(("strength", "digest"))
        force.need("strength", reader.expect_whole, 0)
        force.need("digest", reader.expect_text, "")
    if "seal" in table.data:
        read_terms(table.table("seal"))
    return table.data


def read_terms(table: TableReader) -> None:
    """Add the errors of the sealed-dice slot to which a campaign bound the battle."""
    table.only(("slot", "sides", "blind", "files"))
    table.need("slot", reader.whole_between(1, reader.MOST_SEED), 0)
    table.need("sides", reader.expect_groups, list[list[str]]())
    table.take("blind", reader.expect_text, "")
    files = table.table("files")
    for word in files.data:
        files.take(word, reader.expect_text, "")


def id_from_content(chosen: RuleSet, data: Mapping[str, object]) -> str:
    """Derive an id from the content of a battle without one: 8 digits of its SHA-256."""
    content = {key: value for key, value in data.items() if key not in ("id", "format", "bound")}
    text = canonical(content | {"rules": chosen.key})
    return f"{id_stem(chosen)}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def id_stem(chosen: RuleSet) -> str:
    """Return the beginning of a derived id; a hash follows."""
    return chosen.key[:31].rstrip("-_")


def canonical(value: object) -> str:
    """Return a value as canonical JSON: keys sorted, no spaces."""
    return CANONICAL.encode(value)


CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def bare_battle(name: str, sides: list[str]) -> dict[str, object]:
    """Return the battle file's table for a rule set; sides are KEY or KEY=COMMANDER.

    If no side is named, the default sides are used; named sides replace them, in order.

    Raises UsageError for a repeated or invalid key, or an unknown rule set.
    """
    chosen = rules.find(name)
    named = sides or list(chosen.default_sides)
    table: dict[str, object] = {}
    for side in named:
        key, _, commander = side.partition("=")
        if key in table:
            raise UsageError(f"--side {side}: {key} is named twice")
        if key_error(key):
            hint = "" if key_error(key_from(key)) else f', such as "{key_from(key)}"'
            raise UsageError(f"--side: {key_error(key)}{hint}")
        table[key] = {"commander": commander} if commander else {}
    return {"rules": chosen.key, "sides": table}


OF_COMMANDER = ("commander", "orders", "then", "if_impossible")  # removed when a side gets another commander


def without_else(side: Mapping[str, object]) -> dict[str, object]:
    """Return a side's table without the last line `else COMMANDER` of its standing orders."""
    lines = side.get("standing")
    if not isinstance(lines, list) or not lines or not isinstance(lines[-1], str) or not is_else(lines[-1]):
        return dict(side)
    return {**side, "standing": lines[:-1]}


def with_persons(data: dict[str, object], keys: Sequence[str], is_asked_all: bool) -> dict[str, object]:
    """Return a battle file's table with human players for these sides.

    With `is_asked_all`, the sides lose their standing orders, so that the players answer every question.
    Raises UsageError for an unknown side.
    """
    table = with_commanders(data, [f"{key}={commanders.HUMAN}" for key in keys])
    sides = dict(table_or_empty(table.get("sides")))
    for key in keys if is_asked_all else []:
        sides[key] = {word: value for word, value in table_or_empty(sides[key]).items() if word != "standing"}
    return table | {"sides": sides}


def with_commanders(data: dict[str, object], sides: list[str]) -> dict[str, object]:
    """Return a battle file's table with the commanders of `--side KEY=COMMANDER`.

    Raises UsageError for an unknown side or a missing commander.
    """
    table = data.get("sides")
    side_tables = dict(table) if isinstance(table, dict) else {}
    for side in sides:
        key, equals, commander = side.partition("=")
        if key not in side_tables or not equals:
            raise UsageError(f"--side {side}: write SIDE=COMMANDER, with side {listed(side_tables, 'or')}")
        plain = {word: value for word, value in side_tables[key].items() if word not in OF_COMMANDER}
        side_tables[key] = without_else(plain) | {"commander": commander}
    return data | {"sides": side_tables}


def setting_form(chosen: RuleSet | None, word: str, value: str) -> str:
    """Return the form of a setting; for an option without an owner, the owner it belongs to."""
    if chosen is not None and word in chosen.house:
        return f"house.{word}={value or 'VALUE'}"
    if chosen is not None and word in chosen.options:
        return f"SIDE.{word}={value or 'VALUE'}, with a side's key"
    return "SIDE.OPTION=VALUE or house.OPTION=VALUE"


def with_options(data: dict[str, object], settings: list[str]) -> dict[str, object]:
    """Return a battle file's table with the options of `--set SIDE.OPTION=VALUE`; values are not validated.

    Raises UsageError for a wrong form, an unknown side or an unknown rule set.
    """
    wanted = data.get("rules")
    chosen = rules.find(wanted) if isinstance(wanted, str) else None
    changed = {
        **data,
        "house": dict(table_or_empty(data.get("house"))),
        "sides": dict(table_or_empty(data.get("sides"))),
    }
    for setting in settings:
        path, equals, value = setting.partition("=")
        owner, dot, word = path.partition(".")
        if not equals or not dot or chosen is None:
            raise UsageError(f"--set {setting}: write {setting_form(chosen, owner, value)}")
        options = chosen.house if owner == "house" else chosen.options
        read = options[word].words(value) if word in options else value
        if owner == "house":
            changed["house"] = table_or_empty(changed["house"]) | {word: read}
        elif owner in table_or_empty(changed["sides"]):
            sides = table_or_empty(changed["sides"])
            changed["sides"] = sides | {owner: table_or_empty(sides[owner]) | {word: read}}
        else:
            raise UsageError(
                f"--set {setting}: there is no side {owner}; the sides are "
                f"{listed(table_or_empty(changed['sides']))}"
            )
    return changed
