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
  put(at("tale"), answer.html);
  at("tale").querySelectorAll(".replay").forEach(replay);  // see replay.js
  at("verdict").replaceChildren();
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
  options = answer.options.map(([text, label], n) => ({ text, label, number: String(n + 1) }));
  at("typed").value = "";
  showOptions();
  goTo(focus, "scene");
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

function showOptions() {
  const found = meant();
  const buttons = found.slice(0, OPTIONS_SHOWN).map((option) => {
    const number = element("span", { className: "number", textContent: option.number });
    const button = element("button", { type: "button" }, number, element("span", { innerHTML: option.label }));
    button.onclick = () => give("answer", { text: option.text }, "question");
    return element("li", {}, button);
  });
  at("options").replaceChildren(...buttons);
  const hidden = found.length - buttons.length;
  at("typed-help").textContent = hidden > 0
    ? `${options.length} options; type part of one to find the others.`
    : found.length < options.length ? `${found.length} of ${options.length} options.` : `${options.length} options.`;
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
  undo: () => give("undo", {}, "question"),
  why: () => explain("why", "Comparing the options"),
  "lesson-rules": () => explain("lesson", "Looking it up"),
  log: () => explain("log", "Looking it up"),
  keep: saveBattle,
  resign: () => give("answer", { text: "resign" }, "question"),
  "save-record": () => download(record.file, record.text),
  "check-record": checkRecord,
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
