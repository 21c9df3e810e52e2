"use strict";
// Shows only the links that have all the words typed; Enter opens the first one.
(() => {
  const box = document.getElementById("words");
  const status = document.querySelector("[role=status]");
  const groups = [...document.querySelectorAll(".group")];
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const items = groups.flatMap((group) => [...group.querySelectorAll("li")]).map((node) => [node, plain(node.textContent)]);
  const filter = () => {
    const words = plain(box.value).split(/\s+/).filter(Boolean);
    let count = 0;
    for (const [node, text] of items) {
      node.hidden = !words.every((word) => text.includes(word));
      count += !node.hidden;
    }
    for (const group of groups) group.hidden = !group.querySelector("li:not([hidden])");
    status.textContent = words.length ? `${count} found` : "";
  };
  box.addEventListener("input", filter);
  box.addEventListener("keydown", (event) => {
    const first = event.key === "Enter" && box.value && document.querySelector(".group li:not([hidden]) a");
    if (first) location.href = first.href;
  });
  box.parentElement.hidden = false;
  filter();
  box.focus();
})();
