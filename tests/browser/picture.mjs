// Take the picture of the page for its guide: node picture.mjs NODE_MODULES CHROMIUM PAGE BATTLE PNG
// It plays the first side of the battle file BATTLE by the answers below, and takes the picture at the next question.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";

const ANSWERS = ["place 3S+7S", "place 6H", "place 6D", "place 8S", "place 8D", "pass", "pass", "pass"];
const MARGIN = 39;  // pixels
const [modules, chromium, file, battle, picture] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const patience = { timeout: 120000, polling: 50 };

try {
  const page = await browser.newPage();
  await page.setViewport({ width: 860, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-reduced-motion", value: "reduce" }]);
  await page.goto(`file://${file}`);
  await page.$eval("#file-part", (part) => { part.open = true; });
  await page.$eval("#text", (node, text) => {
    node.value = text;
    node.dispatchEvent(new Event("input"));
  }, readFileSync(battle, "utf8"));
  await page.click("#play");
  await page.waitForFunction(() => !document.getElementById("table").hidden, patience);
  for (const answer of ANSWERS) {
    await page.$eval("#typed", (node, text) => { node.value = text; }, answer);
    await page.click("#answer button");
    await page.waitForFunction(() => !document.body.hasAttribute("aria-busy"), patience);
  }
  await page.evaluate(() => document.activeElement.blur());
  const { x, y, width, height } = await page.$eval("#table", (node) => {
    const box = node.getBoundingClientRect();
    return { x: box.x + scrollX, y: box.y + scrollY, width: box.width, height: box.height };
  });
  const clip = { x: x - MARGIN, y: y - MARGIN / 2, width: width + 2 * MARGIN, height: height + MARGIN };
  await page.screenshot({ path: picture, clip, captureBeyondViewport: true });
} finally {
  await browser.close();
}
