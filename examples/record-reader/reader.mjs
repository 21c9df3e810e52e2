// A reader of cardbattle records: node reader.mjs RECORD.toml...
//
// It checks the form, the digest, the places of the checks, the receipts and the deal of a record of any of the five
// rule sets, and every move of Strategy WAR. It has no dependencies and shares no code with cardbattle: it follows
// docs/format-record.md, section by section. `node reader.mjs --vectors vectors.json` checks its own parts.
// Exit codes: 0 all records agree, 1 one differs, 2 one cannot be read.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

class Refused extends Error {} // the file is not a record of this format
class Differs extends Error {} // the record contradicts itself

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");
const range = (n) => [...Array(n).keys()];
const same = (a, b) => canonical(a) === canonical(b);
const agree = (isRight, text) => {
  if (!isRight) throw new Differs(text);
};
const need = (isRight, text) => {
  if (!isRight) throw new Refused(text);
};

// TOML: what records use of it, with comments, dotted headers and literal strings

export function parseToml(text) {
  const root = Object.create(null);
  let table = root;
  let at = 0;
  const fail = (why) => {
    throw new Refused(`line ${text.slice(0, at).split("\n").length}: ${why}`);
  };
  const take = (pattern) => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match) at = pattern.lastIndex;
    return match;
  };
  const skip = () => take(/(?:[ \t\r\n]|#[^\n]*)*/y);
  const ESCAPES = { b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", '"': '"', "\\": "\\" };
  const unescape = (inside) =>
    inside.replace(/\\(u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)/g, (_, code) => {
      if (code.length > 1) return String.fromCodePoint(parseInt(code.slice(1), 16));
      return ESCAPES[code] ?? fail(`unknown escape \\${code}`);
    });
  const string = () => {
    const basic = take(/"((?:[^"\\\n]|\\.)*)"/y);
    if (basic) return unescape(basic[1]);
    const literal = take(/'([^'\n]*)'/y);
    return literal ? literal[1] : null;
  };
  const key = () => {
    const path = [];
    do {
      take(/[ \t]*/y);
      path.push(take(/[A-Za-z0-9_-]+/y)?.[0] ?? string() ?? fail("expected a key"));
      take(/[ \t]*/y);
    } while (take(/\./y));
    return path;
  };
  const inside = (from, path) =>
    path.reduce((now, word) => {
      if (!Object.hasOwn(now, word)) now[word] = Object.create(null);
      if (typeof now[word] !== "object" || Array.isArray(now[word])) fail(`${word} is not a table`);
      return now[word];
    }, from);
  const value = () => {
    const quoted = string();
    if (quoted !== null) return quoted;
    const word = take(/true|false/y);
    if (word) return word[0] === "true";
    const number = take(/[+-]?(?:0|[1-9](?:_?[0-9])*)(?![0-9_.eExob:-])/y);
    if (number) {
      const whole = BigInt(number[0].replace(/[_+]/g, ""));
      return Number.isSafeInteger(Number(whole)) ? Number(whole) : whole;
    }
    if (!take(/\[/y)) fail("expected a string, a whole number, true, false or a list");
    const list = [];
    for (skip(); !take(/\]/y); skip()) {
      list.push(value());
      skip();
      if (!take(/,/y) && text[at] !== "]") fail("expected a comma or ]");
    }
    return list;
  };
  const seen = new Set();
  for (skip(); at < text.length; skip()) {
    if (take(/\[(?!\[)/y)) {
      const path = key();
      if (!take(/\]/y)) fail("expected ]");
      if (seen.has(path.join("\0"))) fail(`[${path.join(".")}] is there twice`);
      seen.add(path.join("\0"));
      table = inside(root, path);
    } else {
      const path = key();
      const last = path.pop();
      const holder = inside(table, path);
      if (!take(/=[ \t]*/y)) fail("expected =");
      if (Object.hasOwn(holder, last)) fail(`${last} is there twice`);
      holder[last] = value();
    }
    if (!take(/[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y)) fail("expected the end of the line");
  }
  return root;
}

// Canonical JSON and digest

export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value !== "object") return String(value);
  const points = (text) => [...text].map((char) => char.codePointAt(0));
  const order = (a, b) => {
    const [p, q] = [points(a), points(b)];
    const place = p.findIndex((point, i) => point !== q[i]);
    return place < 0 ? p.length - q.length : p[place] - (q[place] ?? -1);
  };
  const pairs = Object.keys(value).sort(order);
  return `{${pairs.map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join(",")}}`;
}

export function digestOf(record) {
  const { digest, schema, events, ...content } = record;
  return `sha256:${sha256(canonical(content))}`;
}

// Seeds and streams

export class Stream {
  constructor(seed, path) {
    this.key = createHash("sha256").update(`cardbattle/1|${seed}|${path}`, "utf8").digest();
    [this.a, this.b, this.c] = [0, 4, 8].map((place) => this.key.readUInt32LE(place));
    this.counter = 1;
    for (let i = 0; i < 15; i++) this.word();
  }
  word() {
    const { a, b, c } = this;
    const word = (a + b + this.counter) >>> 0;
    this.counter = (this.counter + 1) >>> 0;
    this.a = (b ^ (b >>> 9)) >>> 0;
    this.b = (c + (c << 3)) >>> 0;
    this.c = (((c << 21) | (c >>> 11)) + word) >>> 0;
    return word;
  }
  below(n) {
    const unfair = 2n ** 32n % BigInt(n);
    for (;;) {
      const product = BigInt(this.word()) * BigInt(n);
      if ((product & 0xffffffffn) >= unfair) return Number(product >> 32n);
    }
  }
  shuffle(list) {
    for (let i = list.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [list[i], list[j]] = [list[j], list[i]];
    }
    return list;
  }
}

// Cards

const RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];
const pack = (primes = "") => RANKS.flatMap((rank) => [..."SHDC"].map((suit) => rank + suit + primes));
const numberedJokers = (primes) => range(8).map((n) => `J${n + 1}${primes}`);
const ORDER = ["", "'", "''", "'''"].flatMap((primes) => [
  ...numberedJokers(primes), ...pack(primes), `RJ${primes}`, `BJ${primes}`,
]);
const ascending = (cards) => [...cards].sort((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b));
const without = (cards, gone) => cards.filter((card) => !gone.includes(card));
const fromEnd = (cards, n) => range(n).map(() => cards.pop());

// House rules by lot

export function lots(rules, seats, seed) {
  const lot = new Stream(seed, "lot");
  if (rules === "wargame") return { first: seats[lot.below(2)] };
  if (rules === "field-of-honour" || rules === "warfare-tactics") return { dealer: seats[lot.below(2)] };
  if (rules === "warmonger") return { superpower: seats[(lot.below(seats.length) + 1) % seats.length] };
  return {};
}

// The deal: each function returns the piles, or null if a file of the umpire is needed

export const DEALS = {
  wargame: () => ({}),
  "strategy-war": () => ({}),
  "field-of-honour": dealFieldOfHonour,
  "warfare-tactics": dealWarfareTactics,
  warmonger: dealWarmonger,
};

function dealFieldOfHonour({ seed, seats, house, sides, moves }) {
  const extra = seats.map((key) => ascending(sides[key].extra ?? []));
  const source = house.pack ?? [...pack(), "RJ", "BJ"];
  const cards = without(source, extra.flat());
  if (!house.pack) new Stream(seed, "deal").shuffle(cards);
  const hands = extra.map((hand) => [...hand]);
  for (const [key, verb, card] of moves.map((move) => move.split(" "))) {
    if (verb !== "pick") break;
    const place = cards.indexOf(card);
    agree(place >= 0, `${key} picks ${card}, which is not in the pack`);
    if (house.pack) cards.splice(place, 1);
    else {
      const last = cards.pop();
      if (last !== card) cards[place] = last;
    }
    hands[seats.indexOf(key)].push(card);
  }
  const left = seats.map((key) => sides[key].hand ?? 10);
  const first = 1 - seats.indexOf(house.dealer);
  while (left.some((n) => n > 0))
    for (const seat of [first, 1 - first]) if (left[seat]-- > 0) hands[seat].push(cards.shift());
  return { ...Object.fromEntries(seats.map((key, seat) => [key, hands[seat]])), stack: cards };
}

function dealWarfareTactics({ seed, seats, house, sides }) {
  const isOwn = house.decks === "constructed";
  const stream = new Stream(seed, "deal");
  const deal = isOwn ? { decks: {} } : {};
  for (const users of isOwn ? seats.map((key) => [key]) : [seats]) {
    let cards = house.decks === 2 ? [...pack(), ...pack("'")] : pack();
    if (isOwn) {
      const primes = "''".repeat(seats.indexOf(users[0]));
      const deck = sides[users[0]].deck;
      cards = ascending(deck.map((card, i) => card + primes + (deck.indexOf(card) < i ? "'" : "")));
    }
    const fixed = users.flatMap((key) => [...(sides[key].extra ?? []), ...(sides[key].battlefield ?? [])]);
    cards = stream.shuffle(without(cards, fixed));
    for (const key of users)
      deal[key] = [...ascending(sides[key].extra ?? []), ...fromEnd(cards, sides[key].hand ?? 7)];
    (isOwn ? deal.decks : deal)[isOwn ? users[0] : "stack"] = cards.reverse();
  }
  return deal;
}

const WARMONGER_CARDS = [
  "Conscription", "Raid", "Cease-fire", "Provocation", "Air Strike", "Supply Drop", "Forced March", "Double Agent",
  "Field Promotion", "Reconnaissance", "Fighting Retreat", "Veto",
];

function dealWarmonger({ seed, seats, house, sides }) {
  if (!["ours", "none"].includes(house.cards)) return null;
  const stream = new Stream(seed, "deal");
  const packs = ["", "'"].slice(0, house.copies).flatMap((primes) => [...numberedJokers(primes), ...pack(primes)]);
  const cards = without(packs, seats.flatMap((key) => sides[key].extra ?? []));
  const even = Math.floor(cards.length / seats.length);
  stream.shuffle(cards);
  const deal = {};
  for (const key of seats) {
    const share = fromEnd(cards, sides[key].cards ?? even);
    deal[key] = stream.shuffle([...ascending(sides[key].extra ?? []), ...share]);
  }
  deal.aside = cards;
  if (house.cards === "none") return deal;
  const copies = 3 * house.copies;
  const left = stream.shuffle(WARMONGER_CARDS.flatMap((name) => Array(copies).fill(name)));
  deal.warmongers = {};
  for (const key of seats.filter((key) => sides[key].robot === undefined))
    deal.warmongers[key] = fromEnd(left, sides[key].warmongers ?? 1);
  if (!Object.keys(deal.warmongers).length) delete deal.warmongers;
  return deal;
}

// Checks

function checkPlaces(moves) {
  const places = range(moves.length).filter((at) => !moves[at].startsWith("fate "));
  const due = [];
  for (const at of [...places, moves.length]) {
    const isLast = at === moves.length && at !== due.at(-1);
    if (!due.length || at - due.at(-1) >= 20 || isLast) due.push(at);
  }
  return due;
}

const stateText = (state) => `[${state.map((list) => `[${list.join(", ")}]`).join(", ")}]`;
export const checkOf = (moves, text) => sha256(moves.map((move) => `${move}\n`).join("") + text).slice(0, 16);

// Strategy WAR, move by move

const RANK_TEXT = (rank) => RANKS[rank - 2];
const sum = (list) => list.reduce((total, value) => total + value, 0);
const zeros = (n) => Array(n).fill(0);

export class StrategyWar {
  constructor({ seats, house, sides }) {
    this.seats = seats;
    this.house = house;
    const hand = (key) => (sides[key].cards ?? RANKS).map((rank) => RANKS.indexOf(rank) + 2);
    this.start = seats.map((key) => hand(key).sort((a, b) => a - b));
    this.hands = this.start.map((cards) => [...cards]);
    this.seat = -1; // who is asked
    this.question = 0;
    this.options = [];
    this.round = this.carry = this.lost = 0;
    for (const list of ["sealed", "carried", "scores", "won", "best", "back"]) this[list] = zeros(seats.length);
    this.history = [];
    this.todo = [48];
    this.run();
  }
  get isLast() {
    return this.round === this.house.rounds || this.hands.every((hand) => !hand.length);
  }
  run() {
    this.seat = -1;
    while (this.seat < 0 && this.todo.length) {
      const step = this.todo.pop();
      if (step === 48) this.nextRound();
      else if (step === 32) this.reveal();
      else this.ask(step - 16);
    }
  }
  nextRound() {
    if (this.isLast) return;
    this.round += 1;
    this.todo.push(48, 32, ...range(this.seats.length).reverse().map((seat) => 16 + seat));
  }
  ask(seat) {
    const hand = this.hands[seat];
    if (this.house.auto_last && hand.length === 1) this.sealed[seat] = hand[0];
    else if (hand.length) {
      this.seat = seat;
      this.question = 1;
      this.options = [...new Set(hand)];
    }
  }
  move(text) {
    agree(this.seat >= 0, "the battle is over, but there are more moves");
    const key = this.seats[this.seat];
    const commit = this.options.find((rank) => text === `${key} commit ${RANK_TEXT(rank)}`);
    agree(commit || text === `${key} timeout`, `${text} is not possible; ${key} must commit a card of its hand`);
    this.sealed[this.seat] = commit ?? -Math.max(...this.hands[this.seat]);
    this.run();
  }
  reveal() {
    const sealed = this.sealed;
    const pot = this.carry + sum(sealed.map(Math.abs));
    sealed.forEach((card, seat) => {
      if (card) this.hands[seat].splice(this.hands[seat].indexOf(Math.abs(card)), 1);
    });
    this.history.push(sealed);
    const unique = sealed.filter((card) => card > 0 && sealed.filter((other) => other === card).length === 1);
    if (unique.length) {
      const winner = sealed.indexOf(Math.max(...unique));
      this.scores[winner] += pot;
      this.won[winner] += 1;
      this.best[winner] = Math.max(this.best[winner], pot);
      this.back[winner] += sealed[winner] + (this.carry ? this.carried[winner] : 0);
      if (this.carry) this.carried = zeros(this.seats.length);
      this.carry = 0;
    } else if (this.isLast) {
      this.lost = pot;
      this.carry = 0;
    } else {
      this.carry = pot;
      sealed.forEach((card, seat) => (this.carried[seat] += Math.abs(card)));
    }
    this.sealed = zeros(this.seats.length);
  }
  get state() {
    return [
      [this.seats.length, this.seat, this.question], this.options, [1], this.todo, ...this.hands,
      [this.round, this.carry, this.lost], this.sealed, this.carried, this.scores, this.won, this.best, this.back,
      ...this.history,
    ];
  }
  get outcome() {
    const top = (list, seats) => seats.filter((seat) => list[seat] === Math.max(...seats.map((each) => list[each])));
    let seats = top(this.scores, range(this.seats.length));
    let reason = "most-points";
    if (seats.length > 1) {
      const counts = { "most-rounds": this.won, "best-pot": this.best }[this.house.tiebreak];
      if (counts) seats = top(counts, seats);
      reason = seats.length === 1 ? "tiebreak" : "shared";
    }
    const losses = this.start.map((hand, seat) =>
      fraction(sum(hand) - sum(this.hands[seat]) - this.back[seat], sum(hand)),
    );
    return { winners: seats.map((seat) => this.seats[seat]), reason, scores: this.scores, losses };
  }
}

function fraction(part, whole) {
  const divisor = (a, b) => (b ? divisor(b, a % b) : a);
  const common = divisor(part, whole);
  return whole === common ? String(part / common) : `${part / common}/${whole / common}`;
}

function replayStrategyWar(record) {
  const battle = new StrategyWar(record);
  const checks = Object.fromEntries(record.checks.map((check) => check.split(":")));
  for (const n of range(record.moves.length + 1)) {
    if (checks[n]) agree(checks[n] === checkOf(record.moves.slice(0, n), stateText(battle.state)), `check ${n} differs`);
    if (n === record.moves.length) break;
    try {
      battle.move(record.moves[n]);
    } catch (error) {
      throw error instanceof Differs ? new Differs(`move ${n + 1}: ${error.message}`) : error;
    }
  }
  agree(battle.seat < 0, "the moves end before the battle does");
  const { winners, reason, scores, losses } = battle.outcome;
  agree(same(winners, record.winners) && reason === record.reason, `the moves give ${winners}, ${reason}`);
  record.seats.forEach((key, seat) => {
    const side = record.sides[key];
    agree(side.score === scores[seat], `${key}'s score is ${scores[seat]} by the moves`);
    agree(side.losses === losses[seat], `${key}'s losses are ${losses[seat]} by the moves`);
  });
}

// Receipts (docs/sealed.md)

function checkReceipts({ id, moves, receipts, seats, sides }) {
  const players = seats.filter((key) => sides[key].commander === "human").sort();
  agree(same(Object.keys(receipts.sides).sort(), players), "the receipts are not those of the players");
  const links = [`sha256:${sha256(`cardbattle-receipt-1|${id}|${receipts.salt}`)}`];
  for (const move of moves) links.push(`sha256:${sha256(`${links.at(-1)}|${move}`)}`);
  for (const [side, lines] of Object.entries(receipts.sides)) {
    const own = range(moves.length).filter((at) => moves[at].startsWith(`${side} `));
    for (const line of lines) {
      const [place, made, receipt] = line.split(":");
      const secret = own.slice(0, place - 1).filter((at) => at >= made).map((at) => moves[at]);
      const text = [links[made], side, place, ...secret].join("|");
      agree(sha256(text).slice(0, 32) === receipt, `the receipt of ${side} at question ${place} differs`);
    }
  }
}

// The form of a record

const TEXTS = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");
const TEXT = (value) => typeof value === "string";
const WHOLE = (value) => typeof value === "bigint" ? value > 0n && value < 2n ** 63n : Number.isSafeInteger(value) && value >= 0;
const TABLE = (value) => typeof value === "object" && !Array.isArray(value);
const FIELDS = {
  format: (value) => value === 1, id: TEXT, rules: TEXT, rules_version: (value) => value === 1, seats: TEXTS,
  winners: TEXTS, reason: TEXT, moves: TEXTS, fought: (value) => ["engine", "mixed", "table"].includes(value),
  house: TABLE, sides: TABLE, deal: TABLE,
};
const OFTEN = { seed: (value) => TEXT(value) || WHOLE(value), checks: TEXTS, digest: TEXT }; // "table" can lack them
const OPTIONAL = { files: TABLE, bound: TABLE, receipts: TABLE };
const LOSSES = (value) => {
  const match = /^(0|[1-9][0-9]*)(?:\/([1-9][0-9]*))?$/.exec(value);
  return match && +match[1] <= +(match[2] ?? 1) && fraction(+match[1], +(match[2] ?? 1)) === value;
};

export function checkForm(record) {
  const known = { ...FIELDS, ...OFTEN, ...OPTIONAL };
  for (const key of Object.keys(record)) need(Object.hasOwn(known, key), `${key} is not a key of a record`);
  const needed = record.fought === "table" ? FIELDS : { ...FIELDS, ...OFTEN };
  for (const key of Object.keys(needed)) need(Object.hasOwn(record, key), `${key} is missing`);
  for (const [key, value] of Object.entries(record)) need(known[key](value), `${key} has a wrong value`);
  const { seats, winners, sides, moves, checks = [] } = record;
  need(Object.hasOwn(DEALS, record.rules), `this reader does not know the rules ${record.rules}`);
  need(new Set(seats).size === seats.length, "seats has duplicates");
  need(same([...seats].sort(), Object.keys(sides).sort()), "seats and sides have different keys");
  need(same(seats.filter((key) => winners.includes(key)), winners), "winners are not in seat order");
  for (const key of seats) {
    need(TEXT(sides[key].name) && TEXT(sides[key].commander), `sides.${key}: name or commander is missing`);
    need(WHOLE(sides[key].score) && LOSSES(sides[key].losses), `sides.${key}: score or losses is wrong`);
  }
  moves.forEach((move, n) => {
    const [mover, ...rest] = move.split(" ");
    need([...seats, "fate"].includes(mover) && rest.join("").length, `move ${n + 1} belongs to no side`);
  });
  for (const check of checks) need(/^(0|[1-9][0-9]{0,7}):[0-9a-f]{16}$/.test(check), `${check} is not a check`);
}

// Verify a record

export function verify(record) {
  checkForm(record);
  if (record.digest !== undefined) agree(record.digest === digestOf(record), "the digest does not match");
  if (record.receipts) checkReceipts(record);
  if (record.fought === "table") return "digest agrees; a battle at a table, not replayed";
  const numbers = record.checks.map((check) => Number(check.split(":")[0]));
  agree(same(numbers, checkPlaces(record.moves)), "the checks are not where they belong");
  const agreed = ["digest"];
  if (record.fought === "engine") {
    const deal = DEALS[record.rules](record);
    if (deal) {
      agree(same(deal, record.deal), "the deal does not follow from the seed");
      agreed.push("deal");
    }
  }
  if (record.rules !== "strategy-war") return `${agreed.join(" and ")} agree; ${record.rules} is not replayed`;
  replayStrategyWar(record);
  return `${agreed.join(", ")} and all ${record.moves.length} moves agree`;
}

function checkVectors(vectors) {
  const differ = [];
  const test = (kind, n, isRight) => isRight || differ.push(`${kind} ${n + 1}`);
  const each = (kind, fits) => vectors[kind].forEach((vector, n) => test(kind, n, fits(vector)));
  each("canonical", ({ value, text, sha256: hash }) => canonical(value) === text && sha256(text) === hash);
  each("streams", ({ seed, path, key, words }) => {
    const stream = new Stream(seed, path);
    return stream.key.toString("hex") === key && same(words.map(() => stream.word()), words);
  });
  each("below", ({ seed, path, bounds, numbers }) => {
    const stream = new Stream(seed, path);
    return same(bounds.map((n) => stream.below(n)), numbers);
  });
  each("shuffle", ({ seed, path, n, order }) => same(new Stream(seed, path).shuffle(range(n)), order));
  each("lots", ({ rules, seats, seed, house }) => same(lots(rules, seats, seed), house));
  each("deals", (vector) => same(DEALS[vector.rules](vector), vector.deal));
  each("checks", ({ moves, state, check }) => {
    const battle = new StrategyWar(vectors.digests[0].record);
    moves.forEach((move) => battle.move(move));
    return stateText(battle.state) === state && checkOf(moves, state) === check;
  });
  each("digests", ({ record, text, digest }) => digestOf(record) === digest && `sha256:${sha256(text)}` === digest);
  return differ;
}

function main(args) {
  if (args[0] === "--vectors") {
    const vectors = JSON.parse(readFileSync(args[1], "utf8"));
    const differ = checkVectors(vectors);
    console.log(differ.length ? `these vectors differ: ${differ.join(", ")}` : "all vectors agree");
    return differ.length ? 1 : 0;
  }
  let code = 0;
  for (const file of args) {
    try {
      console.log(`${file}: ${verify(parseToml(readFileSync(file, "utf8")))}`);
    } catch (error) {
      console.log(`${file}: ${error.message}`);
      code = Math.max(code, error instanceof Differs ? 1 : 2);
    }
  }
  return code;
}

if (process.argv[1] === new URL(import.meta.url).pathname) process.exitCode = main(process.argv.slice(2));
