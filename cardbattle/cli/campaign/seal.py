"""The commands `campaign seal` and `reveal` for sealed dice, and the script to check draws."""

from __future__ import annotations

import os
from importlib import resources
from typing import TYPE_CHECKING, Annotated

from cardbattle.campaign.seals import master
from cardbattle.campaign.seals.seal_rules import seals_in
from cardbattle.campaign.seals.seals import HASH, Seals
from cardbattle.campaign.state.apply import not_pending
from cardbattle.campaign.storage import seal_slots
from cardbattle.cli import options
from cardbattle.cli.campaign.record import RecordingOptions, record_operations
from cardbattle.cli.campaign.shared import Where
from cardbattle.cli.output import message
from cardbattle.cli.parameters import argument, option
from cardbattle.cli.run import ALL, CommandGroup, Printer
from cardbattle.core.errors import InvalidInput, UsageError
from cardbattle.core.names import clean, quoted
from cardbattle.files import disk

if TYPE_CHECKING:
    from cardbattle.campaign.ledger.ledger import Ledger
    from cardbattle.campaign.ledger.operations import CampaignFile, Operation

COMMANDS = CommandGroup()
USUAL_SLOTS = 64
CHECKER_NAME = "check_seals.py"


@COMMANDS.command("cardbattle campaign seal --slots 64\ncardbattle campaign seal mill", ALL)
def seal_command(
    home: Where,
    to: Printer,
    battle: Annotated[
        str,
        argument(
            "BATTLE",
            "Battle that gets the next slot (sealed draw), or the nonces of --nonce.",
            callback=options.as_key,
        ),
    ] = "",
    slots: Annotated[
        int | None, option("--slots N", "Number of slots to seal.  [default: 64]", min=1, max=1000)
    ] = None,
    nonce: Annotated[
        list[str] | None,
        option(
            "--nonce SIDE=NONCE",
            "Nonce of a side. Until the battle has a slot, give its hash (sha256:...); then the nonce.",
            callback=options.validate_texts,
        ),
    ] = None,
) -> None:
    """Commit to the random draws of future battles (sealed dice).

    After this command, no one can choose or change the draws. Each slot fixes the random results of one
    battle. The command writes seals.toml and check_seals.py. Give both files to the players before the first
    battle. When you first fight, export or play a battle, the battle gets the next free slot and keeps this
    slot. The players can check every draw later.
    """
    if battle and slots:
        raise UsageError("--slots is for the whole campaign; leave out the battle")
    if nonce and not battle:
        raise UsageError("--nonce is for one battle; name the battle")
    if battle:
        seal_battle(home.path, battle, [read_nonce_option(option) for option in nonce or []], to)
    else:
        seal_campaign(home.path, slots or USUAL_SLOTS, to)


def read_nonce_option(text: str) -> tuple[str, str]:
    """Return a pair (side, nonce) from SIDE=NONCE.

    A hash, in upper or lower case, can replace the nonce. Raises UsageError if the text is not SIDE=NONCE.
    """
    side, equals, value = text.partition("=")
    if not equals or not side or not value:
        raise UsageError(f"--nonce {quoted(text)}: write SIDE=sha256:... or SIDE=NONCE")
    return side, value.lower() if HASH.fullmatch(value.lower()) else value


def seal_campaign(at: str, slots: int, to: Printer) -> None:
    """Seal more slots, and write check_seals.py. Before the first slots, create a random master key.

    Raises SystemFailure if a file cannot be written, and the errors of `record_operations`, `read_master` and
    `seal_slots`.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        seals = seals_in(ledger)
        if seals is None:
            drawn, note = master.draw_master(at)
            if note:
                message(clean(note))
        else:
            master.secret_of(at, seals.campaign, seals.slots[1])
            drawn = master.read_master(at)
        return [seal_slots.seal_slots(books.campaign.name, seals or Seals(), slots, drawn)]

    record_operations(at, RecordingOptions(), to, choose)
    write_checker(at)
    to.message("give seals.toml and check_seals.py to the players before the next battle")
    to.message(f"keep {master.MASTER_NAME} to yourself, and keep a copy where no player can find it")


def write_checker(at: str) -> bool:
    """Write the script that checks draws to the campaign's folder.

    Return False if it is already there. Raises SystemFailure if the script cannot be written.
    """
    path = os.path.join(at, CHECKER_NAME)
    script = resources.files("cardbattle").joinpath("data", CHECKER_NAME).read_text(encoding="utf-8")
    if os.path.lexists(path) and disk.has_content(path, script.encode()):
        return False
    disk.write_text(path, script)
    return True


def seal_battle(at: str, battle: str, nonces: list[tuple[str, str]], to: Printer) -> None:
    """Give a pending battle a slot, or store nonces (pairs of side and nonce) for the battle.

    Raises InvalidInput if the battle is not pending or the campaign has no slots, and the errors of
    `open_battle` and `nonce_operations`.
    """

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        pending = books.campaign.battle(battle)
        seals = seal_slots.need_seals(ledger)
        if pending is None:
            raise InvalidInput(not_pending(books.campaign, battle))
        if nonces:
            return seal_slots.nonce_operations(seals, pending, nonces)
        slot = seals.slot_of(battle)
        if slot is not None:
            message(f"battle {battle} has slot {slot.number} already")
            return []
        return [seal_slots.open_battle(books.campaign, books, ledger, pending)]

    record_operations(at, RecordingOptions(), to, choose)


@COMMANDS.command("cardbattle campaign reveal mill\ncardbattle campaign reveal --all", ALL)
def reveal_command(
    home: Where,
    to: Printer,
    battle: Annotated[
        str, argument("BATTLE", "Battle whose result is recorded.", callback=options.as_key)
    ] = "",
    everything: Annotated[
        bool, option("--all", "Reveal the draws of all battles that are no longer pending.")
    ] = False,
) -> None:
    """Reveal the sealed draw of a battle.

    The command writes the secret of the battle's slot, from which its draw follows, to seals.toml. Players
    can check the revealed draw with: cardbattle verify --seals seals.toml records/BATTLE.toml
    """
    if bool(battle) == everything:
        raise UsageError("name a battle or use --all, but not both")
    at = home.path

    def choose(books: CampaignFile, ledger: Ledger) -> list[Operation]:
        operation = seal_slots.reveal_slots(at, books.campaign, ledger, battle)
        if operation is None:
            message("every draw that can be revealed is already revealed")
        return [operation] if operation else []

    record_operations(at, RecordingOptions(), to, choose)
    if write_checker(at):
        to.message(f"{CHECKER_NAME} has changed: give it to the players with seals.toml")
