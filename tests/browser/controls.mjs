// Press every control of a site's pages other than the replay: node controls.mjs NODE_MODULES CHROMIUM SITE LINK
// The map is played with the mouse, by touch and with the keyboard; the search and the cards over links are
// used on the page that the front page's LINK leads to. What each led to is printed as JSON.
import { createRequire } from "node:module";

const [modules, chromium, site, link] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
const errors = [];
page.on("pageerror", (error) => errors.push(String(error)));
page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
await page.setViewport({ width: 390, height: 844, hasTouch: true });
page.setDefaultTimeout(180000);
// Maps that are played go on when the test says so, however slow the machine is.
await page.evaluateOnNewDocument(() => { window.setInterval = (act) => { window.tick = act; return 1; }; });

const found = {};
const maps = () => page.evaluate(() => ({
  turn: document.querySelector(".past.now h2").textContent.trim(),
  slider: Number(document.querySelector(".player input").value),
  label: document.querySelector('[data-go="play"]').getAttribute("aria-label"),
}));
const press = async (name, act) => {
  await act();
  found[name] = await maps();
};
const focus = (selector) => page.$eval(selector, (node) => node.focus());

await page.goto(`file://${site}/map.html`);
await press("start", async () => {});
await press("mouse back", () => page.click('[data-go="back"]'));
await press("touch back", () => page.tap('[data-go="back"]'));
await focus('[data-go="on"]');
await press("enter on", () => page.keyboard.press("Enter"));
await focus(".player input");
await press("home", () => page.keyboard.press("Home"));
await press("arrow", () => page.keyboard.press("ArrowRight"));
await press("end", () => page.keyboard.press("End"));
await focus('[data-go="play"]');
await press("space play", () => page.keyboard.press(" "));
await press("tick", () => page.evaluate(() => tick()));
await press("touch pause", () => page.tap('[data-go="play"]'));

const card = () => page.evaluate(() => {
  const box = document.querySelector(".glimpse");
  return box.hidden ? "" : box.querySelector("strong").textContent;
});
const wait = (shown) => page.waitForFunction((is) => document.querySelector(".glimpse")?.hidden === !is, {}, shown);
await page.goto(`file://${site}/index.html`);
await page.hover(`a[href="${link}"]`);
await wait(true);
found.hover = await card();
await page.mouse.move(1, 1);
await wait(false);
found.away = await card();
await page.keyboard.press("Tab");
await page.evaluate((to) => document.querySelector(`a[href="${to}"]`).focus(), link);
found.focus = await card();
await page.keyboard.press("Escape");
found.escape = await card();

await page.goto(`file://${site}/search.html`);
await page.tap("#words");
await page.keyboard.type("PRÍNCE hen");
found.status = await page.$eval("[role=status]", (node) => node.textContent);
found.listed = await page.$$eval(".group li:not([hidden]) a", (links) => links.map((one) => one.getAttribute("href")));
await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
found.opened = page.url().split("/").slice(-2).join("/");
await browser.close();
console.log(JSON.stringify({ found, errors }));
