"""Cheats of an umpire with sealed dice: each returns seals and a record that are consistent, and false.

Where a cheat changes how a battle begins, the battle is fought again with the right seed, so that moves,
result, checks and digest all fit what the record says. None means that the cheat does not apply to a case.
"""

from __future__ import annotations

import copy
import random
import re
import tomllib
from collections.abc import Callable, Mapping
from typing import Any

from cardbattle import rules
from cardbattle.battles.records.battle_file import canonical, read_battle
from cardbattle.battles.records.receipts import QuestionMoment, receipts_table
from cardbattle.battles.records.record import dumps_record, record_digest
from cardbattle.battles.records.resolved_battle import resolve_table
from cardbattle.battles.resolve import begin_session, fight_battle
from cardbattle.campaign.seals.seals import export_table, read_seals, seed_of_slot
from cardbattle.commanders import HUMAN
from cardbattle.core.chance import stream
from cardbattle.core.errors import InvalidInput
from cardbattle.files.toml import parse_toml
from tests.support.seal_variants import PACK, SETTINGS, STANDING, Case
from tests.support.sealed import promise_of

Table = dict[str, Any]
Pair = tuple[Table, Table]


class Trial:
    """One case in the hands of a cheat: the published seals, and the sealed battle."""

    def __init__(self, case: Case, seals: Table, chance: random.Random) -> None:
        self.case = case
        self.seals = copy.deepcopy(seals)
        self.record = copy.deepcopy(case.record)
        self.chance = chance
        self.folder = str(case.folder / "records")
        number = case.record["bound"]["seal"]["slot"]
        self.slot = self.seals["slot"][number - 1]
        self.battle: Table = {**export_table(self.slot["exported"]), "seed": case.record["seed"]}
        self.sides: Mapping[str, Table] = self.battle["sides"]
        self.key = chance.choice([*self.sides])
        self.side = self.sides[self.key]

    def fought(self, battle: Table, **changes: Any) -> Pair | None:
        """Return the record of a changed battle, fought with its seed; None if it is not one."""
        try:
            plan = read_battle(battle, self.folder)
            if self.resolved(battle) == self.resolved(self.battle) and "deal" not in battle and not changes:
                return None
            record = tomllib.loads(dumps_record(fight_battle(plan)[0]))
        except InvalidInput:
            return None
        record = right(record | changes)
        return (self.seals, record) if record != self.record else None

    def resolved(self, battle: Table) -> str:
        """Return a battle in canonical form with its lots cast, to see whether it is another one."""
        plan = read_battle(battle, self.folder)
        plan.rules.choose_random_house_rules(plan.setup, stream(str(battle["seed"]), "lot"))
        return canonical(resolve_table(battle, plan))

    def changed(self, change: Callable[[Table], object]) -> Pair | None:
        """Return the record of the battle after a change to its table."""
        battle = copy.deepcopy(self.battle)
        change(battle)
        return self.fought(battle)

    def edited(self, **changes: Any) -> Pair:
        """Return the record with other values in it, its digest made right."""
        return self.seals, right(self.record | changes)

    def edited_side(self, **changes: Any) -> Pair:
        """Return the record with other values in one side's table, its digest made right."""
        sides = {**self.record["sides"], self.key: {**self.record["sides"][self.key], **changes}}
        return self.edited(sides=sides)


def right(record: Table) -> Table:
    """Return a record with its digest made right."""
    return {**record, "digest": record_digest(record)}


def leaves_out_an_option(trial: Trial) -> Pair | None:
    """Leave a side option out of the record, and fight without it: `b.hand = 20`."""
    known = rules.find(trial.case.rules).options
    words = [word for word in trial.record["sides"][trial.key] if word in known]
    word = trial.chance.choice(words) if words else ""
    return trial.changed(lambda battle: battle["sides"][trial.key].pop(word)) if word else None


def changes_options(trial: Trial) -> Pair | None:
    """Give a side other options."""
    options = SETTINGS[trial.case.rules](trial.chance, [*trial.sides])[1]
    return trial.changed(lambda battle: battle["sides"][trial.key].update(options.get(trial.key, {})))


def changes_house_rules(trial: Trial) -> Pair | None:
    """Add or change house rules, among them who deals."""
    house = SETTINGS[trial.case.rules](trial.chance, [*trial.sides])[0]
    return trial.changed(lambda battle: battle.setdefault("house", {}).update(house))


def leaves_out_a_house_rule(trial: Trial) -> Pair | None:
    """Leave a house rule out."""
    house = trial.battle.get("house", {})
    word = trial.chance.choice([*house]) if house else ""
    return trial.changed(lambda battle: battle["house"].pop(word)) if word else None


def chooses_the_lot(trial: Trial) -> Pair | None:
    """Decide what the lot decides."""
    lots = [word for word in rules.find(trial.case.rules).lots if word not in trial.battle.get("house", {})]
    if not lots:
        return None
    others = [key for key in trial.sides if key != trial.record["house"][lots[0]]]
    return trial.changed(
        lambda battle: battle.setdefault("house", {}).update({lots[0]: trial.chance.choice(others)})
    )


def stacks_the_pack(trial: Trial) -> Pair | None:
    """Stack the whole pack, or stack it in another order than was sealed."""
    if trial.case.rules != "field-of-honour":
        return None
    pack = trial.chance.sample([*PACK, "RJ", "BJ"], 54)
    return trial.changed(lambda battle: battle.setdefault("house", {}).update(pack=pack))


def types_a_deal_in(trial: Trial) -> Pair | None:
    """Type cards in, and say so in the record: `fought = "mixed"`."""
    battle = with_deal(trial)
    return trial.fought(battle) if battle else None


def types_a_deal_in_and_hides_it(trial: Trial) -> Pair | None:
    """Type cards in, and record that the program dealt them."""
    battle = with_deal(trial)
    return trial.fought(battle, fought="engine") if battle else None


def with_deal(trial: Trial) -> Table | None:
    """Return the battle with two cards of the deal swapped and all typed in; None if nothing is dealt."""
    deal = copy.deepcopy(trial.record["deal"])
    piles = [pile for pile in (*deal.values(), *deal.get("decks", {}).values()) if isinstance(pile, list)]
    piles = [pile for pile in piles if pile]
    extras = {card for side in trial.record["sides"].values() for card in side.get("extra", [])}
    cards = [(pile, at) for pile in piles for at, card in enumerate(pile) if card not in extras]
    if any("pick" in side for side in trial.record["sides"].values()):  # a picked card is a move
        return None
    if len(cards) < 2 or (trial.case.rules == "warfare-tactics" and "decks" in deal):
        return None
    (one, at), (other, place) = trial.chance.sample(cards, 2)
    one[at], other[place] = other[place], one[at]
    if deal == trial.record["deal"]:
        return None
    return {**trial.battle, "deal": deal, "house": {**trial.battle.get("house", {}), **trial.record["house"]}}


def has_another_commander(trial: Trial) -> Pair | None:
    """Fight with another commander than was sealed."""
    other = "green" if trial.side["commander"] != "green" else "regular"
    return trial.changed(lambda battle: battle["sides"][trial.key].update(commander=other))


def has_other_standing_orders(trial: Trial) -> Pair | None:
    """Let a side follow other standing orders than were sealed, or none."""
    lines = [] if "standing" in trial.side else STANDING[trial.case.rules][:1]
    return trial.changed(lambda battle: battle["sides"][trial.key].update(standing=lines))


def reorders_standing_orders(trial: Trial) -> Pair | None:
    """Let a side follow its standing orders in another order."""
    lines = trial.side.get("standing", [])
    if len(lines) < 2 or trial.record["sides"][trial.key]["commander"] == HUMAN:
        return None
    return trial.changed(lambda battle: battle["sides"][trial.key].update(standing=lines[::-1]))


def sends_a_substitute(trial: Trial) -> Pair | None:
    """Send a substitute, who answers differently, for a side without a player."""
    if trial.record["sides"][trial.key]["commander"] == HUMAN:
        return None
    return trial.edited_side(substitutes=["1: green"])


def names_a_side_otherwise(trial: Trial) -> Pair | None:
    """Give a side another name."""
    return trial.changed(lambda battle: battle["sides"][trial.key].update(name="Somebody Else"))


def swaps_the_seats(trial: Trial) -> Pair | None:
    """Seat the sides in another order."""
    sides = {key: trial.sides[key] for key in reversed([*trial.sides])}
    return trial.fought({**trial.battle, "sides": sides}, rules=trial.case.rules)


def takes_the_seed_of_another_slot(trial: Trial) -> Pair | None:
    """Fight with the seed that another slot would have given."""
    other = trial.chance.choice([slot for slot in trial.seals["slot"] if slot is not trial.slot])
    published = read_seals(parse_toml("seals.toml", dumped(trial.seals)))
    slot = published.slots[trial.slot["number"]]
    return trial.fought({**trial.battle, "seed": seed_of_slot(slot, other["secret"])}, rules=trial.case.rules)


def names_another_slot(trial: Trial) -> Pair | None:
    """Name the slot of another battle in the record."""
    other = trial.chance.choice([slot["number"] for slot in trial.seals["slot"] if slot is not trial.slot])
    bound = copy.deepcopy(trial.record["bound"])
    bound["seal"]["slot"] = other
    return trial.edited(bound=bound)


def changes_a_strength(trial: Trial) -> Pair | None:
    """Bind the record to another strength."""
    bound = copy.deepcopy(trial.record["bound"])
    bound["forces"][trial.key]["strength"] += 1
    return trial.edited(bound=bound)


def has_another_id(trial: Trial) -> Pair | None:
    """Pass off the record as the record of another battle."""
    return trial.edited(id="another")


def changes_the_file(trial: Trial) -> Pair | None:
    """Let the record claim that the owner's file had another content."""
    if "files" not in trial.record:
        return None
    return trial.edited(files={"cards": promise_of("another file")})


def names_a_file_that_was_not_sealed(trial: Trial) -> Pair | None:
    """Use an owner's file that was not sealed."""
    if trial.case.rules != "warmonger":
        return None
    return trial.changed(lambda battle: battle.setdefault("house", {}).update(robots="box.toml"))


def changes_without_a_digest(trial: Trial) -> Pair | None:
    """Change the record by hand, and leave its digest."""
    winners = trial.record["seats"] if trial.record["winners"] != trial.record["seats"] else []
    return trial.seals, {**trial.record, "winners": winners}


def commits_later(trial: Trial) -> Pair | None:
    """Reveal another secret than was committed to; the seed follows from it."""
    trial.slot["secret"] = trial.chance.randbytes(32).hex()
    return refought(trial)


def adds_a_nonce_later(trial: Trial) -> Pair | None:
    """Add a nonce that was not promised. The seed follows from it."""
    trial.slot["nonces"] = {**trial.slot.get("nonces", {}), [*trial.sides][-1]: "chosen afterwards"}
    return refought(trial)


def changes_a_nonce(trial: Trial) -> Pair | None:
    """Reveal another nonce than was promised."""
    if not trial.slot.get("nonces"):
        return None
    trial.slot["nonces"] = {side: f"{nonce} or not" for side, nonce in trial.slot["nonces"].items()}
    return refought(trial)


def drops_a_nonce(trial: Trial) -> Pair | None:
    """Leave a promised nonce out."""
    if not trial.slot.get("nonces"):
        return None
    del trial.slot["nonces"]
    return refought(trial)


def splits_a_nonce(trial: Trial) -> Pair | None:
    """Promise a nonce with a bar in it, which counts as the nonces of two sides."""
    first, second = [*trial.sides][:2]
    trial.slot["nonces"] = {first: "one|two"}
    trial.seals.setdefault("promises", {})[trial.case.battle] = {first: promise_of("one|two")}
    return refought(trial) if second else None


def seals_another_battle(trial: Trial) -> Pair | None:
    """Reveal another battle, and leave the digest."""
    battle = {**trial.battle, "sides": copy.deepcopy(trial.sides)}
    del battle["seed"]
    battle["sides"][trial.key]["name"] = "Somebody Else"
    trial.slot["exported"] = canonical(battle)
    return refought(trial)


def spends_two_slots(trial: Trial) -> Pair | None:
    """Spend a second slot on the battle, to take the draw that pleases."""
    other = next(slot for slot in trial.seals["slot"] if slot is not trial.slot)
    for word in ("battle", "digest", "exported"):
        other[word] = trial.slot[word]
    return trial.seals, trial.record


def spends_slots_out_of_order(trial: Trial) -> Pair | None:
    """Pass over the slot before this one."""
    if trial.slot["number"] == 1:
        return None
    before = trial.seals["slot"][trial.slot["number"] - 2]
    trial.seals["slot"][trial.slot["number"] - 2] = {word: before[word] for word in ("number", "commitment")}
    return trial.seals, trial.record


def copies_a_slot(trial: Trial) -> Pair | None:
    """Commit to one secret twice."""
    other = next(slot for slot in trial.seals["slot"] if slot is not trial.slot)
    other["commitment"] = trial.slot["commitment"]
    return trial.seals, trial.record


def hides_the_digest_otherwise(trial: Trial) -> Pair | None:
    """Choose the word that hides the digest; digest and seed follow from it."""
    battle = copy.deepcopy(trial.battle)
    del battle["seed"]
    battle["bound"]["seal"]["blind"] = trial.chance.randbytes(32).hex()
    trial.slot["exported"] = canonical(battle)
    trial.slot["digest"] = promise_of(trial.slot["exported"])
    return refought(trial)


def refought(trial: Trial) -> Pair | None:
    """Return the record of the battle that the changed slot gives."""
    try:
        slot = read_seals(parse_toml("seals.toml", dumped(trial.seals))).slots[trial.slot["number"]]
        seed = seed_of_slot(slot, slot.secret)
    except InvalidInput:  # such seals are refused before a record is looked at
        return trial.seals, trial.record
    battle = export_table(slot.exported)
    return trial.fought({**battle, "seed": seed}, rules=trial.case.rules)


def forges_a_receipt(trial: Trial) -> Pair | None:
    """Record another receipt than the player got."""
    return with_lines(
        trial, lambda lines: [re.sub(".$", lambda end: "0" if end[0] != "0" else "1", lines[0]), *lines[1:]]
    )


def counts_a_receipt_otherwise(trial: Trial) -> Pair | None:
    """Let a receipt cover fewer moves than it did."""
    return with_lines(trial, lambda lines: [*lines[:-1], re.sub(r":\d+:", ":0:", lines[-1])])


def drops_the_last_receipt(trial: Trial) -> Pair | None:
    """Leave out the receipt over the whole battle."""
    return with_lines(trial, lambda lines: lines[:-1])


def drops_the_receipts_of_a_side(trial: Trial) -> Pair | None:
    """Leave out a player's receipts."""
    receipts = copy.deepcopy(trial.record.get("receipts"))
    if not receipts:
        return None
    receipts["sides"].popitem()
    return trial.edited(receipts=receipts)


def keeps_receipts_of_another_battle(trial: Trial) -> Pair | None:
    """Begin the battle again with other answers, and keep the receipts of the first one."""
    again = begun_again(trial)
    return (trial.seals, right({**again, "receipts": trial.record["receipts"]})) if again else None


def begins_again(trial: Trial) -> Pair | None:
    """Begin the battle again with other answers, and record receipts of its own."""
    again = begun_again(trial)
    if again is None:
        return None
    asked = {key: [QuestionMoment(1, 0)] for key in trial.record["receipts"]["sides"]}
    receipts = receipts_table(trial.record["receipts"]["salt"], again["id"], again["moves"], asked)
    return trial.seals, right({**again, "receipts": receipts})


def begun_again(trial: Trial) -> Table | None:
    """Return the record of a battle by message fought again with other answers; None for any other."""
    if "receipts" not in trial.record:
        return None
    battle = copy.deepcopy(trial.battle)
    for key in trial.record["receipts"]["sides"]:
        battle["sides"][key]["commander"] = HUMAN
    session = begin_session(read_battle(battle, trial.folder))
    while not session.is_over:
        seat = session.seats_to_answer[0]
        session.answer(seat, trial.chance.choice(session.decision(seat).texts))
    record = tomllib.loads(dumps_record(session.record()))
    return record if record["moves"] != trial.record["moves"] else None


def with_lines(trial: Trial, change: Callable[[list[str]], list[str]]) -> Pair | None:
    """Return the record with changed receipts of one side, or None if nothing changes."""
    receipts = copy.deepcopy(trial.record.get("receipts"))
    if not receipts:
        return None
    side = trial.chance.choice([*receipts["sides"]])
    lines = receipts["sides"][side]
    receipts["sides"][side] = change(lines)
    return trial.edited(receipts=receipts) if receipts["sides"][side] != lines else None


def dumped(seals: Mapping[str, object]) -> bytes:
    """Return published seals as a file."""
    import tomli_w

    return tomli_w.dumps(seals).encode()


CHEATS: list[Callable[[Trial], Pair | None]] = [
    leaves_out_an_option,
    changes_options,
    changes_house_rules,
    leaves_out_a_house_rule,
    chooses_the_lot,
    stacks_the_pack,
    types_a_deal_in,
    types_a_deal_in_and_hides_it,
    has_another_commander,
    has_other_standing_orders,
    reorders_standing_orders,
    sends_a_substitute,
    names_a_side_otherwise,
    swaps_the_seats,
    takes_the_seed_of_another_slot,
    names_another_slot,
    changes_a_strength,
    has_another_id,
    changes_the_file,
    names_a_file_that_was_not_sealed,
    changes_without_a_digest,
    commits_later,
    adds_a_nonce_later,
    changes_a_nonce,
    drops_a_nonce,
    splits_a_nonce,
    seals_another_battle,
    spends_two_slots,
    spends_slots_out_of_order,
    copies_a_slot,
    hides_the_digest_otherwise,
    forges_a_receipt,
    counts_a_receipt_otherwise,
    drops_the_last_receipt,
    drops_the_receipts_of_a_side,
    keeps_receipts_of_another_battle,
    begins_again,
]
