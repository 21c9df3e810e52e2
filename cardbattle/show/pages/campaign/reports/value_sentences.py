"""What the new value of a force, a faction or a place means, as sentences of a chronicle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cardbattle.battles.records.battle_file import default_name
from cardbattle.campaign.ledger.ledger import AFTERMATH
from cardbattle.campaign.phases.upkeep import SUPPLY
from cardbattle.commanders import DEFAULT
from cardbattle.core.grammar import choose_form, mid_sentence, with_article, with_verb
from cardbattle.core.names import listed
from cardbattle.core.telling import counted
from cardbattle.show.pages.campaign.history import hired_words, name_today
from cardbattle.story.naming import shorten_person

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from cardbattle.campaign.state.changes import Change
    from cardbattle.campaign.state.model import Campaign
    from cardbattle.core.grammar import Noun


def short_name(campaign: Campaign, table: str, key: object) -> Noun:
    return mid_sentence(name_today(campaign, table, key))


def points_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    verb = "gains|gain" if gain >= 0 else "loses|lose"
    name = short_name(campaign, "factions", change.key[1])
    return f"{with_verb(name, verb)} {counted(abs(gain), 'point')}"


def strength_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    how = "reinforced" if gain >= 0 else "reduced"
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'is|are')} {how} by {abs(gain)}, to {change.after or 0}"


def increase(change: Change) -> int:
    return int(str(change.after or 0)) - int(str(change.before or 0))


def owner_sentence(campaign: Campaign, change: Change) -> str:
    place = short_name(campaign, "locations", change.key[1])
    if not change.after:
        return f"{with_verb(place, 'has|have')} no owner now"
    new = short_name(campaign, "factions", change.after)
    if not change.before:
        return f"{with_verb(place, 'now belongs|now belong')} to {new}"
    return (
        f"{with_verb(place, 'passes|pass')} from {short_name(campaign, 'factions', change.before)} to {new}"
    )


def defection_sentence(campaign: Campaign, change: Change) -> str:
    force = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(force, 'goes|go')} over to {short_name(campaign, 'factions', change.after)}"


def destruction_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'is|are')} {'destroyed' if change.after else 'in the field again'}"


def command_sentence(campaign: Campaign, change: Change) -> str:
    """Say who commands a force now: another commander, its leader, or the deputy of a lost leader."""
    rank = str(change.after or DEFAULT).partition(":")[0]
    ranked = with_article(rank)
    force, part = short_name(campaign, "forces", change.key[1]), campaign.forces.get(change.key[1])
    if part is None or not part.leader:
        return f"{ranked} commander takes over {force}"
    if part.fallen or part.prisoner_of is not None:
        return f"{shorten_person(part.leader)}'s lieutenant ({rank}) takes over {force}"
    return f"{part.leader} is now {ranked} commander"


def promotion_sentence(campaign: Campaign, change: Change) -> str:
    """Say that a force has a better commander by its experience. The commander is the same person."""
    rank = str(change.after or DEFAULT).partition(":")[0]
    part = campaign.forces.get(change.key[1])
    if part is not None and part.leader and not part.fallen and part.prisoner_of is None:
        return command_sentence(campaign, change)
    name = short_name(campaign, "forces", change.key[1])
    return f"the commander of {name} is now {rank}"


def leader_of(campaign: Campaign, force: str) -> str:
    """Return the name of a force's leader for use inside a sentence."""
    part = campaign.forces.get(force)
    name = short_name(campaign, "forces", force)
    return mid_sentence(part.leader) if part is not None and part.leader else f"the leader of {name}"


def prisoner_sentence(campaign: Campaign, change: Change) -> str:
    leader = leader_of(campaign, change.key[1])
    if change.after:
        return f"{leader} is taken prisoner by {short_name(campaign, 'factions', change.after)}"
    return f"{leader} returns from captivity"


def fallen_sentence(campaign: Campaign, change: Change) -> str:
    leader = leader_of(campaign, change.key[1])
    return f"{leader} falls" if change.after else f"{leader} lives"


def leader_sentence(campaign: Campaign, change: Change) -> str:
    force = short_name(campaign, "forces", change.key[1])
    if not change.after:
        return f"{change.before} no longer leads {force}"
    if not change.before:
        return f"{change.after} now leads {force}"
    return f"{change.after} replaces {change.before} as the leader of {force}"


def renaming_sentence(campaign: Campaign, change: Change) -> str:
    before, after = (str(name or default_name(change.key[1])) for name in (change.before, change.after))
    return f"{with_verb(mid_sentence(before), 'is|are')} now called {after}"


def title_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    if not change.after:
        return f"{with_verb(name, 'has|have')} no title any more"
    return f"{with_verb(name, 'earns|earn')} the title {change.after}"


def purse_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    name = short_name(campaign, "factions", change.key[1])
    how = "grows" if gain >= 0 else "shrinks"
    partner = short_name(campaign, "factions", change.text) if change.text else ""
    paid = f", paid {'by' if gain >= 0 else 'to'} {partner}" if partner else ""
    return f"the purse of {name} {how} by {abs(gain)}, to {change.after or 0}{paid}"


def hiring_sentence(campaign: Campaign, change: Change) -> str:
    """Say why a force did not hire all soldiers that it was to hire, or return ""."""
    name = short_name(campaign, "forces", change.key[1])
    is_short = change.after is None and " " in change.text
    return f"{with_verb(name, 'hires|hire')} {hired_words(change, name)}" if is_short else ""


def peace_sentence(campaign: Campaign, change: Change) -> str:
    """Describe a new and a broken peace, or return "" without either.

    A peace that the other faction still lists is not broken.
    """
    before, after = (value if isinstance(value, list) else [] for value in (change.before, change.after))
    own = short_name(campaign, "factions", change.key[1])
    kept = campaign.friends_of(change.key[1]) if change.key[1] in campaign.factions else []
    made, broken = (
        [short_name(campaign, "factions", key) for key in keys]
        for keys in (
            [key for key in after if key not in before],
            [key for key in before if key not in (*after, *kept)],
        )
    )
    clauses = [f"{with_verb(own, 'makes|make')} peace with {listed(made)}"] if made else []
    clauses += [f"the peace between {listed([own, other])} has ended" for other in broken]
    return "; ".join(clauses)


def worth_sentence(campaign: Campaign, change: Change) -> str:
    gain = increase(change)
    place = short_name(campaign, "locations", change.key[1])
    how = "rises" if gain >= 0 else "falls"
    return f"the value of {place} {how} by {abs(gain)}, to {change.after or 0}"


VALUES: Mapping[tuple[str, str], Callable[[Campaign, Change], str]] = {
    ("factions", "purse"): purse_sentence,
    ("factions", "peace"): peace_sentence,
    ("forces", "title"): title_sentence,
    ("forces", "hires"): hiring_sentence,
    ("factions", "points"): points_sentence,
    ("forces", "strength"): strength_sentence,
    ("forces", "faction"): defection_sentence,
    ("forces", "destroyed"): destruction_sentence,
    ("forces", "commander"): command_sentence,
    ("forces", "prisoner_of"): prisoner_sentence,
    ("forces", "fallen"): fallen_sentence,
    ("forces", "leader"): leader_sentence,
    ("locations", "owner"): owner_sentence,
    ("locations", "value"): worth_sentence,
    **{(table, "name"): renaming_sentence for table in ("factions", "forces", "locations")},
}


def loss_sentence(campaign: Campaign, change: Change, kind: str, *, is_last: bool) -> str:
    """Describe the losses of a force in a pursuit or without supplies. The last losses destroy it."""
    name = short_name(campaign, "forces", change.key[1])
    rest = f"{choose_form('has|have', name.is_plural)} {change.after or 0} left"
    if is_last or not change.after:
        rest = f"{choose_form('is|are', name.is_plural)} destroyed"
    return f"{with_verb(name, 'loses|lose')} {abs(increase(change))} {LOSSES[kind]}, and {rest}"


def recovery_sentence(campaign: Campaign, change: Change) -> str:
    name = short_name(campaign, "forces", change.key[1])
    return f"{with_verb(name, 'recovers|recover')} {increase(change)}, to {change.after}"


def turning_back_sentence(campaign: Campaign, change: Change) -> str:
    """Say that a beaten force retreats along its road to the place from which it came."""
    name = short_name(campaign, "forces", change.key[1])
    towards = short_name(campaign, "locations", change.before)
    return f"{with_verb(name, 'turns|turn')} back on the road to {towards}"


LOSSES = {AFTERMATH: "in the pursuit", SUPPLY: "without supplies"}  # by kinds of entries
IN_PHASES: Mapping[tuple[str, str], Callable[[Campaign, Change], str]] = {
    ("aftermath", "towards"): turning_back_sentence,
    ("recovery", "strength"): recovery_sentence,
}
