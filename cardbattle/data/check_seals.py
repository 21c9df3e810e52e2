"""Check the sealed dice of a cardbattle campaign. Needs only Python 3.11 and its standard library.

    python check_seals.py seals.toml RECORD.toml... [--before OLDER_SEALS.toml] [--receipt RECEIPT]

A slot is the sealed random draw for a battle. For each record, the script checks that the secret of its slot
matches the commitment, and the nonces their promises. Options, house rules, commanders and standing orders
must be those of the sealed battle. They determine the seed, and the seed the random house rules and the deal.
Receipts from messages must match the moves. With --before, the seals must contain everything in an older
copy, and with --receipt, a record must have a receipt from a message.
It does NOT check that the moves are legal, nor later random events or the result: use `cardbattle verify`.

Exit code: 0 everything matches, 1 something differs, 2 a file cannot be read, 3 something was not checked.
"""

import argparse
import hashlib
import hmac
import json
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROTOCOL = "cardbattle-seal-1"
UNREADABLE = (AttributeError, IndexError, KeyError, TypeError, ValueError, RecursionError)
Table = dict[str, Any]


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)


def seals_errors(seals: Table) -> Iterator[str]:
    """Yield errors if slots (sealed random draws) are not used in order, or if a battle has two of them."""
    slots = seals["slot"]
    if [slot["number"] for slot in slots] != [*range(1, len(slots) + 1)]:
        yield "its slots are not numbered from 1 without gaps"
    for number, slot in enumerate(slots[1:], 2):
        if "battle" in slot and "battle" not in slots[number - 2]:
            yield f"slot {number} was spent before slot {number - 1}"
    promises = [promise for sides in seals.get("promises", {}).values() for promise in sides.values()]
    battles = [slot["battle"] for slot in slots if "battle" in slot]
    commitments = [slot["commitment"] for slot in slots]
    for kind, values in (("battle", battles), ("commitment", commitments), ("promise", promises)):
        yield from (f"{kind} {value} has two slots" for value, count in Counter(values).items() if count > 1)


def lacks(old: Any, new: Any) -> bool:
    """Return True if any part of the value `old` is missing from the value `new` or different there."""
    if isinstance(old, list) and isinstance(new, list):
        old, new = dict(enumerate(old)), dict(enumerate(new))
    if isinstance(old, dict):
        if not isinstance(new, dict) or ("secret" in old and old.get("nonces") != new.get("nonces")):
            return True  # once the secret is revealed, no nonce can change
        return any(lacks(old[key], new.get(key)) for key in old)
    return canonical(old) != canonical(new)


def slot_errors(seals: Table, slot: Table, battle: Table) -> Iterator[str]:
    """Yield an error for each contradiction in a slot whose secret has been revealed."""
    number, terms = slot["number"], battle["bound"]["seal"]
    if sha(f"{PROTOCOL}|{seals['campaign']}|{number}|{slot['secret']}") != slot["commitment"]:
        yield "the secret does not match its commitment"
    promises, nonces = seals.get("promises", {}).get(slot["battle"], {}), slot.get("nonces", {})
    seats = [forces[0] for forces in terms["sides"]]
    if promises != {side: sha(nonce) for side, nonce in nonces.items()} or "|" in "".join(nonces.values()):
        yield "the nonces do not match their promises"
    named = battle["id"] == battle["bound"]["battle"] == slot["battle"] and terms["slot"] == number
    whole = canonical(battle) == slot["exported"] and sha(slot["exported"]) == slot["digest"]
    if not named or not whole or sorted(seats) != sorted(battle["sides"]):
        yield "the battle does not match its slot"
    if terms.get("blind", "") not in ("", mac(slot, f"{PROTOCOL}|blind|{slot['battle']}")):
        yield "the blinding value of the battle is not the one that the secret gives"


def mac(slot: Table, text: str) -> str:
    return hmac.new(bytes.fromhex(slot["secret"]), text.encode(), "sha256").hexdigest()


def seed_of_slot(slot: Table, seats: list[str]) -> str:
    nonces = [slot.get("nonces", {}).get(seat, "") for seat in seats]
    return mac(slot, "|".join([PROTOCOL, slot["battle"], slot["digest"].removeprefix("sha256:"), *nonces]))


class Stream:
    """The random numbers of a seed for one purpose. The generator is sfc32, and its key a SHA-256 hash."""

    def __init__(self, seed: str, purpose: str) -> None:
        key = hashlib.sha256(f"cardbattle/1|{seed}|{purpose}".encode()).digest()
        self.a, self.b, self.c = (int.from_bytes(key[at : at + 4], "little") for at in (0, 4, 8))
        self.counter = 1
        for _ in range(15):
            self.bits()

    def bits(self) -> int:
        """Return the next 32 bits."""
        drawn = (self.a + self.b + self.counter) % 2**32
        self.counter = (self.counter + 1) % 2**32
        self.a, self.b = self.b ^ self.b >> 9, (self.c + (self.c << 3)) % 2**32
        self.c = ((self.c << 21 | self.c >> 11) % 2**32 + drawn) % 2**32
        return drawn

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1 (Daniel Lemire, 2019)."""
        product = self.bits() * n
        while product % 2**32 < 2**32 % n:
            product = self.bits() * n
        return product >> 32

    def shuffle(self, cards: list[Any]) -> None:
        """Put the cards in random order, beginning at the end of the list (Fisher and Yates)."""
        for i in range(len(cards) - 1, 0, -1):
            j = self.below(i + 1)
            cards[i], cards[j] = cards[j], cards[i]


RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
SUITS = ["S♠♤", "H♥♡", "D♦♢", "C♣♧"]
PACK = range(8, 60)  # the 52 cards: 4 * rank + suit, plus 64 for each prime
JOKERS = {"RJ": 60, "BJ": 61} | {f"J{n}": n - 1 for n in range(1, 9)}


def rank(word: Any) -> int:
    """Return a rank as a number from 2 to 14."""
    word = str(word).strip().upper()
    return RANKS.index("10" if word == "T" else word) + 2


def card(word: Any) -> int:
    """Return the number of a playing card, which can be written in several ways, as KS, k♠, T♦ or 7H'."""
    word = str(word).strip().upper().replace("\ufe0f", "").replace("′", "'").replace("’", "'")
    face = word.rstrip("'")
    suits = [suit for suit, signs in enumerate(SUITS) if face[-1:] and face[-1:] in signs]
    code = JOKERS[face] if face in JOKERS else 4 * rank(face[:-1]) + suits[0]
    return code + 64 * (len(word) - len(face))


# The defaults of each rule set. Records leave out options of a side that have their default.
HOUSE: dict[str, Table] = {
    "field-of-honour": {},
    "strategy-war": {"rounds": 13, "mode": "open", "tiebreak": "shared", "auto_last": False},
    "warfare-tactics": {"decks": 1, "discard_score": "values", "target_retreats": True}
    | {"play_and_attack": False, "hold_when_ahead": False, "seven_is_free": False},
    "wargame": {"chips": 5, "traitors": True, "multi_switch": False},
    "warmonger": {"copies": 1, "cards": "ours", "robots": "ours", "jokers": "ours"},
}
SIDE: dict[str, Table] = {
    "field-of-honour": {"hand": 10, "extra": [], "pick": 0},
    "strategy-war": {"cards": RANKS},
    "warfare-tactics": {"hand": 7, "battlefield": [], "extra": []},
    "wargame": {"army": [*range(1, 14)], "traitors": [7, 8, 9]},
    "warmonger": {"extra": [], "warmongers": 1},
}
NO_OPTION = ["name", "commander", "standing", "substitutes", "score", "losses"]


def house_rules(battle: Table, stream: Stream, seats: list[str]) -> Table:
    """Return the house rules of a battle. A random one, such as the dealer, is drawn from the stream."""
    rules, house = battle["rules"], {**HOUSE.get(battle["rules"], {}), **battle.get("house", {})}
    lot = {"wargame": "first", "warmonger": "superpower", "strategy-war": ""}.get(rules, "dealer")
    if lot and rules in HOUSE and lot not in house:  # in Warmonger: the side after the dealer who was drawn
        house[lot] = seats[(stream.below(len(seats)) + (rules == "warmonger")) % len(seats)]
    if rules == "warmonger":
        house.setdefault("armistice", 1200 if house["copies"] == 2 else 600)
    if rules == "warfare-tactics":
        house.setdefault("turn_limit", 120 if house["decks"] == 1 else 240)
    if rules == "field-of-honour" and "pack" in house:
        house["pack"] = [card(word) for word in house["pack"]]  # the order matters
    return house


def side_options(rules: str, house: Table, sides: dict[str, Table]) -> dict[str, Table]:
    """Return the options of each side. Cards become sorted numbers, because their order does not matter."""
    options = {key: {**SIDE.get(rules, {}), **side} for key, side in sides.items()}
    options = {
        key: {word: side[word] for word in side if word not in NO_OPTION} for key, side in options.items()
    }
    read: Any = {"strategy-war": rank, "wargame": int}.get(rules, card)
    for side in options.values() if rules in SIDE else []:
        for word, value in side.items():
            side[word] = sorted(map(read, value)) if isinstance(value, list) else value
        if rules == "wargame":
            side.setdefault("chips", house["chips"])
        if "robot" in side:
            side["robot"] = str(side["robot"]).lower()
    extras = sum(len(side.get("extra", [])) for side in options.values())
    for side in options.values() if rules == "warmonger" else []:
        side.setdefault("cards", max(0, 60 * house["copies"] - extras) // len(options))
    return options


def deal_field(house: Table, sides: list[Table], record: Table, stream: Stream) -> Table:
    """Deal Field of Honour. First come extra and picked cards, then each side gets a card in turn."""
    seats, hands = record["seats"], [list(side["extra"]) for side in sides]
    pack = [one for one in house.get("pack") or [*PACK, 60, 61] if one not in hands[0] + hands[1]]
    if "pack" not in house:
        stream.shuffle(pack)
    first = 1 - seats.index(house["dealer"])
    for seat in (first, 1 - first):
        for move in [move for move in record["moves"] if move.startswith(f"{seats[seat]} pick ")]:
            hands[seat].append(card(move.split(" ")[2]))
            if "pack" in house:
                pack.remove(hands[seat][-1])
            elif (bottom := pack.pop()) != hands[seat][-1]:  # the bottom card replaces the picked card
                pack[pack.index(hands[seat][-1])] = bottom
    for turn in range(max(side["hand"] for side in sides)):
        for seat in (first, 1 - first):
            hands[seat] += [pack.pop(0)] if turn < sides[seat]["hand"] else []
    return {**dict(zip(seats, hands, strict=True)), "stack": pack}


def deal_warfare(house: Table, sides: list[Table], record: Table, stream: Stream) -> Table:
    """Deal Warfare Tactics from the end of the shuffled cards. The cards after the hands are the deck."""
    deal, decks, seats, own = {}, {}, record["seats"], house["decks"] == "constructed"
    for owners in ([0], [1]) if own else ([0, 1],):
        if own:  # two primes for the second deck, one more for the second copy of a card
            deck, primes = sides[owners[0]]["deck"], 128 * owners[0]
            cards = sorted(one + primes + 64 * (one in deck[:n]) for n, one in enumerate(deck))
        else:
            cards = [one + 64 * n for n in range(house["decks"]) for one in PACK]
        excluded = [one for seat in owners for word in ("extra", "battlefield") for one in sides[seat][word]]
        cards = [one for one in cards if one not in excluded]
        stream.shuffle(cards)
        for seat in owners:
            deal[seats[seat]] = sides[seat]["extra"] + [cards.pop() for _ in range(sides[seat]["hand"])]
        decks[seats[owners[0]] if own else "stack"] = cards[::-1]
    return {**deal, "decks": decks} if own else {**deal, **decks}


def deal_monger(house: Table, sides: list[Table], record: Table, stream: Stream) -> Table:
    """Deal Warmonger. Decks come from the end of the pack and are shuffled before the Warmonger cards."""
    named = dict(zip(record["seats"], sides, strict=True))
    pack = [one + 64 * n for n in range(house["copies"]) for one in (*range(8), *PACK)]
    free = [one for one in pack if not any(one in side["extra"] for side in sides)]
    stream.shuffle(free)
    deal: Table = {}
    for key, side in named.items():
        deal[key] = side["extra"] + [free.pop() for _ in range(side["cards"])]
        stream.shuffle(deal[key])
    deal["aside"] = free
    if house["cards"] == "none" or house["box"] is None:
        return deal
    left = [name.casefold() for name, count in house["box"] for _ in range(count * house["copies"])]
    stream.shuffle(left)
    players = {key: side["warmongers"] for key, side in named.items() if "robot" not in side}
    hands = {key: [left.pop() for _ in range(count)] for key, count in players.items()}
    return {**deal, **({"warmongers": hands} if hands else {})}


DEALS = {"field-of-honour": deal_field, "warfare-tactics": deal_warfare, "warmonger": deal_monger}
OUR_BOX = ["Conscription", "Raid", "Cease-fire", "Provocation", "Air Strike", "Supply Drop", "Forced March"]
OUR_BOX += ["Double Agent", "Field Promotion", "Reconnaissance", "Fighting Retreat", "Veto"]


def box_of(house: Table, record: Table, folder: Path) -> list[tuple[str, int]] | None:
    """Return pairs of a Warmonger card and its copies. Return None if the file is missing or changed."""
    if house["cards"] in ("ours", "none"):
        return [(name, 3) for name in OUR_BOX]  # three of each
    for path in (folder / house["cards"], folder.parent / house["cards"]):
        if path.is_file():
            cards = canonical(tomllib.loads(path.read_text("utf-8-sig")).get("card"))
            cards = json.loads(cards, object_hook=without_own)
            fits = sha(canonical(cards)) == record["files"]["cards"]
            return [(one["name"], one.get("copies", 1)) for one in cards] if fits else None
    return None


def without_own(table: Table) -> Table:
    """Return a table without the user's notes, which have the key `x` or a key that begins with `x_`."""
    return {key: value for key, value in table.items() if key != "x" and not key.startswith("x_")}


def read_deal(deal: Any, pile: str = "") -> Any:
    """Return the deal in a record. Playing cards become numbers, and names are in lower case."""
    if isinstance(deal, dict):
        return {key: read_deal(cards, pile or key) for key, cards in deal.items()}
    return [" ".join(word.split()).casefold() if pile == "warmongers" else card(word) for word in deal]


def check(seals: Table, record: Table, folder: Path = Path()) -> tuple[list[str], list[str]]:
    """Return the errors in a record, and remarks. `folder` is the folder of the record's file."""
    errors: list[str] = []
    remarks: list[str] = []
    try:
        errors += [*seals_errors(seals), *receipt_errors(record)]
        content = {word: record[word] for word in record if word not in ("digest", "schema", "events")}
        if record["digest"] != sha(canonical(content)):
            errors.append("the record was changed after it was written")
        number = record["bound"]["seal"]["slot"] if "seal" in record.get("bound", {}) else 0
        slot: Table = next((slot for slot in seals["slot"] if slot["number"] == number), {})
        if "secret" not in slot:
            return [f"slot {number} is not revealed" if slot else "it names no slot of these seals"], []
        battle = json.loads(slot["exported"])
        errors += [*slot_errors(seals, slot, battle), *differences(slot, battle, record, folder, remarks)]
    except UNREADABLE as error:
        errors.append(f"it cannot be read: {type(error).__name__}: {error}")
    return errors, remarks


def differences(slot: Table, battle: Table, record: Table, folder: Path, remarks: list[str]) -> Iterator[str]:
    """Yield the differences between a record and the sealed battle, or the deal that the seed determines."""
    terms, rules = battle["bound"]["seal"], battle["rules"]
    seats = [forces[0] for forces in terms["sides"]]
    seed = seed_of_slot(slot, seats)
    pairs = {word: (battle.get(word), record.get(word)) for word in ("id", "rules", "bound")}
    pairs |= {"seed": (seed, record["seed"]), "seats": (seats, record["seats"])}
    pairs |= {"files": (terms.get("files"), record.get("files")), "fought": ("engine", record["fought"])}
    houses = [house_rules(each, Stream(seed, "lot"), seats) for each in (battle, record)]
    old, new = houses
    pairs |= {f"house.{word}": (old.get(word), new.get(word)) for word in {**old, **new}}
    options = [side_options(rules, houses[n], each["sides"]) for n, each in enumerate((battle, record))]
    for key in {**battle["sides"], **record["sides"]}:
        old, new = battle["sides"].get(key, {}), record["sides"].get(key, {})
        is_person = new.get("commander") == "human"  # a person decides freely
        receipts = len(record.get("receipts", {"sides": {}})["sides"].get(key, []))
        remarks += [f"{key} was played by a person, with {receipts} receipts"] if is_person else []
        for word in NO_OPTION[: 1 if is_person else 4]:
            pairs[f"{key}.{word}"] = (old.get(word) or None, new.get(word) or None)
        old, new = (each.get(key, {}) for each in options)
        pairs |= {f"{key}.{word}": (old.get(word), new.get(word)) for word in {**old, **new}}
    if rules not in HOUSE:
        usual = [name for name, (old, new) in pairs.items() if new is None and old is not None]
        pairs = {name: values for name, values in pairs.items() if name not in usual}
        remarks.append(
            f"NOT checked: {', '.join(['random house rules', 'deal', *usual])}; the rules are unknown"
        )
    changed = [name for name, (old, new) in pairs.items() if canonical(old) != canonical(new)]
    yield from (f"{name} differs from the sealed battle" for name in changed)
    if changed or rules not in HOUSE:
        return
    deal, house, sides = read_deal(record["deal"]), houses[0], [options[0][key] for key in seats]
    house["box"] = box_of(house, record, folder) if rules == "warmonger" else None
    if rules == "warmonger" and house["box"] is None and deal.pop("warmongers", {}):
        remarks.append(f"NOT checked: the Warmonger cards; put {house['cards']} beside the record")
    follows = DEALS[rules](house, sides, record, Stream(seed, "deal")) if rules in DEALS else {}
    if canonical(deal) != canonical(follows):
        yield "the deal is not the one that the seed gives"


def receipt_errors(record: Table) -> Iterator[str]:
    """Yield an error for each receipt that does not match the moves. A receipt is a hash of earlier moves."""
    moves, receipts = record["moves"], record.get("receipts")
    if receipts is None:
        return
    links = [sha(f"cardbattle-receipt-1|{record['id']}|{receipts['salt']}")]
    for move in moves:
        links.append(sha(f"{links[-1]}|{move}"))
    if {*receipts["sides"]} != {key for key, side in record["sides"].items() if side["commander"] == "human"}:
        yield "the receipts do not belong to the sides with human players"
    for side, lines in receipts["sides"].items():
        own = [at for at, move in enumerate(moves) if move.startswith(f"{side} ")]
        place, made, latest = 0, 0, [*own, len(moves)]
        for line in lines:
            before, (place, made) = (place, made), [int(number) for number in line.split(":")[:2]]
            fits = before[0] < place <= len(latest) and before[1] <= made <= latest[place - 1]
            secret = [moves[at] for at in own[: place - 1] if at >= made]  # answers not revealed yet
            text = "|".join([links[made], side, str(place), *secret]) if fits else ""
            if not fits or line != f"{place}:{made}:{sha(text)[7:39]}":
                yield f"the receipt of {side} at question {place} does not match the moves"
        if (place, made) != (len(latest), len(moves)):
            yield f"the last receipt of {side} is missing"


def main(arguments: list[str]) -> int:
    """Check the files on the command line, print a line for each record, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("seals", type=read)
    parser.add_argument("record", type=read, nargs="+")
    parser.add_argument("--before", type=read, action="append", default=[], metavar="OLDER_SEALS.toml")
    parser.add_argument("--receipt", action="append", default=[], help="a receipt from one of your messages")
    options = parser.parse_intermixed_args(arguments)
    (path, seals), wrong, remarks = options.seals, list[str](), list[str]()
    if swapped := [name for name, table in [options.seals, *options.before] if "slot" not in table]:
        parser.error(f"{swapped[0]} has no seals; name the file of seals first, then the records")
    for name, record in options.record:
        errors, notes = check(seals, record, Path(name).parent)
        wrong, remarks = wrong + errors, remarks + notes
        print(f"{name}: {'; '.join(errors or ['as it was sealed', *notes])}")
    late = [f"{path}: {name} says otherwise" for name, old in options.before if lacks(old, seals)]
    known = "".join(str(record.get("receipts")) for _, record in options.record)
    late += [f"receipt {text}: it is in no record" for text in options.receipt if f":{text}'" not in known]
    print("\n".join(late), end="\n" if late else "")
    return 1 if wrong or late else 3 if any(remark.startswith("NOT") for remark in remarks) else 0


def read(name: str) -> tuple[str, Table]:
    try:
        return name, tomllib.loads(Path(name).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise argparse.ArgumentTypeError(f"{name} cannot be read: {error}") from None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
