// Press every control of a replay: node replay.mjs NODE_MODULES CHROMIUM PAGE
// What each one led to is printed as JSON: the step shown, the step in the address, and what is highlighted.
import { createRequire } from "node:module";

const [modules, chromium, file] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
page.setDefaultTimeout(180000);
// A playing replay goes on when the test says so, however slow the machine is.
await page.evaluateOnNewDocument(() => {
  window.setTimeout = (act, time) => {
    Object.assign(window, { tick: act, pause: time });
    return 1;
  };
});

const state = () => page.evaluate(() => ({
  shown: [...document.querySelectorAll(".step")].findIndex((step) => getComputedStyle(step).visibility === "visible") + 1,
  address: Number(location.hash.slice("#step=".length)),
  scrubber: Number(document.querySelector(".player input").value),
  log: [...new Set([...document.querySelectorAll("[data-step].here")].map((line) => Number(line.dataset.step)))],
  playing: document.querySelector(".replay").classList.contains("playing"),
}));
const found = {};
const press = async (name, act) => {
  await act();
  found[name] = await state();
};
const link = (at) => page.$$eval(".telling a.to", (links, n) => Number(links.at(n).hash.slice("#step=".length)), at);

await page.goto(`file://${file}#step=3`);
await press("address", async () => {});
const bar = await page.$eval(".player", (node) => node.getBoundingClientRect().toJSON());
await press("right", () => page.keyboard.press("ArrowRight"));
await press("left", () => page.keyboard.press("ArrowLeft"));
await press("end", () => page.keyboard.press("End"));
await press("home", () => page.keyboard.press("Home"));
await press("on", () => page.tap('[data-go="on"]'));
await press("last", () => page.click('[data-go="last"]'));
await press("back", () => page.tap('[data-go="back"]'));
await press("first", () => page.click('[data-go="first"]'));
await press("skip", () => page.tap(".step.now .skip a"));
await page.keyboard.press("Home");
await press("space", async () => {
  await page.evaluate(() => document.activeElement.blur());
  await page.evaluate(() => scrollTo(0, 0));
  await page.keyboard.press(" ");
});
const board = await page.$eval(".steps", (node) => node.getBoundingClientRect().toJSON());
const pauses = [await page.evaluate(() => window.pause)];
const isInView = board.top >= 0 && board.bottom <= 845 && bar.top >= 0 && bar.bottom <= 845;
await press("tick", () => page.evaluate(() => tick()));
pauses.push(await page.evaluate(() => window.pause));
const words = await page.$$eval(".step .happened", (all) => all.slice(0, 2).map((node) => node.textContent.trim().length));
await press("pause", () => page.tap('[data-go="play"]'));
await press("watch", () => page.tap(".watch a"));
await press("skip on", () => page.tap(".step.now .skip a"));
await press("story", () => page.$$eval(".telling a.to", (links) => links.at(-1).click()));
await press("log", () => page.$eval('.log [data-step="5"]', (line) => line.click()));
await press("scrubber", () => page.$eval(".player input", (node) => {
  node.value = 7;
  node.dispatchEvent(new Event("input", { bubbles: true }));
}));
await press("hash", () => page.evaluate(() => new Promise((done) => {
  addEventListener("hashchange", done, { once: true });  // after the listener of the page
  location.hash = "#step=2";
})));
const steps = await page.$$eval(".step", (all) => all.length);
const last = await link(-1);
await page.emulateMediaType("print");
const printed = await page.$$eval("nav, button, input", (all) => all.filter((node) => node.getClientRects().length).length);
await browser.close();
console.log(JSON.stringify({ found, steps, last, isInView, pauses, words, printed, errors }));
