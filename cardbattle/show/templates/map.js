"use strict";
(() => {
  const maps = [...document.querySelectorAll(".past")];
  const slider = document.getElementById("turn");
  const show = (at) => {
    maps.forEach((map, n) => { map.hidden = n !== at; });
    slider.setAttribute("aria-valuetext", maps[at].querySelector("h2").textContent);
  };
  slider.max = maps.length - 1;
  slider.value = slider.max;
  slider.addEventListener("input", () => show(Number(slider.value)));
  slider.parentElement.hidden = false;
  show(maps.length - 1);
})();
