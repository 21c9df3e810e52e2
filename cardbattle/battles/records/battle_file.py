"""Read a battle file, or the same settings on the command line, and return the plan of one battle."""

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
from cardbattle.core.options import PRESET, Option, Switch, presets_of
from cardbattle.core.ruleset import RuleSet, Setup
from cardbattle.files import reader
from cardbattle.files.reader import TableReader, table_or_empty

FORMAT = 1
KEYS = ("format", "id", "rules", "seed", "house", "sides", "deal", "bound")
SIDE_KEYS = (
    "name", "plural", "commander", "orders", "then", "if_impossible", "standing", "if_engine_fails",
)  # fmt: skip
LISTS = ("orders", "standing")  # keys of a side whose values are lists of texts
PLURAL = Switch(None, "")
STOP, FORFEIT = "stop", "forfeit"  # values of `if_engine_fails` that are not commanders
RESIGN = "resign"  # the answer with which a side forfeits, in rule sets that have this answer


class SidePlan(NamedTuple):
    """One side of a battle plan.

    Attributes:
        plural: True if the side's name is plural, False if it is singular, or None if the program must guess.
        standing: the standing orders of the side, which answer questions before the commander is asked.
        passes: True if an order that is not possible is skipped, or False if such an order is an error.
        substitutes: the commanders that replaced a player or an engine, as strings "QUESTION: RANK".
        if_engine_fails: what happens if the side's engine fails. The value is STOP, FORFEIT, or the commander
            that takes over.

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
        """The name of the side, as an object that knows whether the name is singular or plural."""
        return Noun(self.name, self.plural)

    @property
    def substitute(self) -> str | None:
        """The commander that now replaces the player or the engine, or None if none does."""
        last = self.substitutes[-1].rpartition(": ")[2] if self.substitutes else commanders.HUMAN
        return None if last == commanders.HUMAN else last

    @property
    def acting(self) -> str:
        """The name of the current commander, which answers if no order and no standing order applies.

        A substitute comes first, then a last standing order such as `else veteran`.
        """
        if self.substitute is not None:
            return self.substitute
        usual = self.then if self.commander == commanders.ORDERS else self.commander
        return else_of(self.standing) or usual


class BattlePlan(NamedTuple):
    """The content of a battle file, which has been checked. The cards are not dealt yet.

    Attributes:
        seed: the seed, or None if no seed has been drawn yet.
        bound: the table that connects the battle to the forces of a campaign.

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
    """Check the content of a battle file, and return the plan of the battle.

    Relative file names in the table start from the folder `base`. Raises InvalidInput, which lists all
    errors, if the content is not valid.
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
    house = read_house(table.table("house"), chosen, keys)
    setup = Setup(keys, house, options, read_deal(table.table("deal"), chosen), base)
    seed = table.take("seed", reader.expect_seed, None)
    bound = read_bound(table.table("bound"))
    file_id = table.take("id", reader.expect_key, "")
    errors += contradictions(setup, chosen, errors)
    if errors:
        raise InvalidInput(errors)
    return BattlePlan(file_id or id_from_content(chosen, data), chosen, seed, setup, sides, bound)


def rule_set(value: object) -> RuleSet:
    """Return the rule set with this key. For an unknown key, raises ValueError with the most similar one."""
    try:
        return rules.find(reader.expect_text(value))
    except UsageError as error:
        raise ValueError(str(error)) from None


def read_sides(
    table: TableReader, chosen: RuleSet
) -> tuple[list[str], list[SidePlan], list[dict[str, object]]]:
    """Parse the sides in a battle file, and return three lists: their keys, their plans and their options."""
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
    """Parse the standing orders of a side. Errors are appended to `side.errors`."""
    lines = side.take("standing", reader.expect_texts, list[str]())
    try:
        read_standing(lines, chosen)
    except InvalidInput as refused:
        for error in refused.errors:
            at = (*side.at, "standing", *error.at)
            note(side.errors, TextDiagnostic(error.text, column_of(error), at))
    return lines


def what_if_impossible(value: object) -> bool:
    """Return True if impossible orders are skipped, and False if they are errors.

    `value` must be "then" or "refuse". Raises ValueError for any other value.
    """
    if value not in ("refuse", "then"):
        raise ValueError(f'expected "refuse" or "then", got {quoted(value)}')
    return value == "then"


def commander_word(value: object) -> str:
    """Return a commander's name. For an unknown name, raises ValueError with a similar one."""
    error = commanders.rank_error(value)
    if error:
        raise ValueError(error)
    return str(value)


def failure_word(value: object, chosen: RuleSet) -> str:
    """Return the value if it is allowed for the key `if_engine_fails`. Raises ValueError if it is not."""
    if value == FORFEIT and RESIGN not in chosen.forms:
        raise ValueError(f'{chosen.name} has no resignation; write "{STOP}" or a commander')
    if value in (STOP, FORFEIT):
        return str(value)
    word = then_word(value)
    if commanders.is_engine(word):
        raise ValueError(f'expected "{STOP}", "{FORFEIT}" or a commander of the program, got {quoted(value)}')
    return word


def then_word(value: object) -> str:
    """Return the value if it names a commander that can answer after the last order of a side.

    Raises ValueError, which suggests a similar name, if it does not.
    """
    error = commanders.rank_error(value, orders=False)
    if error:
        raise ValueError(error)
    return str(value)


@lru_cache(4096)
def default_name(key: str) -> str:
    """Return the default name of the side with this key.

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
    """Return the values of all options. An option that the table does not have gets its default value.

    Errors are appended to `table.errors`. `besides` has further keys that the table can have.
    """
    table.only([*known_values, *besides], label)
    values: dict[str, object] = {}
    for word, option in known_values.items():

        def read(value: object, option: Option = option) -> object:
            return option.read(value, seats)

        values[word] = table.take(word, read, option.default)
    return values


def read_house(table: TableReader, chosen: RuleSet, seats: list[str]) -> dict[str, object]:
    """Return the value of every house rule. Errors are appended to `table.errors`.

    If the file names a preset, house rules that the file does not set have their values from the preset.
    """
    values = read_options(table, chosen.house, "house rule", seats)
    preset = presets_of(chosen.house).get(str(values.get(PRESET)))
    if preset is not None:
        values[PRESET] = None
        for word, value in preset.house.items():
            if word not in table.data:
                values[word] = chosen.house[word].read(value, seats)
    return values


def read_deal(table: TableReader, chosen: RuleSet, within: str = "") -> dict[str, list[int]]:
    """Return the piles of cards that a battle file lists.

    The name of a pile in a nested table consists of all keys, joined with dots. `within` is the name of the
    outer table.
    """
    piles: dict[str, list[int]] = {}
    for word, value in table.data.items():
        pile = within + word
        if isinstance(value, dict):
            piles |= read_deal(table.table(word), chosen, f"{pile}.")
        else:
            piles[pile] = read_pile(table, word, pile, chosen)
    return piles


def read_pile(table: TableReader, word: str, pile: str, chosen: RuleSet) -> list[int]:
    """Return the cards of one pile, with the top card first. Errors are appended to `table.errors`."""
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
    """Return an error for each contradiction between values that are valid in themselves.

    `before` has the errors that were found before. Sides and tables with such errors are not checked, because
    `setup` has default values instead of their invalid values.
    """
    if any(len(error.at) < 2 or error.at[0] == "seats" for error in before if error.at[:1] != ("id",)):
        return []
    spoilt = {error.at[:2] for error in before}
    errors = unknown_piles(setup, chosen) or chosen.check(setup)
    return [error for error in errors if error.at[:2] not in spoilt]


def unknown_piles(setup: Setup, chosen: RuleSet) -> list[Diagnostic]:
    """Return an error for each pile in the file that the rule set does not have."""
    piles = chosen.piles(setup)
    has = f"the piles are {listed(piles)}" if piles else f"{chosen.name} deals no cards"
    return [
        Diagnostic(f"there is no such pile; {has}", at=("deal", *pile.split(".")))
        for pile in setup.deal
        if pile not in piles
    ]


def read_bound(table: TableReader) -> dict[str, object]:
    """Check and return the table that binds a battle to a campaign. Errors go to `table.errors`."""
    if not table.data:
        return {}
    table.only(("campaign", "battle", "forces", "seal"))
    table.need("campaign", reader.expect_text, "")
    table.need("battle", reader.expect_key, "")
    if "forces" not in table.data:
        table.wrong("forces are missing; list every force that fights the battle")
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
    """Check the table that assigns one of the sealed random draws of a campaign to a battle.

    Errors are appended to `table.errors`.
    """
    table.only(("slot", "sides", "blind", "files"))
    table.need("slot", reader.whole_between(1, reader.MOST_SEED), 0)
    table.need("sides", reader.expect_groups, list[list[str]]())
    table.take("blind", reader.expect_text, "")
    files = table.table("files")
    for word in files.data:
        files.take(word, reader.expect_text, "")


def id_from_content(chosen: RuleSet, data: Mapping[str, object]) -> str:
    """Return an id that is derived from the content of a battle.

    The id consists of a name for the rule set and 8 digits of a SHA-256 hash of the content.
    """
    content = {key: value for key, value in data.items() if key not in ("id", "format", "bound")}
    text = canonical(content | {"rules": chosen.key})
    return f"{id_stem(chosen)}-{sha256(text.encode('utf-8', 'replace')).hexdigest()[:8]}"


def id_stem(chosen: RuleSet) -> str:
    """Return the first part of a derived id, which comes before the hash."""
    return chosen.key[:31].rstrip("-_")


def canonical(value: object) -> str:
    """Return a value as canonical JSON, with sorted keys and without spaces."""
    return CANONICAL.encode(value)


CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def bare_battle(name: str, sides: list[str]) -> dict[str, object]:
    """Return the content of a battle file that has only a rule set and sides, as a TOML parser returns it.

    Each side is written KEY or KEY=COMMANDER. If `sides` is empty, the default sides of the rule set are
    used.

    Raises UsageError if a key is repeated or not valid, or if the rule set is unknown.
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


OF_COMMANDER = ("commander", "orders", "then", "if_impossible")  # removed for another commander


def without_else(side: Mapping[str, object]) -> dict[str, object]:
    """Return the table of a side, without a last line `else COMMANDER` in its standing orders."""
    lines = side.get("standing")
    if not isinstance(lines, list) or not lines or not isinstance(lines[-1], str) or not is_else(lines[-1]):
        return dict(side)
    return {**side, "standing": lines[:-1]}


def with_persons(data: dict[str, object], keys: Sequence[str], is_asked_all: bool) -> dict[str, object]:
    """Return the content of a battle file in which human players command the sides in `keys`.

    If `is_asked_all` is True, the standing orders of these sides are removed, so that the players answer
    every question. Raises UsageError if no side has one of these keys.
    """
    table = with_commanders(data, [f"{key}={commanders.HUMAN}" for key in keys])
    sides = dict(table_or_empty(table.get("sides")))
    for key in keys if is_asked_all else []:
        sides[key] = {word: value for word, value in table_or_empty(sides[key]).items() if word != "standing"}
    return table | {"sides": sides}


def with_commanders(data: dict[str, object], sides: list[str]) -> dict[str, object]:
    """Return the content of a battle file with the commanders that the options `--side` name.

    Each element of `sides` has the form KEY=COMMANDER.

    Raises UsageError if no side has this key, or if the commander is missing.
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
    """Return a text for an error message that shows how to write a setting for the option `--set`.

    `word` is the name that the user wrote. If it is a house rule or side option, the text shows how to set
    this one.
    """
    if chosen is not None and word in chosen.house:
        return f"house.{word}={value or 'VALUE'}"
    if chosen is not None and word in chosen.options:
        return f"SIDE.{word}={value or 'VALUE'}, with a side's key"
    return "SIDE.OPTION=VALUE or house.OPTION=VALUE"


def value_of_text(options: Mapping[str, Option], word: str, text: str) -> object:
    """Convert text on the command line or in a spreadsheet to the value that a battle file would have.

    Semicolons separate orders and standing orders.
    """
    if word in LISTS:
        return [line.strip() for line in text.split(";") if line.strip()]
    option = PLURAL if word == "plural" else options.get(word)
    return text if option is None else option.words(text)


def with_options(data: dict[str, object], settings: list[str]) -> dict[str, object]:
    """Return the content of a battle file with the settings of the options `--set`.

    Each setting has the form SIDE.OPTION=VALUE or house.OPTION=VALUE.

    The function does not check the values. Raises UsageError if a setting does not have one of these forms,
    or if the side or the rule set is unknown.
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
        read = value_of_text(chosen.house if owner == "house" else chosen.options, word, value)
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
