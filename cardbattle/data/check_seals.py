"""Check the sealed dice of a cardbattle campaign, with nothing but the standard library of Python 3.11.

    python check_seals.py seals.toml RECORD.toml... [--before OLDER_SEALS.toml]

Of each record: that the secret of its slot is the one committed to, that the nonces are those promised, that
the battle is the one that got the slot, and that its seed follows from all of these; with --before also that
the seals say all that an older copy of them says. NOT checked is that cards, moves and result follow from
the seed: that needs the rules, and `cardbattle verify --seals seals.toml RECORD.toml` does it.
"""

import hashlib
import hmac
import json
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def sha(text: str) -> str:
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def wrong(seals: Any, record: Any) -> Iterator[str]:
    content = {word: record[word] for word in record if word != "digest"}
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    if record["digest"] != sha(text):
        yield "the record was changed after it was written"
    number = record.get("bound", {}).get("seal", {}).get("slot")
    slot = next((slot for slot in seals["slot"] if slot["number"] == number), None)
    if slot is None or "secret" not in slot:
        yield f"slot {number} is not revealed yet" if slot else "it names no slot of these seals"
        return
    if sha(f"cardbattle-seal-1|{seals['campaign']}|{number}|{slot['secret']}") != slot["commitment"]:
        yield "the secret is not the one that was committed to"
    promises, nonces = seals.get("promises", {}).get(slot["battle"], {}), slot.get("nonces", {})
    if promises != {side: sha(nonce) for side, nonce in nonces.items()}:
        yield "the nonces are not those that were promised"
    battle = json.loads(slot["exported"])
    if sha(slot["exported"]) != slot["digest"] or slot["battle"] != battle["id"]:
        yield "the battle is not the one that got the slot"
    yield from (f"{word} is not as it was when it got the slot" for word in otherwise(battle, record))
    told = [nonces.get(forces[0], "") for forces in battle["bound"]["seal"]["sides"]]
    seed = "|".join(["cardbattle-seal-1", slot["battle"], slot["digest"].removeprefix("sha256:"), *told])
    key, blind = bytes.fromhex(slot["secret"]), f"cardbattle-seal-1|blind|{slot['battle']}"
    macs = [hmac.new(key, text.encode(), "sha256").hexdigest() for text in (seed, blind)]
    if macs != [record.get("seed"), battle["bound"]["seal"].get("blind", macs[1])]:
        yield "its seed does not follow from the slot"


def otherwise(then: Any, now: Any) -> Iterator[str]:
    terms, house = then["bound"]["seal"], now.get("house", {})
    pairs = [(word, then.get(word), now.get(word)) for word in ("id", "rules", "bound")]
    pairs += [("files", terms.get("files"), now.get("files"))]
    pairs += [("seats", " ".join(forces[0] for forces in terms["sides"]), " ".join(now["seats"]))]
    pairs += [(f"house.{word}", value, house.get(word)) for word, value in then.get("house", {}).items()]
    for key, one in then["sides"].items():  # a record leaves out what is usual, and says if a person played
        has = now["sides"].get(key, {})
        words = [word for word in {*one, *has} - {"score", "losses"} if has.get(word) != "human"]
        pairs += [(f"{key}.{word}", one.get(word), has.get(word, one.get(word))) for word in words]
    for word, *values in pairs:
        if len({str(sorted(map(str, one)) if isinstance(one, list) else one) for one in values}) > 1:
            yield word


def lacks(old: Any, new: Any) -> bool:
    if isinstance(old, list):
        old, new = dict(enumerate(old)), dict(enumerate(new or []))
    return any(lacks(old[key], (new or {}).get(key)) for key in old) if isinstance(old, dict) else old != new


if __name__ == "__main__":
    names = [name for name in sys.argv[1:] if name != "--before"] or sys.exit(__doc__)
    files = {name: tomllib.loads(Path(name).read_text("utf-8")) for name in names}
    seals, old = files.pop(names[0]), files.pop(sys.argv[-1]) if sys.argv[-2] == "--before" else {}
    found = {name: [*wrong(seals, record)] for name, record in files.items()}
    found |= {names[0]: ["an older copy says otherwise"]} if lacks(old, seals) else {}
    print("\n".join(f"{name}: {'; '.join(what) or 'as it was sealed'}" for name, what in found.items()))
    sys.exit(any(found.values()))
