"""A sample engine without dependencies: it chooses at random.

Run it with: cardbattle resolve wargame --engine sample='python examples/engines/random_engine.py' \
--side brown=engine:sample --side green
"""

import json
import random
import sys

battles = {}  # by battle id: its random numbers


def reply(message):
    """Return the answer to a message, or None."""
    kind, battle = message.get("type"), message.get("battle")
    if kind == "hello":
        return {"type": "ready", "protocol": 1, "name": "random sample"}
    if kind == "new":
        battles[battle] = random.Random(message["seed"])
    elif kind == "ask":
        if battle not in battles:
            return {"type": "error", "code": "unknown-battle", "text": "no such battle", "battle": battle}
        option = battles[battle].choice(message["options"])
        answer = {"type": "answer", "battle": battle, "sequence": message["sequence"]}
        return {**answer, "option": option["id"], "comment": f"1 of {len(message['options'])}"}
    elif kind == "result":
        battles.pop(battle, None)
    elif kind == "quit":
        sys.exit()
    elif kind not in ("event", "stop", "error"):
        return {"type": "error", "code": "unknown-message", "text": f"unknown message {kind}"}
    return None


for line in sys.stdin:
    try:
        answer = reply(json.loads(line))
    except (ValueError, AttributeError, KeyError):
        answer = {"type": "error", "code": "invalid-message", "text": "this is not a message"}
    if answer:
        print(json.dumps(answer), flush=True)
