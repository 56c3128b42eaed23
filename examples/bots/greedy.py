#!/usr/bin/env python3
"""A bot for Lair in Python, with nothing but the standard library.

Play against it:   lair play --seats "you,exec:python3 examples/bots/greedy.py"

It reads lines of JSON, and writes one line for every question. It builds the room
that deals the most damage and lures only heroes it can kill, acts when a hero
would get through, and otherwise passes.
docs/bot-protocol.md explains the messages.
"""

import json
import sys

CARDS = {}  # the printed cards of this game, by `face`


def say(message):
    """Every message is one line. Without the flush, Lair would wait forever."""
    print(json.dumps(message), flush=True)


def strength(card):
    """A room's printed damage."""
    text = CARDS.get(card.get("face")) if card else None
    if text is None:
        return 0  # no card, or one whose face we may not see
    return text.get("damage", 0)


def treasure(card):
    text = CARDS.get(card.get("face")) if card else None
    return text["treasure"] if text else {}


def prospects(view, new=None, old=None):
    """The value of the heroes we would lure from town with `new` built on `old`:
    heroes we can kill are welcome, the others are not."""
    mine = view["players"][view["seat"] - 1]
    power = sum(room["damage"] for room in mine["dungeon"]) + strength(new) - strength(old)
    total = 0
    for hero in view["town"]:
        for name in (name for name, wanted in treasure(hero["card"]).items() if wanted):
            ours = mine["treasure"][name] + treasure(new).get(name, 0) - treasure(old).get(name, 0)
            theirs = max(p["treasure"][name] for p in view["players"] if p is not mine)
            if ours > theirs:
                total += 4 if hero["health"] <= power else -8
    return total


def value(choice, ask):
    """How good an answer is. We take the best."""
    view, decision = ask["view"], ask["decision"]
    me, kind = view["seat"], choice["kind"]
    now = prospects(view)  # without building anything
    if kind == "pass":
        return now + 0.5
    if kind == "build":
        gain = strength(choice["card"]) - strength(choice.get("on"))
        if choice["dungeon"] != me:
            return now - gain
        if "on" not in choice:
            gain += 1  # the fifth room levels up our boss
        return gain + prospects(view, choice["card"], choice.get("on"))
    if kind == "use":
        # Cards are precious: use one only when a hero would reach our boss.
        mine = view["players"][me - 1]
        heroes = mine["inside"] + mine["entrance"]
        danger = any(hero.get("forecast", {}).get("fate") == "wounds" for hero in heroes)
        return now + (2 if danger else -1)
    if kind == "yes":
        return -1 if decision["question"] == "mulligan" else 1
    if kind == "pick":
        return value_of_pick(choice, decision, me, view)
    return 0  # "no"


def value_of_pick(choice, decision, me, view):
    """What is picked usually suffers: better theirs than ours, and our weakest first."""
    if choice.get("player") is not None:
        return -1 if choice["player"] == me else 0
    card = choice.get("card")
    if card is None:
        return 0
    if decision["question"] == "discard_two":
        return -strength(card)
    mine = view["players"][me - 1]
    ours = {room["card"]["id"] for room in mine["dungeon"]} | {c["id"] for c in mine["hand"]["cards"]}
    return -strength(card) if card["id"] in ours else strength(card)


def main():
    for line in sys.stdin:
        message = json.loads(line)
        if "hello" in message:
            say({"hello": "greedy.py", "protocol": 3})
        elif "start" in message:
            CARDS.clear()
            CARDS.update((card["face"], card) for card in message["start"]["cards"])
        elif "legal" in message:
            values = [value(choice, message) for choice in message["legal"]]
            say({"index": values.index(max(values)), "seq": message["seq"]})
        elif "bye" in message:
            break
        # Everything else, such as {"over": ...}, needs no answer.


if __name__ == "__main__":
    main()
