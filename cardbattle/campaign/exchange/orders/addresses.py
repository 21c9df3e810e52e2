"""Read the addresses above orders, such as `the-marches/york@4:`, and find their errors."""

from __future__ import annotations

import re
import shlex

from cardbattle.battles.messages.answer_text import ADDRESS, BARE_ADDRESS, ENDING, MARKUP, place_of
from cardbattle.battles.messages.pasted_text import sender_address
from cardbattle.campaign.exchange.battle_answers import battle_of_force, fought_by
from cardbattle.campaign.exchange.orders.names import find_named, is_ambiguous
from cardbattle.campaign.exchange.orders.parser import OrderParser
from cardbattle.campaign.exchange.orders.words import RETREATING
from cardbattle.campaign.ledger.roster import is_alike_without_article, is_part
from cardbattle.campaign.state.model import Campaign
from cardbattle.campaign.state.tables.aftermath import CHOOSE
from cardbattle.core.names import key_error, key_from, nearest, quoted

NAMED_ADDRESS = re.compile(
    r"(?:[a-z0-9][\w-]*\s?/\s?)?(?P<name>\w[\w' -]{0,60}?)\s?@\s?\d+\s?(?::|[^\w@]*$)", re.IGNORECASE
)  # an address in which a faction can have its name
LOOSE_ADDRESS = re.compile(
    r"\W*(?P<name>\w[\w' -]{0,60}?)\W{1,3}(?:@\s?)?(?:turn\s*)?#?(?P<place>\d{1,9})\W*", re.IGNORECASE
)  # a whole line such as `The Abbey, 2:`
LAST_ADDRESS = re.compile(r"(?P<words>[\w'/ -]{1,80}?)\s?@\s?(?P<place>\d{1,9})[^\w@]*$")
SENTENCE_ENDS = (".", "!", "?", ")", ",", ":", "-", "\u2013", "\u2014")
LONGEST_NAME = 8  # words of the name of a faction in an address behind a sentence
LONGEST = 300  # characters of an order without a colon
BACK = re.compile(r"\bback\s+to\b", re.IGNORECASE)
NOT_ASKED = "a beaten force with one way out takes it without an order"


def address_word(campaign: Campaign) -> str:
    """Return the campaign's word in messages, which comes before the slash of an address."""
    key = key_from(campaign.name)
    return "campaign" if key_error(key) else key


def address_of(campaign: Campaign, faction: str) -> str:
    """Return the address of a faction's orders for this turn, such as `the-marches/york@4`."""
    return f"{address_word(campaign)}/{faction}@{campaign.turn}"


def faction_of_sender(campaign: Campaign, text: str) -> str:
    """Return the only faction with the mail address of the sender of a mail, or ""."""
    address = sender_address(text)
    factions = [key for key, faction in campaign.factions.items() if address in map(str.lower, faction.mail)]
    return factions[0] if len(factions) == 1 else ""


def sender_error(campaign: Campaign, faction: str, address: str) -> str:
    """Return the error for lines of a faction in a mail from this address, or "".

    They count if the faction has no mail addresses, or this one, or if the text has no header.
    """
    known = {each.lower() for each in campaign.factions[faction].mail}
    if not (address and known) or address in known:
        return ""
    name = campaign.faction_name(faction)
    return (
        f"{address} is not a mail address of {name}; to take the lines of {faction}, add --for {faction}, or "
        f"write: {command_for_sender(faction, address)}"
    )


def command_for_sender(faction: str, address: str) -> str:
    """Return the umpire's command that gives a faction's player a mail address."""
    return f"cardbattle campaign set factions.{faction}.mail+={shlex.quote(address)}"


def address_error(parser: OrderParser, address: re.Match[str]) -> str:
    """Return the error in the address above orders, or "" if the address is right."""
    campaign, faction = parser.campaign, address["side"].lower()
    battle = (address["battle"] or "").lower()
    word = address_word(campaign)
    if battle not in ("", word):
        return f"the address is for {quoted(battle)}; addresses of this campaign begin with {word}"
    if faction not in campaign.factions:
        hint = nearest(faction, campaign.factions) or f"; write one of {', '.join(campaign.factions)}"
        return f"faction {quoted(faction)} is not in this campaign{hint}"
    if parser.faction not in ("", faction) and parser.is_known_by_mail:
        return (
            f"these are orders of {faction}, but the mail address of the sender is that of {parser.faction}; "
            f"if they count, name the sender with --for {faction}"
        )
    if parser.faction not in ("", faction):
        return f"these are orders of {faction}, not of {parser.faction}; leave out --for, or this text"
    return turn_error(parser, faction, place_of(address))


def battle_of_address(parser: OrderParser, address: re.Match[str]) -> str:
    """Return the battle that an address means because it names a force, "ID" if it is unknown, or ""."""
    campaign, side = parser.campaign, address["side"].lower()
    if side in campaign.factions or (address["battle"] or "").lower() not in ("", address_word(campaign)):
        return ""
    fought = next((each.id for each in campaign.pending if side in each.keys), "")
    fought = fought or battle_of_force(campaign, parser.forces(parser.faction), side)
    return fought or ("ID" if side in campaign.forces else "")


UNDO_MOVEMENT = "cardbattle campaign undo --phase movement"


def turn_error(parser: OrderParser, faction: str, turn: int) -> str:
    """Return an error if the orders are for another turn, or "" if they are not.

    After the movement of a turn, only orders for the next turn are accepted. The orders of this turn were
    carried out, so a message that is read a second time must not become an order of the next turn.
    """
    now = parser.campaign.turn
    has_retreat = any(parser.campaign.forces[force].faction == faction for force in parser.retreats)
    if parser.has_moved and turn == now:
        if has_retreat:
            return ""
        return over_error(faction, now)
    if turn == now + parser.has_moved:
        return ""
    why = f"turn {turn} has been played" if turn < now else f"these are orders for turn {turn}"
    if parser.has_moved:
        retreat = f", and for retreats {faction}@{now}" if has_retreat else ""
        return f"{why}; the address for orders is now {faction}@{now + 1}{retreat}"
    return f"{why}; the address for this turn is {faction}@{now}"


def is_over(parser: OrderParser, turn: int) -> bool:
    """Return True if the forces have moved in a turn, so that its orders are too late."""
    return turn < parser.campaign.turn + parser.has_moved


def undo_hint(parser: OrderParser, turn: int) -> str:
    """Return the umpire's command that lets orders of this turn count after its movement, or "".

    Only the last movement can be undone.
    """
    is_last = turn == parser.campaign.turn - (not parser.has_moved)
    return f"; to let it count in turn {turn}, write first: {UNDO_MOVEMENT}" if is_last else ""


def over_error(faction: str, turn: int) -> str:
    """Return the error for orders of this turn after its movement. It names the address that counts now."""
    return f"the forces of turn {turn} have moved; for orders of turn {turn + 1}, write {faction}@{turn + 1}"


def reply_error(parser: OrderParser, faction: str, turn: int) -> str:
    """Return the error for orders in a reply to a message of a turn that is over.

    The same orders below an address of this turn have this error, except beside an open retreat.
    """
    return turn_error(parser, faction, turn) or over_error(faction, turn)


def with_faction_key(campaign: Campaign, text: str) -> str:
    """Return a line with the key of the faction where its address has the faction's name.

    Raises ValueError if the name can mean several factions. A line without such an address is returned
    unchanged.
    """
    address = NAMED_ADDRESS.match(text)
    if address is None or address["name"].lower() in campaign.factions:
        return text
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    try:
        key = find_named(names, address["name"], "faction")
    except ValueError as error:
        if is_ambiguous(error):
            raise
        return text
    return f"{text[: address.start('name')]}{key}{text[address.end('name') :]}"


def last_address(campaign: Campaign, text: str) -> re.Match[str] | None:
    """Return the address of a faction behind a sentence, such as `Sorry! york@3:`, or None."""
    *_, last = [None, *ADDRESS.finditer(text[:LONGEST])]
    if last is None or last["side"].lower() not in campaign.factions:
        return None
    is_at_end = not text[last.end() :].strip(MARKUP + ENDING)
    return last if is_at_end or text[: last.start()].rstrip().endswith(SENTENCE_ENDS) else None


def loose_address(campaign: Campaign, text: str) -> str:
    """Return the address that a player has written in another form, or "" for other text.

    Forms are a whole line such as `The Abbey, 2:`, and the end of a sentence such as `Orders for york@3`. The
    name of a force or of the campaign does not begin an address.
    """
    if len(text) > LONGEST or ADDRESS.match(text):
        return ""
    whole = LOOSE_ADDRESS.fullmatch(text)
    faction = whole_faction_name(campaign, whole["name"]) if whole else ""
    if whole and not faction and re.search(r"\bturn\b", text, re.IGNORECASE):
        faction = part_of_faction_name(campaign, whole["name"])
    if whole and faction:
        return f"{faction}@{whole['place']}:"
    last = LAST_ADDRESS.search(text)
    words = last["words"].split() if last else []
    for count in range(min(len(words), LONGEST_NAME), 0, -1):
        word, slash, name = " ".join(words[-count:]).rpartition("/")
        faction = whole_faction_name(campaign, name)
        if last and faction and (not slash or word.strip().lower() == address_word(campaign)):
            return f"{faction}@{last['place']}:"
    return ""


def whole_faction_name(campaign: Campaign, name: str) -> str:
    """Return the faction with this key or whole name, or "" if a force or the campaign has the name too."""
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    others = [campaign.name, *campaign.forces, *(str(campaign.display_name(key)) for key in campaign.forces)]
    if any(is_alike_without_article(other, name) for other in others):
        return ""
    matches = [key for key in names if name.lower() == key or is_alike_without_article(names[key], name)]
    return matches[0] if len(matches) == 1 else ""


def part_of_faction_name(campaign: Campaign, words: str) -> str:
    """Return the only faction with these words in its name, or "" if a force or a place can be meant too."""
    names = {key: str(campaign.faction_name(key)) for key in campaign.factions}
    others = [*campaign.forces, *(str(campaign.display_name(key)) for key in campaign.forces)]
    if any(is_alike_without_article(other, words) for other in others):
        return ""
    matches = [key for key, name in names.items() if is_part(words, key, name)]
    return matches[0] if len(matches) == 1 else ""


def bare_address(campaign: Campaign, text: str) -> re.Match[str] | None:
    """Return the address at the beginning of a line that lacks its colon, or None for other text."""
    address = BARE_ADDRESS.match(text)
    is_whole = address is not None and not text[address.end() :].strip(MARKUP + ENDING)
    is_ours = address is not None and address["side"].lower() in campaign.factions
    return address if is_whole or is_ours else None


def battle_answered(parser: OrderParser, faction: str, text: str) -> str:
    """Return the battle of a line such as `Pan Guard@1: KH` with the name of an own force, or ""."""
    address = NAMED_ADDRESS.match(text)
    return battle_of_force(parser.campaign, parser.forces(faction), address["name"]) if address else ""


def can_answer_battle(parser: OrderParser, address: re.Match[str]) -> bool:
    """Return True if the number of an address can mean an earlier turn, or a battle's question."""
    faction = address["side"].lower()
    is_past = parser.faction in ("", faction) and place_of(address) < parser.campaign.turn
    return is_past and bool(fought_by(parser.campaign, faction))


def is_past_turn(parser: OrderParser, address: re.Match[str]) -> bool:
    """Return True if an address of this turn comes after its movement, for a faction of the campaign.

    Reports of results have such an address, and their lines are skipped.
    """
    faction = address["side"].lower()
    is_now = parser.has_moved and place_of(address) == parser.campaign.turn
    return is_now and faction in parser.campaign.factions and parser.faction in ("", faction)


def retreat_note(parser: OrderParser, text: str) -> str:
    """Return what to add to the error of a late address if a retreat follows it, or "".

    A player is not asked about a force that has only one way out.
    """
    aftermath = parser.campaign.aftermath
    has_choice = aftermath is not None and aftermath.retreat == CHOOSE and parser.has_moved
    return f"; {NOT_ASKED}" if has_choice and (BACK.search(text) or RETREATING.search(text)) else ""
