"use strict";
// Moves the parts of a replay together: field, chart, scrubber, story, log and address.

// A long battle has its steps packed, and a very long one its log too: see packing.py.
const unpack = (packed) => {
  const digits = Array.from({ length: 92 }, (_, n) => String.fromCharCode(n + 35)).filter((char) => !"<`".includes(char)).join("");
  const pieces = [];
  packed.split("`").forEach((part, n) => {
    if (n) {
      const [high, low, length] = [0, 1, 2].map((place) => digits.indexOf(part[place]));
      for (let at = pieces.length - digits.length * high - low, end = at + length; at < end;) pieces.push(pieces[at++]);
      part = part.slice(3);
    }
    if (part) pieces.push(...part.split("<"));
  });
  return `<${pieces.join("<")}`;
};

// The log of a long battle has one sentence for each step, except sentences of the class "c", which belong to the
// step before; an id sets the number of the step.
const number = (lines) => {
  let step = 0;
  for (const line of lines) {
    if (line.id) step = Number(line.id.slice(5));
    else if (line.matches("p:not(.c)")) step++;
    line.removeAttribute("id");
    line.dataset.step = step;
  }
};

const replay = (root) => {
  const all = (what) => [...root.querySelectorAll(what)];
  for (const [from, to] of [[".packed", ".steps"], [".packed-log", ".log"]]) {
    const packed = root.querySelector(from);
    if (packed) root.querySelector(to).innerHTML = unpack(packed.textContent);
  }
  const steps = all(".step");
  if (root.querySelector(".packed")) {
    number(all(".log :is(h2, p)"));
    steps.forEach((step, n) => { step.id = `step=${n + 1}`; });
  }
  const bar = root.querySelector(".player");
  if (!bar || steps.length < 2) return;
  const scrubber = bar.querySelector("input");
  const [count, spoken] = ["count", "spoken"].map((name) => bar.querySelector(`.${name}`));
  const player = bar.querySelector('[data-go="play"]');
  const chart = root.querySelector(".chart.live");
  const box = root.querySelector(".steps");
  const last = steps.length;
  const isLong = last > 60; // then only one step is laid out, and the box grows to the largest step so far
  const lines = all("[data-step]");
  const links = all("a.to");
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const isWide = matchMedia("(min-width: 1000px)"); // the field has a column of its own
  const named = () => Number((/^#step=(\d+)$/.exec(location.hash) || [])[1]);
  let at = 0;
  let timer = 0;

  const cards = (step) => [...step.querySelectorAll("table use, table b")].map((card) =>
    (card.href ? [card.href.baseVal, card.parentElement] : [card.textContent, card]));

  const placesOf = (step) => {
    const places = new Map();
    for (const [key, card] of cards(step)) places.set(key, [...(places.get(key) || []), card.getBoundingClientRect()]);
    return places;
  };

  // Move the cards that are new in their place from where they were in the step before.
  const move = (before, to) => {
    const moved = [];
    for (const [key, card] of cards(to)) {
      const now = card.getBoundingClientRect();
      const places = before.get(key) || [];
      const same = places.findIndex((box) => Math.abs(box.left - now.left) + Math.abs(box.top - now.top) < 3);
      if (same >= 0) places.splice(same, 1);
      else moved.push([card, now, places]);
    }
    for (const [card, now, places] of moved) {
      const old = places.shift();
      const start = old ? { transform: `translate(${old.left - now.left}px, ${old.top - now.top}px)` } : { opacity: 0 };
      card.animate([start, {}], { duration: 200, easing: "ease-out" });
    }
  };

  const go = (to, quiet) => {
    const step = Math.min(Math.max(to, 1), last);
    if (step === at) return;
    const from = steps[at - 1];
    const before = from && !calm.matches && from.animate ? placesOf(from) : null;
    if (isLong) box.style.minHeight = `${box.offsetHeight}px`;
    if (from) from.classList.remove("now");
    steps[step - 1].classList.add("now");
    if (before) move(before, steps[step - 1]);
    at = step;
    scrubber.value = at;
    scrubber.setAttribute("aria-valuetext", `step ${at} of ${last}`);
    count.textContent = `${at} / ${last}`;
    if (!timer && !quiet) spoken.textContent = sentences();
    for (const button of bar.querySelectorAll("[data-end]")) button.setAttribute("aria-disabled", at === (button.dataset.end === "first" ? 1 : last));
    lines.forEach((line) => line.classList.toggle("here", Number(line.dataset.step) === at));
    links.forEach((link) => link.classList.toggle("here", link.hash === `#step=${at}`));
    if (chart) chart.querySelector(".cursor").setAttribute("transform", `translate(${across(at)})`);
    if (!quiet) history.replaceState(history.state, "", `#step=${at}`);
  };

  // Show the field below the bar, and the chart above them if there is room for it.
  const showBoard = () => {
    const behavior = calm.matches ? "auto" : "smooth";
    if (isWide.matches) return box.scrollIntoView({ block: "nearest", behavior });
    const { top, bottom } = box.getBoundingClientRect();
    const start = chart ? chart.getBoundingClientRect().top : -Infinity;
    const edge = bottom - start <= innerHeight ? start : top - bar.offsetHeight - 10;
    if (edge < 0 || bottom > innerHeight) scrollBy({ top: edge, behavior });
  };

  const sentences = () => [...steps[at - 1].querySelectorAll(".happened")].map((node) => node.textContent.trim()).join(" ");
  const next = () => {
    go(at + 1);
    if (at < last) timer = setTimeout(next, readingTime());
    else play(false);
  };
  const readingTime = () => Math.min(1000 + 40 * sentences().length, 6000); // milliseconds

  const play = (begin) => {
    clearTimeout(timer);
    timer = 0;
    root.classList.toggle("playing", begin);
    player.setAttribute("aria-label", begin ? "Pause" : "Play");
    if (!begin) return;
    showBoard();
    if (at === last) go(1);
    timer = setTimeout(next, readingTime());
  };

  const jump = (to) => {
    play(false);
    go(to);
    showBoard();
  };

  const acts = {
    first: () => jump(1), back: () => jump(at - 1), play: () => play(!timer), on: () => jump(at + 1), last: () => jump(last),
  };
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last", " ": "play" };

  // The chart is 480 of 534 wide, from 44 on: see charts.py.
  const across = (step) => (480 * (step - 1)) / (last - 1);
  const stepAt = (event) => {
    const box = chart.getBoundingClientRect();
    return Math.round(((event.clientX - box.left) / box.width * 534 - 44) / 480 * (last - 1)) + 1;
  };

  root.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#step="]');
    const button = event.target.closest("[data-go]");
    const line = event.target.closest("[data-step]");
    if (link) {
      event.preventDefault();
      const goesOn = link.closest(".watch") || (timer && link.closest(".skip"));
      jump(Number(link.hash.slice(6)));
      if (goesOn) play(true);
    } else if (button) acts[button.dataset.go]();
    else if (line && !event.target.closest("a") && !String(getSelection())) jump(Number(line.dataset.step));
  });
  scrubber.addEventListener("input", () => {
    play(false);
    go(Number(scrubber.value));
  });
  if (chart) {
    const drag = (event) => event.buttons && (play(false), go(stepAt(event)));
    chart.addEventListener("pointerdown", drag);
    chart.addEventListener("pointermove", drag);
  }
  document.addEventListener("keydown", (event) => {
    const target = event.target;
    if (!keys[event.key] || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !root.isConnected) return;
    if (target !== scrubber && target.closest("input, textarea, select, summary")) return;
    if (event.key === " " && target.closest("a, button")) return;
    const wide = target.closest(".wide");
    if (wide && wide.scrollWidth > wide.clientWidth) return;
    if (!root.getClientRects().length) return;
    event.preventDefault();
    acts[keys[event.key]]();
  });
  addEventListener("hashchange", () => named() && root.isConnected && jump(named()));

  // A long battle has its sentences in the log only.
  const without = new Set(steps.filter((step) => !step.querySelector(".happened")));
  for (const step of without) step.append(Object.assign(document.createElement("div"), { className: "happened" }));
  for (const line of lines) {
    const step = steps[line.dataset.step - 1];
    if (!without.has(step)) continue;
    const copy = line.cloneNode(true);
    copy.removeAttribute("data-step");
    step.lastElementChild.append(copy);
  }

  scrubber.max = last;
  bar.hidden = false;
  box.classList.toggle("long", isLong);
  root.classList.add("live");
  if (named()) addEventListener("load", showBoard);
  go(named() || 1, true);
};
