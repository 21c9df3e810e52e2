// Run the conformance cases of Strategy WAR in node: node cases.mjs CASES.json > results.json
//
// `cardbattle cases show --rules strategy-war --json -o CASES.json` writes the cases, and
// `cardbattle cases check results.json` compares the answers. docs/conformance.md describes both files. The program has
// no dependencies and shares no code with cardbattle: the rules are those of reader.mjs. It also counts the
// continuations of the positions and compares them (exit code 1 if one differs).
import { readFileSync } from "node:fs";
import { StrategyWar } from "./reader.mjs";

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const HOUSE = { rounds: 13, mode: "open", tiebreak: "shared", auto_last: false };
const rank = (card) => (card ? RANKS[Math.abs(card) - 2] : null);
const ascending = (cards) => [...cards].sort((a, b) => a - b);

class ShownWar extends StrategyWar {
  // An event is { event, side, fields, hidden, eyes }: the sides in `eyes` also see the hidden fields.
  note(event, fields, hidden = {}, eyes = []) {
    this.events ??= []; // the first round begins before a field could be set
    this.events.push({ event, fields, hidden, eyes });
  }
  get isDark() {
    return this.house.mode === "dark";
  }
  nextRound() {
    const before = this.round;
    super.nextRound();
    if (this.round > before)
      this.note("round_begun", { round: this.round, rounds: this.house.rounds, carry: this.carry });
    else this.noteEnd();
  }
  ask(seat) {
    super.ask(seat);
    if (this.sealed[seat]) this.noteCommit(seat);
  }
  move(text) {
    const seat = this.seat;
    this.isCommitting = seat;
    super.move(text);
  }
  run() {
    if (this.isCommitting >= 0) this.noteCommit(this.isCommitting);
    this.isCommitting = -1;
    super.run();
  }
  noteCommit(seat) {
    const card = this.sealed[seat];
    this.note("committed", { side: this.seats[seat] }, { card: rank(card), in_time: card > 0 }, [this.seats[seat]]);
  }
  reveal() {
    const { sealed, scores, carry } = this;
    const before = [...scores];
    const pot = carry + sealed.reduce((total, card) => total + Math.abs(card), 0);
    super.reveal();
    if (this.isDark) {
      const fields = {
        pooled: ascending(sealed.filter((card) => card > 0)).reverse().map(rank),
        sacrificed: ascending(sealed.filter((card) => card < 0).map(Math.abs)).reverse().map(rank),
      };
      this.note("revealed", fields, this.owners(sealed));
    } else this.note("revealed", this.owners(sealed));
    const winner = this.scores.findIndex((score, seat) => score > before[seat]);
    if (winner >= 0) {
      const known = { card: rank(sealed[winner]), pot };
      const owner = { winner: this.seats[winner], scores: [...this.scores] };
      if (this.isDark) this.note("won", known, owner);
      else this.note("won", { ...known, ...owner });
    } else this.note(this.isLast ? "pot_lost" : "rolled_over", { pot });
  }
  owners(sealed) {
    return { cards: sealed.map((card) => rank(card) ?? "-"), timed_out: this.seats.filter((_, seat) => sealed[seat] < 0) };
  }
  winnerOf(sealed) {
    const single = sealed.filter((card) => card > 0 && sealed.filter((other) => other === card).length === 1);
    return single.length ? this.seats[sealed.indexOf(Math.max(...single))] : null;
  }
  noteEnd() {
    if (this.isDark)
      this.history.forEach((sealed, n) =>
        this.note("unveiled", { round: n + 1, ...this.owners(sealed), winner: this.winnerOf(sealed) }),
      );
    const { winners, reason, scores } = this.outcome;
    this.note("ended", { winners, reason, scores: [...scores], lost_pot: this.lost });
  }
  view(key) {
    const seat = this.seats.indexOf(key);
    const isShown = !this.isDark || this.seat < 0;
    const others = this.hands.filter((_, other) => other !== seat).flat();
    return {
      round: this.round,
      rounds: this.house.rounds,
      carry: this.carry,
      hand: this.hands[seat].map(rank),
      pool: ascending(others).map(rank),
      sizes: this.hands.map((hand) => hand.length),
      hands: isShown ? this.hands.map((hand) => hand.map(rank)) : [],
      scores: isShown ? [...this.scores] : [],
      history: isShown ? this.history.map((sealed) => sealed.map((card) => (card > 0 ? rank(card) : null))) : [],
    };
  }
}

const table = ({ event, fields, hidden, eyes }, key) => ({
  event,
  ...fields,
  ...(key === undefined || eyes.includes(key) ? hidden : {}),
});

function isRefused({ seats, house = {}, sides = {} }) {
  const { rounds, mode, tiebreak, auto_last } = { ...HOUSE, ...house };
  const hands = seats.map((key) => (sides[key] ?? {}).cards ?? RANKS);
  return !(
    seats.length >= 2 &&
    seats.length <= 10 &&
    Number.isInteger(rounds) &&
    rounds >= 1 &&
    rounds <= 26 &&
    ["open", "dark"].includes(mode) &&
    ["shared", "most-rounds", "best-pot"].includes(tiebreak) &&
    typeof auto_last === "boolean" &&
    Object.keys(house).every((word) => word in HOUSE) &&
    hands.every((hand) => hand.length >= 1 && hand.length <= 26 && hand.every((card) => RANKS.includes(card)))
  );
}

const begin = ({ seats, house, sides }) => new ShownWar({ seats, house: { ...HOUSE, ...house }, sides });

function observe(battle, expected, from) {
  const isOver = battle.seat < 0;
  const events = (battle.events ?? []).slice(from);
  const seen = Object.keys({ ...expected.seen, ...expected.unseen });
  const { winners, reason, losses } = isOver ? battle.outcome : {};
  const bySeat = (list) => Object.fromEntries(battle.seats.map((key, seat) => [key, list[seat]]));
  return {
    asks: isOver ? null : battle.seats[battle.seat],
    question: isOver ? null : "commit",
    options: isOver ? [] : battle.options.map((card) => `commit ${rank(card)}`),
    also: isOver ? [] : ["timeout"],
    events: events.map((event) => table(event)),
    seen: Object.fromEntries(seen.map((key) => [key, events.map((event) => table(event, key))])),
    views: Object.fromEntries(Object.keys(expected.views ?? {}).map((key) => [key, battle.view(key)])),
    scores: bySeat(battle.scores),
    winners: winners ?? null,
    reason: reason ?? null,
    losses: losses ? bySeat(losses) : null,
    next_house: isOver ? {} : null,
  };
}

function answer(test) {
  if (isRefused(test)) return { refused: true };
  const battle = begin(test);
  const points = [];
  let from = 0;
  try {
    for (const { move, expect } of test.steps) {
      if (move !== undefined) battle.move(move);
      else {
        points.push(observe(battle, expect, from));
        from = battle.events.length;
      }
    }
  } catch (error) {
    return { points, error: error.message };
  }
  return { points };
}

function perft(position) {
  const lines = position.lines.map(() => 0);
  const ended = position.lines.map(() => 0);
  const count = (moves) => {
    const battle = begin(position);
    for (const move of moves) battle.move(move);
    if (moves.length) lines[moves.length - 1] += 1;
    if (moves.length && battle.seat < 0) ended[moves.length - 1] += 1;
    if (battle.seat < 0 || moves.length === lines.length) return;
    for (const card of battle.options) count([...moves, `${battle.seats[battle.seat]} commit ${rank(card)}`]);
  };
  count([]);
  return { lines, ended };
}

const suite = JSON.parse(readFileSync(process.argv[2], "utf8"));
const isOurs = ({ rules }) => rules === "strategy-war";
const results = Object.fromEntries(suite.cases.filter(isOurs).map((test) => [test.id, answer(test)]));
console.log(JSON.stringify({ format: 1, implementation: "cases.mjs 1.0 (node)", results }, null, 1));
for (const position of (suite.positions ?? []).filter(isOurs)) {
  const { lines, ended } = perft(position);
  const isSame = `${lines}` === `${position.lines}` && `${ended}` === `${position.ended}`;
  if (!isSame) process.exitCode = 1;
  console.error(`${position.id}: ${isSame ? "the numbers agree" : `counted ${lines}; ended ${ended}`}`);
}
