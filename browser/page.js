// The page: each choice becomes a request to PageApp in the worker, and the page shows the answer.
"use strict";
const at = (id) => document.getElementById(id);
const facts = JSON.parse(at("facts").textContent);
const OPTIONS_SHOWN = 40;

// The engine: a worker that runs Python, started by the first request.

const waiting = new Map();
let worker = null;
let numbered = 0;

function start() {
  const address = URL.createObjectURL(new Blob([at("worker").textContent], { type: "text/javascript" }));
  worker = new Worker(address);
  worker.onmessage = ({ data }) => {
    if (data.step) return showEngine(data.step, data.share);
    if (data.ready) return (at("engine").hidden = true);
    if (data.number === undefined) return stopped(data.answer.failure);
    if (data.answer.deck) at("deck").innerHTML = data.answer.deck;
    waiting.get(data.number)?.(data.answer);
    waiting.delete(data.number);
  };
  worker.onerror = (error) => stopped(error.message);
  showEngine("Unpacking", 0.02);
  for (const part of document.querySelectorAll("script[data-part]")) {  // one at a time, so that no part is in memory twice
    worker.postMessage({ part: part.dataset.part, text: part.textContent });
    part.remove();
  }
  worker.postMessage({ begin: true });
}

function showEngine(words, share) {
  at("engine").hidden = false;
  at("engine-words").textContent = `${words} ... (once per tab)`;
  at("engine-bar").value = share;
}

function stopped(why) {
  at("engine").hidden = true;
  for (const answer of waiting.values()) answer({ errors: [`this browser cannot run the page: ${why}`] });
  waiting.clear();
}

function ask(request, given = {}) {
  if (!worker) start();
  numbered += 1;
  const number = numbered;
  return new Promise((resolve) => {
    waiting.set(number, resolve);
    worker.postMessage({ number, request, given });
  });
}

// Errors and progress.

function showErrors(errors) {
  const lines = errors.map((text) => element("pre", { textContent: text, tabIndex: 0 }));
  at("errors").replaceChildren(...lines);
  at("errors").hidden = !errors.length;
  if (errors.length) at("errors").scrollIntoView({ block: "nearest" });
}

async function answered(words, request, given) {
  showErrors([]);
  at("busy").textContent = worker ? `${words} ...` : "";
  document.body.setAttribute("aria-busy", "true");
  const answer = await ask(request, given);
  document.body.removeAttribute("aria-busy");
  at("busy").textContent = "";
  if (answer.failure) showErrors([`unexpected failure, a bug in the program:\n${answer.failure}`]);
  if (answer.errors) showErrors(answer.errors);
  for (const remark of answer.remarks || []) at("busy").textContent += ` ${remark}`;
  return answer.failure || answer.errors ? null : answer;
}

function element(name, values = {}, ...children) {
  const made = Object.assign(document.createElement(name), values);
  made.append(...children);
  return made;
}

function show(id) {
  at(id).hidden = false;
}

// Move the focus to an element, and scroll `top` to the top of the window.
function goTo(id, top = id) {
  at(id).focus({ preventScroll: true });
  at(top).scrollIntoView({ block: "start" });
}

// Put HTML into an element; parts wider than the window get the focus, so that keys can scroll them.
function put(node, html) {
  node.innerHTML = html;
  for (const wide of node.querySelectorAll(".wide")) {
    if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  }
}

function download(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "application/toml" }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

// Views.

const RESULTS = ["counting", "outcome"];

function openView(name) {
  for (const button of document.querySelectorAll("nav button")) {
    if (button.dataset.view === name) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
    at(button.dataset.view).hidden = button.dataset.view !== name;
  }
  showErrors([]);
  at("busy").textContent = "";
}

function onlyResult(name) {
  for (const id of RESULTS) at(id).hidden = id !== name;
}

// The form, which writes the battle file.

const chosen = () => facts.rules.find((rules) => rules.key === at("rules").value);
let isByHand = false;
let fileName = "battle.toml";

function fillForm() {
  at("rules").append(...facts.rules.map((rules) => element("option", { value: rules.key, textContent: rules.name })));
  at("credits").append(...facts.rules.map((rules) => element("p", { textContent: rules.credit })));
  chooseRules();
}

function chooseRules() {
  const rules = chosen();
  const counts = [];
  for (let count = rules.fewest; count <= rules.most; count++) {
    counts.push(element("option", { value: count, textContent: count, selected: count === rules.sides.length }));
  }
  at("count").replaceChildren(...counts);
  at("house").replaceChildren(...rules.house.map((option) => optionField(`house.${option.word}`, option)));
  at("house-part").open = false;
  at("rulebook").replaceChildren();
  at("rules-part").open = false;
  chooseCount();
}

function sideKeys() {
  const keys = chosen().sides.slice(0, Number(at("count").value));
  while (keys.length < Number(at("count").value)) keys.push(`p${keys.length + 1}`);
  return keys;
}

function chooseCount() {
  for (const field of at("house").querySelectorAll('[data-kind="side"]')) field.replaceChildren(...choices(["", ...sideKeys()], ""));
  at("sides").replaceChildren(...sideKeys().map(sideFields));
  writeFile();
}

function sideFields(key, seat) {
  const commanders = Object.entries(facts.commanders).map(([name, words]) =>
    element("option", { value: name, textContent: name, title: words, selected: name === "regular" }));
  commanders.push(element("option", { value: "human", textContent: "you (when you play)" }));
  const name = element("input", { name: `${key}.name`, autocomplete: "off", maxLength: 40, placeholder: titled(key) });
  const more = element("details", {}, element("summary", { textContent: "Advantages and handicaps" }),
    element("div", { className: "fields" }, ...chosen().options.map((option) => optionField(`${key}.${option.word}`, option))));
  return element("fieldset", {}, element("legend", { textContent: `Side ${seat + 1}` }),
    element("div", { className: "fields" }, element("label", { textContent: "Name " }, name),
      element("label", { textContent: "Commander " }, element("select", { name: `${key}.commander` }, ...commanders))), more);
}

const titled = (key) => (/^p\d+$/.test(key) ? key.toUpperCase() : key[0].toUpperCase() + key.slice(1));

function optionField(name, option) {
  const usual = Array.isArray(option.default) ? option.default.join(" ") : String(option.default);
  const help = element("small", { id: `help-${name}`, textContent: `${option.help}; ${option.expects}` });
  let field = element("input", { name, autocomplete: "off", spellcheck: false, placeholder: usual || "rule-book default" });
  if (option.kind === "boolean") field = select(name, ["", "true", "false"], usual);
  if (option.kind === "side") field = select(name, ["", ...sideKeys()], usual);
  field.dataset.kind = option.kind;
  field.setAttribute("aria-describedby", help.id);
  return element("label", { textContent: `${option.word.replaceAll("_", " ")} ` }, field, help);
}

const select = (name, values, usual) => element("select", { name }, ...choices(values, usual));

function choices(values, usual) {
  const label = (value) => value || (usual ? `default (${usual})` : "at random");
  return values.map((value) => element("option", { value, textContent: label(value) }));
}

// Write a value as TOML, by its kind. A value that does not fit stays text, and PageApp reports the error.
function toml(kind, text) {
  const cards = text.split(/[\s,]+/).filter(Boolean);
  if (kind === "boolean") return text;
  if (kind === "cards") return `[${cards.map((card) => JSON.stringify(card)).join(", ")}]`;
  if (kind === "numbers") return `[${cards.map(word).join(", ")}]`;
  return kind === "integer" || kind === "choice" ? word(text) : JSON.stringify(text);
}

const word = (text) => (/^\d{1,15}$/.test(text) ? String(Number(text)) : JSON.stringify(text));

function battleText() {
  const lines = ["format = 1", `rules = "${chosen().key}"`];
  const seed = at("seed").value.trim();
  if (seed) lines.push(`seed = ${word(seed)}`);
  const owners = ["house", ...sideKeys()];
  for (const owner of owners) {
    const said = [...at("form").elements].filter((field) => field.name.startsWith(`${owner}.`) && field.value.trim());
    if (owner === "house" && !said.length) continue;
    lines.push("", owner === "house" ? "[house]" : `[sides.${owner}]`);
    for (const field of said) lines.push(`${field.name.split(".")[1]} = ${toml(field.dataset.kind, field.value.trim())}`);
  }
  return `${lines.join("\n")}\n`;
}

function writeFile() {
  if (!isByHand) at("text").value = battleText();
}

function byHand(isIt) {
  isByHand = isIt;
  at("by-form").hidden = !isIt;
  for (const field of at("form").elements) field.disabled = isIt;
  if (isIt) at("file-part").open = true;
  else {
    fileName = "battle.toml";
    writeFile();
  }
}

function takeFile(name, text) {
  byHand(true);
  fileName = name;
  at("text").value = text;
  openView("battle");
  goTo("battle-title");
}

// A battle fought, and its record.

let record = null;

async function resolveBattle() {
  const answer = await answered("Fighting", "resolve", { text: at("text").value, name: fileName });
  if (answer) showOutcome(answer);
}

function showOutcome(answer, top = "outcome-title") {
  record = answer;
  history.replaceState(null, "", location.pathname);  // the address names a step of the battle before
  at("detail").value = "log";
  const sides = Object.entries(answer.sides).map(([key, name]) => element("option", { value: key, textContent: `${name} only` }));
  at("viewer").replaceChildren(element("option", { value: "", textContent: "everyone" }), ...sides);
  onlyResult("outcome");
  showTale(answer);
  goTo("outcome-title", top);
}

function showTale(answer) {
  at("outcome-title").textContent = answer.title;
  putTale(answer.html);
  at("verdict").replaceChildren();
  at("what-if").open = false;
  at("other").replaceChildren();
  decisions = [];
  const stage = at("tale").querySelector(".stage");
  if (stage) countChances(stage, (counted) => counted.html && putTale(counted.html));
}

function putTale(html) {
  put(at("tale"), html);
  at("tale").querySelectorAll(".replay").forEach(replay);  // see replay.js
}

// Chances: counted in the background, while a bar is where the chart will be.

let chances = 0;  // number of the latest count

async function countChances(place, show) {
  const bar = element("progress", { max: 1, value: 0, ariaLabel: "Chances counted so far" });
  const box = element("div", { className: "awaited" }, element("p", { className: "facts", textContent: "Counting the chances ..." }), bar);
  place.prepend(box);
  chances += 1;
  const number = chances;
  for (;;) {
    const answer = await ask("chances");
    if (number !== chances) return box.remove();
    if (answer.errors || answer.failure) return box.remove();
    bar.value = answer.share;
    if (!answer.is_done) continue;
    while (at("tale").querySelector(".replay.playing")) await new Promise((done) => setTimeout(done, 300));
    if (number === chances) show(answer);
    return;
  }
}

// What if: one decision of the record is changed.

let decisions = [];

async function listDecisions() {
  if (!at("what-if").open || decisions.length) return;
  const answer = await answered("Listing the decisions", "decisions", { text: record.text, name: record.file, side: at("viewer").value });
  if (!answer) return;
  decisions = answer.decisions;
  const step = Number((/^#step=(\d+)$/.exec(location.hash) || [])[1]) || 1;
  const first = decisions.findIndex((decision) => decision.step >= step);
  at("decision").replaceChildren(...decisions.map((decision, n) => element("option", { value: n, textContent: decision.text, selected: n === first })));
  listOthers();
}

function listOthers() {
  const { others } = decisions[at("decision").value] || { others: [] };
  at("instead").replaceChildren(...others.map((text) => element("option", { value: text, textContent: text })));
  at("fight-on").disabled = !others.length;
}

async function fightOn() {
  const { move } = decisions[at("decision").value];
  const given = { text: record.text, name: record.file, side: at("viewer").value, move, option: at("instead").value };
  const answer = await answered("Fighting on", "what_if", given);
  if (!answer) return;
  put(at("other"), answer.html);
  goTo("other");
  countChances(at("other"), (counted) => counted.html && put(at("other"), counted.html));
}

async function showAgain() {
  const given = { text: record.text, name: record.file, detail: at("detail").value, side: at("viewer").value };
  const answer = await answered("Writing the report", "report", given);
  if (answer) showTale(answer);
}

async function checkRecord() {
  const answer = await answered("Verifying", "verify", { text: record.text, name: record.file });
  if (answer) put(at("verdict"), answer.html);
}

// Odds: fight battles in batches until the target is reached or the user stops.

let isCounting = false;

async function countOdds() {
  const battles = Number(at("battles").value) || 2000;
  isCounting = true;
  at("stop").disabled = false;
  at("counted").value = 0;
  at("chances").replaceChildren();
  onlyResult("counting");
  goTo("counting-title");
  let answer = await answered("Counting", "count", { text: at("text").value, name: fileName, battles });
  while (answer) {
    put(at("chances"), answer.html);
    at("counted").value = answer.is_done ? 1 : answer.battles / battles;
    if (answer.is_done || !isCounting) break;
    at("busy").textContent = "Counting ...";
    answer = await ask("more");
    if (answer.failure || answer.errors) answer = await answered("Counting", "more");
  }
  isCounting = false;
  at("stop").disabled = true;
  at("busy").textContent = answer ? "The odds are ready." : "";
  if (!answer) at("counting").hidden = true;
}

// A battle played.

let options = [];
let seatShown = -1;

const isPlaying = () => !at("playing").hidden;
const LOSING = "Start another battle? The one you are playing will be lost.";

async function beginPlay(request, given) {
  if (isPlaying() && !confirm(LOSING)) return;
  const answer = await answered("Dealing", request, given);
  if (!answer) return;
  seatShown = -1;
  at("news").replaceChildren();
  showDecision(answer, "question");
}

async function give(request, given, focus) {
  const answer = await answered("The other sides are playing", request, given);
  if (!answer) return;
  at("said").textContent = answer.taken ? `Taken back: ${answer.taken}.` : "";
  showDecision(answer, focus);
}

function showDecision(answer, focus) {
  at("playing").hidden = answer.is_over;
  openView(answer.is_over ? "battle" : "table");
  if (answer.is_over) return showOutcome(answer);
  onlyResult("");
  if (answer.persons > 1 && answer.seat !== seatShown) return coverUp(answer);
  seatShown = answer.seat;
  at("table-title").textContent = `${answer.name}: ${answer.rules}`;
  showNews(answer.news);
  put(at("scene"), answer.scene);
  at("held").hidden = !answer.hand;
  put(at("hand"), answer.hand);
  at("question").textContent = answer.ask + (answer.rule ? ` (${answer.rule})` : "");
  at("lesson").textContent = answer.lesson;
  at("resign").hidden = !answer.unoffered.includes("resign");
  options = answer.options.map((option, n) => ({ ...option, number: String(n + 1) }));
  at("typed").value = "";
  isListed = false;
  makeTable();
  goTo(focus, "question");
}

function showNews(html) {
  if (!/<(p|table)/.test(html)) return;
  const block = element("div");
  at("news").append(block);
  put(block, html);
  at("news").scrollTop = at("news").scrollHeight;
}

function coverUp(answer) {
  seatShown = -1;
  at("news").replaceChildren();
  at("said").replaceChildren();
  at("face").hidden = true;
  show("cover");
  at("table-title").textContent = "Next player";
  at("cover-words").textContent = `It is ${answer.name}'s turn. Press the button when no other player is looking.`;
  at("uncover").onclick = () => {
    at("cover").hidden = true;
    show("face");
    seatShown = answer.seat;
    showDecision(answer, "question");
  };
  goTo("table-title");
}

const plain = (text) => text.toLowerCase().replace(/\s+/g, " ").trim();

function meant() {
  const typed = plain(at("typed").value);
  const same = options.filter((option) => option.number === typed || plain(option.text) === typed);
  if (!typed || same.length) return same.length ? same : options;
  const words = typed.split(" ");
  const begins = (option) => plain(option.text).split(" ").some((_, n, all) =>
    words.every((begin, m) => (all[n + m] || "").startsWith(begin)));
  return options.filter(begins);
}

// The table: cards, places and sides are pressed or dragged. Each has a part of options, and the parts pressed so
// far leave the options that have them all.

const FEW_OPTIONS = 4;
let pressed = [];
let drawn = new Set();  // the parts that the table shows
let isListed = false;

const without = (parts, some) => some.reduce((left, part) => {
  const n = left.indexOf(part);
  return n < 0 ? left : left.toSpliced(n, 1);
}, parts);
const rest = (option, parts) => without(option.parts, parts).filter((part) => drawn.has(part));
const fitting = (parts) => options.filter((option) => without(parts, option.parts).length === 0);
const complete = (parts) => fitting(parts).filter((option) => rest(option, parts).length === 0);
const named = (part) => part.replace(/^(card|side):/, "").replace(":", " ");
const spots = () => [...at("scene").querySelectorAll("[data-part]"), ...at("hand").querySelectorAll("[data-part]")];

// Make a button of each element that is a part of an option. A card of the hand hides the same card elsewhere; a
// place has its button in the player's own row, or in the head of its column.
function makeTable() {
  pressed = [];
  const parts = new Set(options.flatMap((option) => option.parts));
  const inHand = new Set([...at("hand").querySelectorAll("[data-part]")].map((node) => node.dataset.part));
  for (const node of spots()) {
    const part = node.dataset.part;
    const isElsewhere = inHand.has(part) && !node.closest("#hand");
    if (!parts.has(part) || isElsewhere) node.removeAttribute("data-part");
  }
  drawn = new Set(spots().map((node) => node.dataset.part));
  for (const part of drawn) {
    const nodes = spots().filter((node) => node.dataset.part === part);
    if (part.startsWith("place:")) makeButton(nodes.find((node) => node.matches("tr:has([data-own]) td")) || nodes[0], part);
    else nodes.forEach((node) => makeButton(node, part));
  }
  light();
}

function makeButton(node, part) {
  const button = element("button", { type: "button", className: "spot" }, ...node.childNodes);
  button.dataset.part = part;
  if (part.startsWith("place:")) button.setAttribute("aria-label", [named(part), button.querySelector("svg[aria-label]")?.getAttribute("aria-label")].filter(Boolean).join(": "));
  if (node.matches("td, th")) node.append(button);
  else node.replaceWith(button);
}

// Light up the parts that can be pressed next, and show the options that need no other part.
function light() {
  const next = new Set(fitting(pressed).flatMap((option) => rest(option, pressed)));
  for (const node of spots()) {
    const part = node.dataset.part;
    node.classList.toggle("lit", next.has(part));
    node.classList.toggle("chosen", pressed.includes(part));
    if (!node.matches("button")) continue;
    node.setAttribute("aria-pressed", pressed.includes(part));
    node.tabIndex = next.has(part) || pressed.includes(part) ? 0 : -1;
  }
  const kinds = [...new Set([...next].map((part) => part.split(":")[0]))];
  const words = kinds.map((kind) => `a ${kind}`).join(" or ");
  at("tap-help").textContent = pressed.length
    ? `${pressed.map(named).join(", ")}: ${words ? `press ${words}` : "choose below"}, or Escape to start again.`
    : words ? `Press ${words} that lights up.${kinds.includes("card") ? " You can also drag a card." : ""}` : "";
  showOptions();
}

function press(part, isDropped = false) {
  const again = pressed.includes(part);
  const parts = again ? pressed : fitting([...pressed, part]).length ? [...pressed, part] : [part];
  const choices = fitting(parts);
  const done = complete(parts);
  const isMeant = again || isDropped || parts.length > 1;
  if (isMeant && done.length === 1 && (again || choices.length === 1)) return give("answer", { text: done[0].text }, "question");
  pressed = again ? without(pressed, [part]) : parts;
  light();
}

function unpress() {
  if (!pressed.length) return;
  pressed = [];
  light();
}

const partAt = (target) => {
  for (let node = target?.closest("[data-part]"); node; node = node.parentElement?.closest("[data-part]")) {
    if (node.matches(".lit, .chosen")) return node;
  }
  return target?.closest("[data-part]");
};

at("face").addEventListener("click", (event) => {
  const node = partAt(event.target);
  if (node && !drag.isMoving) press(node.dataset.part);
});
at("face").addEventListener("keydown", (event) => {
  if (event.key === "Escape") unpress();
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step || !event.target.matches(".spot")) return;
  event.preventDefault();
  const lit = spots().filter((node) => node.matches("button.lit, button.chosen"));
  lit[(lit.indexOf(event.target) + step + lit.length) % lit.length].focus();
});

// Dragging: a card follows the pointer once it moved by some pixels, and is pressed with what it is dropped on. On
// the table itself, it is played if that can mean one option only.

const drag = { part: "", ghost: null, isMoving: false };

at("face").addEventListener("pointerdown", (event) => {
  const node = event.target.closest('button.spot[data-part^="card:"]');
  if (!node || event.button) return;
  if (event.target.hasPointerCapture?.(event.pointerId)) event.target.releasePointerCapture(event.pointerId);
  Object.assign(drag, { part: node.dataset.part, node, x: event.clientX, y: event.clientY, ghost: null, isMoving: false });
});
document.addEventListener("pointermove", (event) => {
  if (!drag.part) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 8) return;
  if (!drag.ghost) lift();
  drag.ghost.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -60%)`;
  const over = target(event);
  for (const node of spots()) node.classList.toggle("over", Boolean(over) && node.dataset.part === over.dataset.part);
});

function lift() {
  drag.isMoving = true;
  if (!pressed.includes(drag.part)) pressed = fitting([...pressed, drag.part]).length ? [...pressed, drag.part] : [drag.part];
  light();
  drag.ghost = element("div", { className: "ghost", ariaHidden: "true" }, drag.node.firstChild.cloneNode(true));
  document.body.append(drag.ghost);
}

// The lit part under the pointer.
function target(event) {
  const node = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-part].lit");
  return node || null;
}

function drop(event) {
  if (!drag.part) return;
  drag.part = "";
  if (!drag.ghost) return;
  drag.ghost.remove();
  drag.ghost = null;
  for (const node of spots()) node.classList.remove("over");
  setTimeout(() => { drag.isMoving = false; });  // after the click that ends the drag
  if (event.type === "pointercancel") return unpress();
  const over = target(event);
  if (over) return press(over.dataset.part, true);
  const done = complete(pressed);
  const isOnTable = document.elementFromPoint(event.clientX, event.clientY)?.closest("#scene");
  if (isOnTable && done.length === 1) give("answer", { text: done[0].text }, "question");
}
document.addEventListener("pointerup", drop);
document.addEventListener("pointercancel", drop);

// The options that the list shows: those that fit what is typed, or those that need no other part of the table.
function listed() {
  if (at("typed").value.trim()) return meant();
  return isListed || (!pressed.length && options.length <= FEW_OPTIONS) ? options : complete(pressed);
}

function showOptions() {
  const found = listed();
  const isWhole = complete(pressed).length === options.length || (!pressed.length && options.length <= FEW_OPTIONS);
  at("list-part").hidden = isWhole || Boolean(at("typed").value.trim());
  at("list").textContent = isListed ? "Hide the list" : `List all ${options.length} options`;
  at("list").setAttribute("aria-expanded", isListed);
  const buttons = found.slice(0, OPTIONS_SHOWN).map((option) => {
    const number = element("span", { className: "number", textContent: option.number });
    const button = element("button", { type: "button" }, number, element("span", { innerHTML: option.label }));
    button.onclick = () => give("answer", { text: option.text }, "question");
    return element("li", {}, button);
  });
  at("options").replaceChildren(...buttons);
  const hidden = found.length - buttons.length;
  const isTyped = Boolean(at("typed").value.trim());
  at("typed-help").textContent = hidden > 0
    ? `${options.length} options; type part of one to find the others.`
    : isTyped && found.length < options.length ? `${found.length} of ${options.length} options.` : `${options.length} options.`;
}

function answerTyped(event) {
  event.preventDefault();
  const found = meant();
  if (at("typed").value.trim() && found.length === 1) give("answer", { text: found[0].text }, "typed");
  else at("said").textContent = found.length ? "Several options match; type more, or the number." : "No option matches.";
}

async function explain(request, words) {
  const answer = await answered(words, request);
  if (answer) put(at("said"), answer.html);
}

async function saveBattle() {
  const answer = await answered("Saving", "save");
  if (!answer) return;
  download(answer.file, answer.text);
  at("said").textContent = `Saved in ${answer.file}; open that file here to continue. It contains all hidden cards.`;
}

// Files that are chosen or dropped.

let dropped = {};

async function openFiles(files) {
  dropped = {};
  for (const [name, file] of files.sort(([one], [other]) => (one < other ? -1 : 1))) {
    if (/\.(toml|svg)$/i.test(name)) dropped[name] = await file.text();
  }
  openView("files");
  at("opened").replaceChildren();
  at("checked").replaceChildren();
  if (!Object.keys(dropped).some((name) => /\.toml$/i.test(name))) return showErrors(["no .toml file here; battles, records and campaigns are .toml files"]);
  const answer = await answered("Reading", "open", { files: dropped });
  if (!answer) return;
  onlyResult("");
  if (answer.kind === "battle") takeFile(answer.name, dropped[answer.path]);
  else if (answer.kind === "begun") beginPlay("go_on", { text: dropped[answer.path], name: answer.name });
  else if (answer.kind === "campaign") showCampaign(answer);
  else await checkAll(answer.records, answer.seals);
}

// Verify these records, against the seals if there are any.
async function checkAll(records, seals = []) {
  at("checked").replaceChildren();
  const isSealed = seals.length > 0;
  if (isSealed && !(await answered("Reading the seals", "seals", { files: filesNamed(seals) }))) return;
  for (const path of records) {
    const name = path.split("/").pop();
    const text = dropped[path];
    const answer = await answered(`Verifying ${name}`, "verify", { text, name, is_sealed: isSealed });
    if (!answer) return void at("checked").append(element("p", { textContent: `${name}: cannot be read` }));
    addVerdict(answer.html);
    if (records.length > 1) continue;
    const again = await answered("Writing the report", "report", { text, name, detail: "log", side: "" });
    if (again) showOutcome(again, "checked");
  }
  const missing = isSealed && await answered("Checking for missing records", "unproven");
  if (missing) addVerdict(missing.html);
}

const filesNamed = (names) => Object.fromEntries(names.map((name) => [name, dropped[name]]));

function addVerdict(html) {
  const block = element("div");
  at("checked").append(block);
  put(block, html);
}

function showCampaign(answer) {
  const fights = answer.pending.map(([id, text, why]) => {
    if (!text) return element("li", { className: "facts", textContent: why });
    const button = element("button", { type: "button", textContent: `Load ${id}` });
    button.onclick = () => takeFile(`${id}.toml`, text);
    return element("li", {}, button);
  });
  const state = element("div");
  const past = element("div");
  const history = element("details", {}, element("summary", { textContent: "History" }), past);
  at("opened").replaceChildren(state);
  put(state, answer.html);
  put(past, answer.history);
  const map = element("div");
  put(map, answer.map);
  state.querySelector("header").after(map);
  if (answer.pending.some(([, text]) => text)) {
    const about = "A pending battle that you load here is fought with the campaign's settings. Download its record and import it into the campaign.";
    at("opened").append(element("p", { className: "facts", textContent: about }));
  }
  if (fights.length) at("opened").append(element("ul", { className: "pending" }, ...fights));
  at("opened").append(history, checks(answer.seals));
  goTo("files-title");
}

// Buttons to verify a campaign's records, and the dice if the campaign has seals.
function checks(seals) {
  const records = Object.keys(dropped).filter((name) => /(^|\/)records\/[^/]+\.toml$/i.test(name));
  const about = records.length === 1 ? "its record" : `its ${records.length} records`;
  const button = (words, press) => Object.assign(element("button", { type: "button", textContent: words }), { onclick: press });
  const buttons = records.length ? [button(`Verify ${about}`, () => checkAll(records))] : [];
  if (buttons.length && seals.length) buttons.push(button(`Verify ${about} and their dice`, () => checkAll(records, seals)));
  return element("p", { className: "actions" }, ...buttons);
}

// Dropped files and folders, each file with its path. Handles are preferred where the browser has them: a page
// opened from disk cannot read the older entries.
async function filesIn(items) {
  const found = [];
  const take = async (handle, path) => {
    if (handle.kind === "file") found.push([path + handle.name, await handle.getFile()]);
    else for await (const one of handle.values()) await take(one, `${path}${handle.name}/`);
  };
  const walk = async (entry, path) => {
    if (entry.isFile) found.push([path + entry.name, await new Promise((done, fail) => entry.file(done, fail))]);
    else for (const one of await inside(entry.createReader())) await walk(one, `${path}${entry.name}/`);
  };
  const kept = [...items].filter((item) => item.kind === "file").map((item) => {
    const entry = item.webkitGetAsEntry();
    if (entry && !entry.isDirectory) return { file: item.getAsFile() };
    return item.getAsFileSystemHandle ? { handle: item.getAsFileSystemHandle() } : { entry };
  });
  for (const { file, handle, entry } of kept) {
    if (file) found.push([file.name, file]);
    else if (handle) await take(await handle, "");
    else await walk(entry, "");
  }
  return found;
}

async function inside(reader) {
  const found = [];
  for (;;) {
    const more = await new Promise((done, fail) => reader.readEntries(done, fail));
    if (!more.length) return found;
    found.push(...more);
  }
}

async function showRules() {
  if (!at("rules-part").open || at("rulebook").childNodes.length) return;
  const answer = await answered("Opening the rules", "rules", { rules: at("rules").value });
  if (answer) put(at("rulebook"), answer.html);
}

// Buttons and fields.

const chosenFiles = (event) => {
  const files = [...event.target.files].map((file) => [file.webkitRelativePath || file.name, file]);
  event.target.value = "";
  if (files.length) openFiles(files);
};
const presses = {
  resolve: resolveBattle,
  play: () => beginPlay("play", { text: at("text").value, name: fileName }),
  odds: countOdds,
  stop: () => { isCounting = false; },
  "by-form": () => byHand(false),
  list: () => { isListed = !isListed; showOptions(); },
  undo: () => give("undo", {}, "question"),
  why: () => explain("why", "Comparing the options"),
  "lesson-rules": () => explain("lesson", "Looking it up"),
  log: () => explain("log", "Looking it up"),
  keep: saveBattle,
  resign: () => give("answer", { text: "resign" }, "question"),
  "save-record": () => download(record.file, record.text),
  "check-record": checkRecord,
  "fight-on": fightOn,
};
for (const [id, press] of Object.entries(presses)) at(id).addEventListener("click", press);
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => {
    openView(button.dataset.view);
    onlyResult("");
    goTo(`${button.dataset.view}-title`);
  });
}
at("rules").addEventListener("change", chooseRules);
at("count").addEventListener("change", chooseCount);
at("form").addEventListener("input", writeFile);
at("form").addEventListener("submit", (event) => event.preventDefault());
at("text").addEventListener("input", () => isByHand || byHand(true));
at("rules-part").addEventListener("toggle", showRules);
at("answer").addEventListener("submit", answerTyped);
at("typed").addEventListener("input", showOptions);
at("what-if").addEventListener("toggle", listDecisions);
at("decision").addEventListener("change", listOthers);
at("detail").addEventListener("change", showAgain);
at("viewer").addEventListener("change", showAgain);
at("choose").addEventListener("change", chosenFiles);
at("folder").addEventListener("change", chosenFiles);
document.addEventListener("dragover", (event) => { event.preventDefault(); document.body.classList.add("dropping"); });
document.addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
document.addEventListener("drop", async (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  try {
    openFiles(await filesIn(event.dataTransfer.items));
  } catch (error) {
    openView("files");
    showErrors([`this browser cannot read dropped files (${error.message}); use the buttons here`]);
  }
});
window.addEventListener("beforeunload", (event) => { if (isPlaying()) event.preventDefault(); });
fillForm();
