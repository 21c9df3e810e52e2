// Look at pages in Chromium: node visit.mjs NODE_MODULES CHROMIUM PLAN
// PLAN is a JSON file: `pages`, `views` as widths with "light" or "dark", `pictures` a folder or "". What was
// found is printed as JSON: what axe finds fault with or is wider than its window, what a page asked for
// besides itself, its errors, and dialogs, which none should open.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const [modules, chromium, planned] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const puppeteer = require("puppeteer-core");
const axe = readFileSync(`${modules}/axe-core/axe.min.js`, "utf8");
const plan = JSON.parse(readFileSync(planned, "utf8"));
const found = { violations: [], requests: [], errors: [], dialogs: [], looked: 0 };
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

const page = await browser.newPage();
page.setDefaultTimeout(180000);
let url = "";
page.on("request", (request) => request.url() !== url && found.requests.push(`${url}: ${request.url()}`));
page.on("pageerror", (error) => found.errors.push(`${url}: ${error}`));
page.on("console", (message) => message.type() === "error" && found.errors.push(`${url}: ${message.text()}`));
page.on("dialog", (dialog) => {
  found.dialogs.push(`${url}: ${dialog.message()}`);
  dialog.accept();
});

async function look(name) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  found.violations.push(...violations.map((one) => `${name}: ${one.id}: ${one.nodes[0].html.slice(0, 120)}`));
  const [wide, window_] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (wide > window_) found.violations.push(`${name}: ${wide} wide of ${window_}`);
  if (plan.pictures) await page.screenshot({ path: `${plan.pictures}/${name}.png`, fullPage: true });
  found.looked++;
}

for (const [width, scheme] of plan.views) {
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  for (const path of plan.pages) {
    url = new URL(`file://${path}`).href;
    await page.goto(url);
    await look(`${path.split("/").slice(-2).join("-").replace(".html", "")}-${width}-${scheme}`);
  }
}
await browser.close();
console.log(JSON.stringify(found));
