// The words in the labels of rows that a page of 390 pixels breaks in the middle:
// node broken_words.mjs NODE_MODULES CHROMIUM PAGE  prints a JSON list.
import { createRequire } from "node:module";

const [modules, chromium, file] = process.argv.slice(2);
const puppeteer = createRequire(`${modules}/`)("puppeteer-core");
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});
const page = await browser.newPage();
await page.setViewport({ width: 390, height: 800, isMobile: true });
await page.goto(`file://${file}`);
const broken = await page.$$eval("tbody th", (labels) => labels.flatMap((label) => {
  const words = [];
  const walker = document.createTreeWalker(label, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const { 0: word, index } of node.data.matchAll(/\p{L}+/gu)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map((box) => Math.round(box.top))).size > 1) words.push(word);
    }
  }
  return words;
}));
await browser.close();
console.log(JSON.stringify(broken));
