// The field after each step, and the sentences of the log with their steps, once the script of a page has unpacked
// them: node fields.mjs NODE_MODULES CHROMIUM PAGE...  prints the texts of each page as JSON.
import { createRequire } from "node:module";

const [modules, chromium, ...files] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
page.setDefaultTimeout(180000);
const fields = [];
for (const file of files) {
  await page.goto(`file://${file}`);
  const lines = await page.$$eval(".log p", (log) => log.map((line) => `${line.dataset.step} ${line.textContent.trim()}`));
  fields.push(lines, await page.$$eval(".step", (steps) => steps.map((step) => {
    step.querySelectorAll(".turner, .happened, .skip").forEach((node) => node.remove());
    return step.textContent.replace(/\s+/g, "");
  })));
}
await browser.close();
console.log(JSON.stringify(fields));
