// Audit ten kinds of pages of a site with axe and Lighthouse: node audit.mjs NODE_MODULES CHROMIUM SITE [PAGE...]
// NODE_MODULES has puppeteer-core, axe-core and lighthouse (npm install). axe looks at each page light and dark, at
// 1280 and 390 pixels; Lighthouse as a phone and as a desktop. The pages are served from this machine. A line for
// each page says how many violations axe found, and Lighthouse's scores.
import { createRequire } from "node:module";
import { createServer } from "node:http";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const [modules, chromium, site, ...named] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const puppeteer = require("puppeteer-core");
const axe = readFileSync(`${modules}/axe-core/axe.min.js`, "utf8");
const { default: lighthouse, desktopConfig } = await import(`${modules}/lighthouse/core/index.js`);

const first = (kind) => readdirSync(join(site, kind)).filter((name) => name.endsWith(".html")).sort()[0];
const last = (kind) => readdirSync(join(site, kind)).filter((name) => name.endsWith(".html")).sort().at(-1);
const pages = named.length ? named : [
  "index.html", "map.html", "search.html",
  ...["turns", "factions", "forces", "places", "battles"].map((kind) => `${kind}/${first(kind)}`),
  ...["battles", "turns"].map((kind) => `${kind}/${last(kind)}`),
];
const types = { html: "text/html; charset=utf-8", xml: "application/xml", svg: "image/svg+xml", toml: "text/plain" };
const server = createServer((request, response) => {
  const path = join(site, decodeURIComponent(new URL(request.url, "http://x").pathname));
  if (!existsSync(path)) return response.writeHead(404).end();
  response.writeHead(200, { "content-type": types[path.split(".").at(-1)] ?? "text/plain" }).end(readFileSync(path));
});
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
});

async function violations(name) {
  const page = await browser.newPage();
  const found = [];
  for (const width of [1280, 390]) {
    for (const scheme of ["light", "dark"]) {
      await page.setViewport({ width, height: 900 });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
      await page.goto(`file://${join(site, name)}`);
      await page.evaluate(axe);
      const report = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      found.push(...report.violations.map((one) => `${one.id} (${width}, ${scheme}): ${one.nodes[0].html.slice(0, 100)}`));
    }
  }
  await page.close();
  return found;
}

async function scores(name, config) {
  const page = await browser.newPage();
  // Lighthouse asks for robots.txt from within the page, whose policy allows no request.
  const flags = { logLevel: "silent", skipAudits: ["robots-txt"] };
  const { lhr } = await lighthouse(`${origin}/${name}`, flags, config, page);
  await page.close();
  return Object.values(lhr.categories).map((category) => Math.round(100 * category.score)).join(" / ");
}

for (const name of pages) {
  const found = await violations(name);
  const [phone, desktop] = [await scores(name, undefined), await scores(name, desktopConfig)];
  console.log(`${name}: axe ${found.length}; Lighthouse phone ${phone}, desktop ${desktop}`);
  for (const one of found) console.log(`  ${one}`);
}
await browser.close();
server.close();
