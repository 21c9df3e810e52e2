"""Commands by which the umpire grants a request in a mail, such as money for a force or a release.

A wrong command is worse than none. A command names a payer, receiver, force or prisoner only if they are
certain; otherwise it has a word in capitals that the umpire replaces.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import chain

from cardbattle.campaign.exchange.orders.lines import LineParser
from cardbattle.campaign.exchange.orders.names import distinct_words
from cardbattle.campaign.exchange.orders.words import (
    ABSENT,
    AGAINST_PEACE,
    BARE_SUM,
    BEFORE_RECEIVER,
    BUYING,
    CAPTIVE,
    EXCHANGING,
    FOR_FREE,
    GIVING,
    GIVING_AWAY,
    GIVING_BACK,
    MAY_GO,
    MONEY,
    NEGATED,
    OFFERING,
    OTHER_PAYER,
    OUR_CAPTIVE,
    PARTNER,
    PAYING,
    PAYING_TO,
    PEACE_ENDS,
    PRICE,
    PROPOSING,
    PURCHASE,
    RECEIVING,
    SELLING,
    SENTENCE_END,
    SPENDING,
    STAND_IN,
    TROOPS,
    UNTIL_END,
    hired_number,
    is_answered_no,
    is_peace,
    is_release,
    with_digits,
)
from cardbattle.campaign.ledger.roster import WORD, without_article
from cardbattle.campaign.state.model import Campaign
from cardbattle.core.grammar import mid_sentence
from cardbattle.core.names import listed

FORWARD = "if this is an offer to another player, forward it: the program does not"
CLAUSE_END = re.compile(r"[.,;:!]\s+")
LEADER = "(?:leader|commander)"
IN_NEXT_TURN = re.compile(r"\bnext\s+turn\b", re.IGNORECASE)
TO_ME = re.compile(r"\b(?:me|us|get|gets|getting)\b", re.IGNORECASE)  # in a line that asks for a place
TELLING = re.compile(
    r"\b(?:do\s+not|don['\u2019]?t|never)\s+(?:tell|show|mention)\b[^.!?,;]*[.!?,;]\s*(?:(?:but|and)\s+)?"
    r"|[,;]?\s*\b(?:and|but)\s+[^.!?,;]*\b(?:not|never|n['\u2019]t)\s+(?:to\s+)?(?:be\s+told|hear|know|learn|find\s+out)\b[^.!?,;]*",
    re.IGNORECASE,
)  # in "don't tell Blue, but we end the peace" and in "peace with Red, and Blue must not know of it"
PURPOSE = re.compile(r"\bfor\s+(?:his|her|their)\s+\w+", re.IGNORECASE)  # of a gift
HIRES = re.compile(r"\bhir(?:e|es|ing)\s+(?:another\s+)?\d", re.IGNORECASE)  # before a number of soldiers


def is_about_money(text: str) -> bool:
    """Return True if a text can be about a sum of money."""
    return any(each.search(text) for each in (SPENDING, GIVING, MONEY, OFFERING, PURCHASE))


def is_deal(text: str) -> bool:
    """Return True if a text can be about a sum of money or about peace, or releases a prisoner."""
    return is_about_money(text) or is_release(text) or is_peace(text)


def is_offer(text: str) -> bool:
    """Return True if a text can offer peace or money to another player.

    >>> is_offer("I offer 4 gold for Rowe"), is_offer("Peace with Red!"), is_offer("The peace is over")
    (True, True, False)
    """
    return (is_peace(text) and not is_against_peace(text)) or (
        PROPOSING.search(text) is not None and is_deal(text)
    )


def is_against_peace(text: str) -> bool:
    """Return True if a text about peace can mean the opposite.

    >>> is_against_peace("We end the truce"), is_against_peace("A truce until the end of the war")
    (True, False)
    """
    return AGAINST_PEACE.search(PEACE_ENDS.sub("", UNTIL_END.sub("", text))) is not None


def is_refusal(text: str) -> bool:
    """Return True if a text only says that a player wants no peace, or releases no prisoner.

    >>> is_refusal("No peace while he is here!"), is_refusal("No attack please, we have peace with Blue.")
    (True, False)
    >>> is_refusal("Peace with Blue? Not today."), is_refusal("Peace with Blue? No problem!")
    (True, False)
    """
    question, *answers = SENTENCE_END.split(text)
    if answers and all(is_answered_no(question, each) for each in answers):
        return True
    if "?" in text or is_about_money(text):
        return False
    clauses = [each for each in CLAUSE_END.split(text) if is_release(each) or is_peace(each)]
    return bool(clauses) and all(map(NEGATED.search, clauses)) and all(map(is_deal, SENTENCE_END.split(text)))


def command_for(lines: LineParser, sender: str, request: str) -> str:
    """Return how the umpire grants the requests of a faction in a line, or "" if that is not clear.

    A line that says what the faction does not want has no command. In a line about money too, a sentence
    against a release or a peace does not count.
    """
    sentences = [
        each
        for each in SENTENCE_END.split(FOR_FREE.sub("", TELLING.sub("", with_digits(request))))
        if is_about_money(each) or not (NEGATED.search(each) and is_deal(each))
    ]
    request = " ".join(sentences)
    if NEGATED.search(ABSENT.sub("", request)):
        return ""
    releases = [each for each in sentences if is_release(each) or frees_prisoner(lines, sender, each)]
    gifts = [each for each in sentences if each not in releases and gives_place(lines, sender, each)]
    others = [each for each in sentences if each not in releases + gifts]
    is_several = sum(is_about_money(each) and any(map(str.isdigit, each)) for each in others) > 1
    is_beside_peace = len(others) > 1 and is_peace(request)
    is_several = is_several or (is_beside_peace and any(receiver_of(lines, sender, each) for each in others))
    is_several = is_several or (is_peace(request) and any(map(PURCHASE.search, others)))
    hints = [spending(lines, sender, each) for each in (others if is_several else [" ".join(others)])]
    for sentence in releases:
        returning = giving_back(lines, sender, sentence)
        hints += [spending(lines, sender, sentence), returning or releasing(lines, sender, sentence)]
    hints += [giving_back(lines, sender, each) for each in gifts]
    treaty = "" if is_against_peace(request) else " ".join(filter(is_peace, sentences))
    hints.append(making_peace(lines, sender, request) or making_peace(lines, sender, treaty))
    hints.append(substituting(lines, sender, request))
    hints.append(FORWARD if is_offer(request) else "")
    return "; ".join(dict.fromkeys(filter(None, hints)))


def spending(lines: LineParser, faction: str, request: str) -> str:
    """Return a sentence with the command by which the umpire spends from a purse, or "" without one.

    If the line can mean the purse of another faction, the command does not name the faction that pays.
    """
    factions = lines.parser.campaign.factions
    side = factions.get(faction)
    is_clear = pays_itself(lines, faction, request) and not is_release(request)
    has_purse = any(each.purse for each in factions.values()) and not is_clear
    forces = forces_to_pay_for(lines, faction, request)
    is_bare = bool(forces) and BARE_SUM.search(request) is not None  # "6 on the guns"
    if not (is_bare or has_sum(request)) or side is None or not (side.purse or has_purse):
        return ""
    sums = re.findall(r"\d+", request)
    is_asking = forces or any(each.search(request) for each in (SPENDING, GIVING, OFFERING, BUYING, PRICE))
    if is_clear and not is_asking:
        return ""  # a sentence that only mentions a sum, such as a complaint
    number = sums[0] if len(sums) == 1 and len(forces) < 2 else "N"
    if ransom := ransom_of(lines, faction, request):
        payer, receiver = ransom
        command = f"factions.{payer}.purse-={number} factions.{receiver}.purse+={number}"
        return f"to agree, write: cardbattle campaign adjust {command} --reason TEXT"
    receiver = receiver_of(lines, faction, request)
    if receiver:
        command = f"factions.{faction}.purse-={number} factions.{receiver}.purse+={number}"
        several = "; each sum of the request can need a command of its own" if len(sums) > 1 else ""
        public = "; the receiver reads the reason only with --public, and so do all players"
        return f"to agree, write: cardbattle campaign adjust {command} --reason TEXT{several}{public}"
    is_strength = BUYING.search(request) is not None
    is_number = is_strength or HIRES.search(request) is not None
    cost, bought = ("N", number) if is_number else (number, "N")
    strengths = re.findall(r"\d+", " ".join(found[0] for found in BUYING.finditer(request)))
    others = [each for each in sums if each not in strengths]
    if len(strengths) == len(others) == 1 and len(forces) < 2:
        cost, bought = others[0], strengths[0]
    is_for_force = forces or is_strength or is_about_force(lines, faction, request)
    force = forces[0] if len(forces) == 1 else "FORCE" if is_for_force else ""
    if is_clear and is_for_force and (command := hiring_command(lines.parser.campaign, force, cost, bought)):
        return f"to agree, write: {command}"
    gain = f" forces.{force}.strength+={bought}" if force else ""
    gain = gain if is_clear or force else f" factions.RECEIVER.purse+={cost}"
    payer = faction if is_clear else "PAYER"
    command = f"cardbattle campaign adjust factions.{payer}.purse-={cost}{gain} --reason TEXT"
    if is_clear:
        return f"to agree, write for example: {command}"
    return f"it does not clearly say who pays whom; to agree, write with the right names: {command}"


def hiring_command(campaign: Campaign, force: str, cost: str, bought: str) -> str:
    """Return the command by which the umpire gives the order to hire, or "" if it cannot be given.

    `cost` and `bought` are numbers as text, or `N` if the request does not name them.
    """
    recruit = campaign.recruit
    if recruit is None:
        return ""
    if bought == "N" and cost.isdigit() and int(cost) % recruit.cost == 0:
        bought = str(int(cost) // recruit.cost)
    if bought.isdigit() and recruit.most is not None and int(bought) > recruit.most:
        most = recruit.most
        limit = f"a force can hire at most {most} in a turn"
        return f"cardbattle campaign orders give {force or 'FORCE'} hire {most}; {limit}"
    price = int(bought) * recruit.cost if bought.isdigit() else 0
    is_other_sum = bought.isdigit() and cost.isdigit() and int(cost) != price
    return f"cardbattle campaign orders give {force or 'FORCE'} hire {bought}" + (
        f"; the price is {price}, not {cost}" if is_other_sum else ""
    )


def has_sum(request: str) -> bool:
    """Return True if a request is about a sum, which can be missing as in "please spend on the guns".

    A gift without a sum can be anything, as in "please give the guns a name". So can a ransom.
    """
    is_gift = GIVING.search(request) is not None and not (SPENDING.search(request) or MONEY.search(request))
    has_number = any(map(str.isdigit, request))
    return is_about_money(request) and (has_number or not (is_gift or is_release(request)))


def forces_to_pay_for(lines: LineParser, faction: str, request: str) -> list[str]:
    """Return the forces of a faction whose names are in a request. A word for soldiers is no name."""
    spoken = [word for word in WORD.findall(request.casefold()) if word not in TROOPS]
    return lines.forces_in(spoken, faction, is_exact=True)


def is_about_force(lines: LineParser, faction: str, request: str) -> bool:
    """Return True if a request names soldiers or a force of the faction, which can be destroyed."""
    own = lines.parser.forces(faction)
    words = TROOPS.union(*(distinct_words(key, name) for key, name in own.items()))
    return not (words - lines.parser.place_words).isdisjoint(WORD.findall(request.casefold()))


def pays_itself(lines: LineParser, faction: str, request: str) -> bool:
    """Return True if a line asks only for money of its own sender, and names no other faction."""
    parser = lines.parser
    spoken = {*WORD.findall(request.casefold())}
    own, others = parser.forces(faction), parser.forces("")
    own_words = set().union(*(distinct_words(key, name) for key, name in own.items()))
    named = [distinct_words(*item) for item in others.items() if item[0] not in own]
    named += [words for key, words in parser.faction_words().items() if key != faction]
    other_words = set().union(*named) - own_words
    paid = [found["receiver"].casefold() for each in (PAYING, PAYING_TO) if (found := each.search(request))]
    is_other = not own_words.issuperset(paid)
    other_words -= parser.place_words | TROOPS
    return not (is_other or OTHER_PAYER.search(request) or spoken & other_words)


def ransom_of(lines: LineParser, faction: str, request: str) -> tuple[str, str] | None:
    """Return who pays whom for a prisoner of the sender, or for a leader of the sender, or None.

    The line must name one prisoner and no third faction, and say that the sum is for the prisoner, or that
    the captor receives it.
    """
    named = prisoners_named(lines, request)
    if len(named) != 1:
        return None
    prisoner = lines.parser.campaign.forces[named[0]]
    payer, captor = prisoner.faction, str(prisoner.prisoner_of)
    spoken = {*WORD.findall(request.casefold())}
    words = lines.parser.faction_words()
    sides = {key for key, each in words.items() if each & spoken}
    is_price = PRICE.search(request) is not None and not forces_to_pay_for(lines, faction, request)
    if not is_price and words_of_others(lines, payer)[captor].isdisjoint(receivers_in(request)):
        return None
    return (payer, captor) if faction in (payer, captor) and sides <= {payer, captor} else None


def receiver_of(lines: LineParser, faction: str, request: str) -> str:
    """Return the faction to which the sender of a line gives money, or "" if it does not say so clearly.

    Only a faction that the line names as the receiver counts, and only if it names no third one.
    """
    if OTHER_PAYER.search(PURPOSE.sub("", request)) or SELLING.search(request) or is_release(request):
        return ""
    words = words_of_others(lines, faction)
    spoken = {*WORD.findall(request.casefold())}
    named = [key for key, each in words.items() if each & spoken]
    is_receiver = len(named) == 1 and not words[named[0]].isdisjoint(receivers_in(request))
    return named[0] if is_receiver else ""


def receivers_in(request: str) -> set[str]:
    """Return the words of a line, in lower case, that can name who receives a sum."""
    return {str(match["first"] or match["second"]).casefold() for match in RECEIVING.finditer(request)}


def words_of_others(lines: LineParser, faction: str) -> dict[str, set[str]]:
    """Return the words that name each faction or its player, without those of the given faction."""
    words = lines.parser.faction_words()
    own_words = words.get(faction, set())
    return {key: each - own_words for key, each in words.items()}


def making_peace(lines: LineParser, faction: str, request: str) -> str:
    """Return a sentence with the command by which the umpire makes or ends a peace, or "" if it is not clear.

    A word that is in the name of a place too names another faction behind `with` or `to`. If the line names
    none, as in `Yes to Greta's peace`, the only possible one counts, or the umpire fills it in.
    """
    campaign = lines.parser.campaign
    if not is_peace(request) or faction not in campaign.factions:
        return ""
    spoken = {*WORD.findall(request.casefold())} - lines.parser.place_words
    spoken.update(match["partner"].casefold() for match in PARTNER.finditer(request))
    named = [key for key, words in words_of_others(lines, faction).items() if words & spoken]
    is_against = is_against_peace(request)
    possible = [each for each in campaign.factions if each != faction]
    possible = [each for each in possible if is_against != campaign.are_enemies(faction, each)]
    if len(named) > 1 or not {*possible}.issuperset(named) or not possible:
        return ""
    partner = next(iter(named), possible[0] if len(possible) == 1 else "FACTION")
    public = "with --public, all players read the reason"
    if not is_against:
        command = f"cardbattle campaign set factions.{faction}.peace+={partner} --reason TEXT"
        return f"if both factions agree, write: {command}; {public}{end_of_peace(lines, command, request)}"
    is_listed = partner not in campaign.factions or partner in campaign.factions[faction].peace
    one, other = (faction, partner) if is_listed else (partner, faction)
    command = f"cardbattle campaign set factions.{one}.peace-={other} --reason TEXT"
    return f"to end the peace, write: {command}; {public}; orders ask tells the other faction of the end"


def end_of_peace(lines: LineParser, command: str, request: str) -> str:
    """Return a clause with the command that ends a peace in the turn that a line names, or ""."""
    end = PEACE_ENDS.search(request)
    if end is None:
        return ""
    now = lines.parser.campaign.turn + lines.parser.has_moved
    turn = int(end["turn"]) + bool(end["end"]) if end["turn"] else now + hired_number(end["count"])
    return f"; to end it, write in turn {turn}: {command.replace('+=', '-=')}" if turn > now else ""


def substituting(lines: LineParser, faction: str, request: str) -> str:
    """Return a sentence with the command that replaces a player, or "" if the line does not ask for it."""
    if not faction or STAND_IN.search(request) is None:
        return ""
    is_later = IN_NEXT_TURN.search(request) is not None
    turn = lines.parser.campaign.turn + (lines.parser.has_moved or is_later)
    begin = f"when turn {turn} has begun, " if is_later else ""
    command = f"cardbattle campaign substitute {faction} --turn {turn}"
    return f"for a computer commander, {begin}write: {command}"


def giving_back(lines: LineParser, faction: str, request: str) -> str:
    """Return a sentence with the command by which a faction gets a place, or "" if it can mean a prisoner."""
    if GIVING_BACK.search(request) is None or CAPTIVE.search(request) or prisoners_named(lines, request):
        return ""
    spoken = {*WORD.findall(request.casefold())}
    places = [key for key, name in lines.parser.places.items() if distinct_words(key, name) & spoken]
    if len(places) != 1:
        return ""
    is_own = lines.parser.campaign.locations[places[0]].owner == faction
    if faction and not is_own and (GIVING_AWAY.search(request) and not TO_ME.search(request)):
        return ""  # the place of another faction
    spoken -= lines.parser.place_words
    named = [key for key, words in words_of_others(lines, faction).items() if words & spoken]
    receiver = named[0] if is_own and len(named) == 1 else "FACTION" if is_own or not faction else faction
    command = f"cardbattle campaign set locations.{places[0]}.owner={receiver} --reason TEXT"
    return f"if both factions agree, write: {command}"


def gives_place(lines: LineParser, faction: str, text: str) -> bool:
    """Return True if a player gives a place to another one, such as `I give the Mill to Blue`.

    Only the place and the receiver can stand behind the verb, so `We give Blue a fight at the Mill` does not.
    """
    gift = GIVING_AWAY.search(text)
    if gift is None:
        return False
    places = lines.parser.place_words
    receivers = set().union(*words_of_others(lines, faction).values()) - places
    missing = [places, receivers]
    for word in WORD.findall(gift["rest"].casefold()):
        missing = [words for words in missing if word not in words]
        if not missing:
            return True
        if word not in BEFORE_RECEIVER | places | receivers:
            return False
    return False


def releasing(lines: LineParser, faction: str, request: str) -> str:
    """Return a sentence with the command by which the umpire releases a prisoner, or exchanges two."""
    forces = lines.parser.campaign.forces
    named = prisoners_named(lines, request)
    own = [key for key, force in forces.items() if force.prisoner_of == faction]
    is_sold = len(named) == 1 and PRICE.search(request) is not None
    if EXCHANGING.search(request) and not is_sold:
        is_fair = {forces[key].prisoner_of for key in named} == {forces[key].faction for key in named}
        is_clear = len(named) == 2 and is_fair and not {*named}.isdisjoint(own)
        prisoners = named if is_clear else []
    elif named:
        is_own = len(named) == 1 and named[0] in own
        prisoners = named if is_own or ransom_of(lines, faction, request) else []
    else:
        prisoners = own if len(own) == 1 and OUR_CAPTIVE.search(request) else []
    paths = [f"forces.{key}" for key in prisoners or ["FORCE"]]
    unset = " ".join(f"{path}.prisoner_of {path}.leader_rank" for path in paths)
    purpose = "exchange these prisoners" if len(prisoners) > 1 else "release a prisoner"
    captors = {key: forces[key].prisoner_of or "" for key in named}
    factions = lines.parser.factions()
    others = [
        f"{mid_sentence(forces[key].leader or key)} is a prisoner of "
        f"{mid_sentence(factions.get(captor, captor))}"
        for key, captor in captors.items()
    ]
    if faction and named and not prisoners and not {*named} & {*own}:
        return f"{listed(others)}; decide on it yourself"
    is_held = {*named}.isdisjoint(own)
    agreed = f"{listed(others)}; if this faction agrees, " if prisoners and is_held and others else ""
    hints = [f"{agreed}to {purpose}, write: cardbattle campaign unset {unset}"]
    ranks = [
        f"forces.{key}.commander={rank}"
        for key in prisoners
        if (rank := forces[key].leader_rank) not in (None, forces[key].commander)
    ]
    hints += [f"and write: cardbattle campaign set {' '.join(ranks)}"] if ranks else []
    return "; ".join(hints)


def frees_prisoner(lines: LineParser, faction: str, text: str) -> bool:
    """Return True if a text says that a prisoner of a faction may go, such as `Captain Rowe is free`."""
    forces = lines.parser.campaign.forces
    is_own = any(forces[key].prisoner_of == faction for key in prisoners_named(lines, text))
    return is_own and MAY_GO.search(text) is not None


def prisoners_named(lines: LineParser, request: str) -> list[str]:
    """Return the forces whose captured leaders a line names, in the order of the campaign.

    A word counts if only one prisoner has it in the name. For a leader without a name, the force's counts.
    A captor may know only the force, so "the leader of" a force counts too.
    """
    held = {key: force for key, force in lines.parser.campaign.forces.items() if force.prisoner_of}
    words = {
        key: distinct_words("", force.leader) if force.leader else distinct_words(key, force.name or "")
        for key, force in held.items()
    }
    common = Counter(chain.from_iterable(words.values()))
    spoken = {*WORD.findall(request.casefold())}
    return [
        key
        for key, each in words.items()
        if any(common[word] == 1 for word in each & spoken) or is_led(key, held[key].name or key, request)
    ]


def is_led(key: str, name: str, request: str) -> bool:
    """Return True if a request names a leader by the force, such as "the leader of the Pan Captains"."""
    names = "|".join(re.escape(each.casefold()) for each in (key, without_article(name)))
    text = " ".join(request.casefold().replace("\u2019", "'").split())
    of_force = rf"\b{LEADER} of (?:the )?(?:{names})\b|\b(?:{names})(?:'s?)? {LEADER}\b"
    return re.search(of_force, text) is not None
