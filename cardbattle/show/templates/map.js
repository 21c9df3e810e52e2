"use strict";
// Shows one turn's map at a time: from the last one, which comes first on the page, back to the first.
(() => {
  const maps = [...document.querySelectorAll(".past")].reverse();
  const bar = document.querySelector(".player");
  const slider = bar.querySelector("input");
  const player = bar.querySelector('[data-go="play"]');
  const count = bar.querySelector(".count");
  const last = maps.length;
  let [at, timer] = [last, 0];

  const go = (to) => {
    at = Math.min(Math.max(to, 1), last);
    const name = maps[at - 1].querySelector("h2").textContent;
    maps.forEach((map, n) => { map.classList.toggle("now", n === at - 1); });
    slider.value = at;
    slider.setAttribute("aria-valuetext", name);
    count.textContent = name;
    for (const button of bar.querySelectorAll("[data-end]")) button.setAttribute("aria-disabled", at === (button.dataset.end === "first" ? 1 : last));
  };
  const play = (begin) => {
    clearInterval(timer);
    timer = 0;
    bar.classList.toggle("playing", begin);
    player.setAttribute("aria-label", begin ? "Pause" : "Play");
    if (!begin) return;
    if (at === last) go(1);
    timer = setInterval(() => (at < last ? go(at + 1) : play(false)), 2000);
  };
  const acts = { back: () => go(at - 1), on: () => go(at + 1) };

  bar.addEventListener("click", (event) => {
    const button = event.target.closest("[data-go]");
    if (!button) return;
    const act = acts[button.dataset.go];
    play(!act && !timer);
    if (act) act();
  });
  slider.addEventListener("input", () => {
    play(false);
    go(Number(slider.value));
  });
  slider.max = last;
  bar.hidden = false;
  document.querySelector(".reel").classList.add("live");
  go(last);
})();
