"use strict";
// Shows a card with a summary over a link that the mouse or the keyboard is on; Escape hides it.
(() => {
  const cards = JSON.parse(document.getElementById("cards").textContent);
  const box = document.createElement("div");
  const [name, text] = [document.createElement("strong"), document.createElement("p")];
  box.className = "glimpse screen";
  box.id = "glimpse";
  box.setAttribute("role", "tooltip");
  box.hidden = true;
  box.append(name, text);
  document.body.append(box);
  let [timer, link] = [0, null];

  const hide = () => {
    clearTimeout(timer);
    if (link) link.removeAttribute("aria-describedby");
    [box.hidden, link] = [true, null];
  };
  const show = (to, card) => {
    hide();
    link = to;
    [name.textContent, text.textContent] = card;
    link.setAttribute("aria-describedby", "glimpse");
    box.hidden = false;
    const at = to.getBoundingClientRect();
    const high = box.offsetHeight;
    const top = at.bottom + high + 8 < innerHeight ? at.bottom + 6 : at.top - high - 6;
    box.style.top = `${Math.max(4, top) + scrollY}px`;
    box.style.left = `${Math.max(8, Math.min(at.left, document.documentElement.clientWidth - box.offsetWidth - 8))}px`;
  };
  const later = (act, wait) => {
    clearTimeout(timer);
    timer = setTimeout(act, wait);
  };
  const cardOf = (to) => to && cards[to.getAttribute("href").replace(/^(\.\.?\/)+/, "")];

  document.addEventListener("pointerover", (event) => {
    if (event.pointerType !== "mouse") return;
    const to = event.target.closest("a[href]");
    const card = cardOf(to);
    if (card) later(() => show(to, card), to === link ? 0 : 250);
    else if (event.target.closest(".glimpse")) clearTimeout(timer);
    else later(hide, 150);
  });
  document.addEventListener("focusin", (event) => {
    const to = event.target.closest("a[href]");
    const card = cardOf(to);
    if (card && to.matches(":focus-visible")) show(to, card);
  });
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
})();
