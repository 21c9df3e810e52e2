// The field after each step, once the script of a page has filled in what did not change:
// node fields.mjs NODE_MODULES CHROMIUM PAGE...  prints a list for each page as JSON, without the marks of changes.
import { createRequire } from "node:module";

const [modules, chromium, ...files] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
const fields = [];
for (const file of files) {
  await page.goto(`file://${file}`);
  fields.push(await page.$$eval(".step", (steps) => steps.map((step) => {
    step.querySelectorAll(".turner, .happened, .skip").forEach((node) => node.remove());
    step.querySelectorAll(".new").forEach((node) => node.classList.remove("new", "taken"));
    return step.innerHTML.replace(/\s+/g, "");
  })));
}
await browser.close();
console.log(JSON.stringify(fields));
