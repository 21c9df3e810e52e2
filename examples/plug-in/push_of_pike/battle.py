"""Both sides play a card in secret, and the higher card wins. The rules (PP-1) are in rules.md."""

from __future__ import annotations

from cardbattle.plugin import NOBODY, UNKNOWN, Battle, Chance, Outcome, RandomSource, View, rank_of

PUSH = 1  # question

ASK_PUSH, CLASH, NEXT_PUSH = 16, 32, 48  # steps

HOLDS = UNKNOWN  # the side has not chosen a card yet


class PushOfPikeView(View):
    """Everything that a side knows, which is its own hand and all cards that were played."""

    def __init__(self, battle: PushOfPike, side: int) -> None:
        is_asked = battle.side == side
        self.side = side
        self.question = battle.question if is_asked else 0
        self.options = battle.options.copy() if is_asked else []
        self.hand = battle.hands[side].copy()
        self.enemy_size = len(battle.hands[1 - side])
        self.played = battle.played.copy()
        self.won = battle.won.copy()


class PushOfPike(Battle):
    """One battle of Push of Pike."""

    hands: list[list[int]]  # in ascending order; a card stays here until both sides have chosen
    aside: list[int]  # cards that were not dealt
    played: list[int]
    sealed: list[int]
    won: list[int]
    pushes: int

    def begin(self, hands: list[list[int]], aside: list[int], random_source: RandomSource) -> None:
        """Prepare the battle (PP-1)."""
        self.open_agenda(2, random_source)
        self.hands = [sorted(hand) for hand in hands]
        self.aside = aside.copy()
        self.played = []
        self.sealed = [HOLDS, HOLDS]
        self.won = [0, 0]
        self.pushes = 0
        self.then(NEXT_PUSH)

    def step(self, step: int, side: int) -> None:
        """Carry out one step of the agenda. The steps below are in the order of play."""
        if step == ASK_PUSH:
            self.ask_push(side)
        elif step == CLASH:
            self.clash()
        else:
            self.next_push()

    def answer(self, question: int, side: int, choice: int) -> None:
        """Carry out a side's choice."""
        self.push(side, choice)

    def next_push(self) -> None:
        """Begin a push, or end the battle (PP-5)."""
        if self.hands[0] and self.hands[1]:
            self.then(ASK_PUSH, ASK_PUSH + 1, CLASH, NEXT_PUSH)
        elif self.log is not None:
            ended = self.outcome()
            fields = {"winners": ended.winners, "reason": ended.reason, "scores": self.won.copy()}
            self.emit("ended", NOBODY, fields)

    def ask_push(self, side: int) -> None:
        """Ask a side for a card (PP-3). Unknown cards are not options."""
        hand = self.hands[side]
        if UNKNOWN in hand:
            self.ask_even_if_forced(side, PUSH, known(hand))
        else:
            self.ask(side, PUSH, hand.copy())

    def push(self, side: int, card: int) -> None:
        """Store the card that a side has chosen in secret (PP-3)."""
        self.sealed[side] = card

    def clash(self) -> None:
        """Turn up both cards. The higher card wins (PP-4)."""
        first, second = self.sealed
        lead = rank_of(first) - rank_of(second)
        winner = NOBODY if lead == 0 else int(lead < 0)
        for side in (0, 1):
            self.hands[side].remove(self.sealed[side])
        self.played += self.sealed
        self.pushes += 1
        if winner != NOBODY:
            self.won[winner] += 1
        if self.log is not None:
            self.emit("clashed", NOBODY, {"cards": [first, second], "winner": winner, "push": self.pushes})
        self.sealed = [HOLDS, HOLDS]

    def winners(self) -> list[int]:
        """Return the side that has won more pushes. The list is empty after a draw (PP-5)."""
        if self.won[0] == self.won[1]:
            return []
        return [int(self.won[0] < self.won[1])]

    def score(self, side: int) -> int:
        """Return the number of pushes that a side has won (PP-6)."""
        return self.won[side]

    def outcome(self) -> Outcome[int]:
        """Return the winner, and the share of the pushes that each side lost (PP-5, PP-6)."""
        losses = [(self.won[1 - side], max(1, self.pushes)) for side in (0, 1)]
        winners = self.winners()
        return Outcome(winners, "more-pushes" if winners else "level", losses)

    def view(self, side: int) -> PushOfPikeView:
        """Return everything that this side knows."""
        return PushOfPikeView(self, side)

    def redeal(self, viewer: int, chance: Chance) -> PushOfPike:
        """Return a copy with another enemy hand. If the enemy has chosen a card, it is asked again."""
        new = self.copy()
        enemy = 1 - viewer
        unseen = sorted(new.hands[enemy] + new.aside)
        chance.shuffle(unseen)
        size = len(new.hands[enemy])
        new.hands[enemy] = sorted(unseen[:size])
        new.aside = unseen[size:]
        if new.sealed[enemy] != HOLDS:
            new.sealed[enemy] = HOLDS
            new.then(ASK_PUSH + enemy)
        if new.side == enemy:
            new.options = known(new.hands[enemy])
        return new

    def copy(self) -> PushOfPike:
        """Return an independent copy of the battle."""
        new = PushOfPike()
        self.copy_agenda(new)
        new.hands = [hand.copy() for hand in self.hands]
        new.aside = self.aside.copy()
        new.played = self.played.copy()
        new.sealed = self.sealed.copy()
        new.won = self.won.copy()
        new.pushes = self.pushes
        return new

    def state(self) -> list[list[int]]:
        """Return all fields that can change as lists of numbers."""
        return [*self.agenda(), *self.hands, self.aside, self.played, self.sealed, self.won, [self.pushes]]


def known(hand: list[int]) -> list[int]:
    """Return the known cards of a hand."""
    return [card for card in hand if card != UNKNOWN]
