#!/usr/bin/env python3
"""A bot for Lair in Python, with nothing but the standard library.

Play against it:   lair play --seats "you,exec:python3 examples/bots/greedy.py"

It reads one line of JSON, and writes one line for every question. It builds the
strongest room it can, kills heroes that would get through, and otherwise passes.
docs/bot-protocol.md explains the messages.
"""

import json
import sys

CARDS = {}  # what is printed on the cards of this game, by `face`


def say(message):
    """One message is one line. Without the flush, Lair would wait for it."""
    print(json.dumps(message), flush=True)


def strength(card):
    """What a room is worth: damage kills, treasure lures."""
    text = CARDS.get(card.get("face")) if card else None
    if text is None:
        return 0  # a card whose face we may not see, or none
    return 2 * text.get("damage", 0) + sum(text["treasure"].values())


def worth(choice, ask):
    """How much we like an answer. The best one is taken."""
    view, decision = ask["view"], ask["decision"]
    me, kind = view["seat"], choice["kind"]
    if kind == "pass":
        return 0.5
    if kind == "build":
        gain = strength(choice["card"]) - strength(choice.get("on"))
        if "on" not in choice:
            gain += 3  # a longer dungeon hits more often, and five rooms level up
        return gain if choice["dungeon"] == me else -gain
    if kind == "use":
        # Cards are precious: use one only when a hero would reach our boss.
        mine = view["players"][me - 1]
        heroes = mine["inside"] + mine["entrance"]
        danger = any(hero.get("forecast", {}).get("fate") == "wounds" for hero in heroes)
        return 2 if danger else -1
    if kind == "yes":
        return -1 if decision["question"] == "mulligan" else 1
    if kind == "pick":
        return worth_of_pick(choice, decision, me, view)
    return 0  # "no"


def worth_of_pick(choice, decision, me, view):
    """Chosen things mostly suffer: rather theirs than ours, and our weakest."""
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
            say({"hello": "greedy.py", "protocol": 1})
        elif "start" in message:
            CARDS.clear()
            CARDS.update((card["face"], card) for card in message["start"]["cards"])
        elif "legal" in message:
            values = [worth(choice, message) for choice in message["legal"]]
            say({"index": values.index(max(values)), "seq": message["seq"]})
        elif "bye" in message:
            break
        # Everything else, such as {"over": ...}, needs no answer.


if __name__ == "__main__":
    main()
