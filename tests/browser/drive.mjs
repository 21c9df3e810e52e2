// Try the page in Chromium: node drive.mjs NODE_MODULES CHROMIUM PAGE WORK PLAN
// PLAN is a JSON file that says what to do; what was seen is printed as JSON. WORK is a folder for downloads.
import { createRequire } from "node:module";
import { existsSync, readFileSync, readdirSync, renameSync } from "node:fs";
import { createHash } from "node:crypto";

const [modules, chromium, file, work, planned] = process.argv.slice(2);
const require = createRequire(`${modules}/`);
const puppeteer = require("puppeteer-core");
const plan = JSON.parse(readFileSync(planned, "utf8"));
const seen = { requests: [], errors: [], violations: [], seconds: {} };
const patience = { timeout: 60000, polling: 50 };
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  protocolTimeout: 3600000,
});

async function opened(width = 1024, scheme = "light") {
  const page = await browser.newPage();
  page.on("request", (request) => seen.requests.push(request.url().replace(/^(blob|data):.*/s, "$1:")));
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && seen.errors.push(message.text()));
  page.on("dialog", (dialog) => dialog.accept());
  await page.setViewport({ width, height: 900 });
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
  await page.goto(`file://${file}`);
  const session = await page.createCDPSession();
  await session.send("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: work });
  return page;
}

const shown = (page, id) => page.waitForFunction((id) => !document.getElementById(id).hidden, patience, id);
const text = (page, id) => page.$eval(`#${id}`, (node) => node.innerText);
const idle = (page) => page.waitForFunction(() => !document.body.hasAttribute("aria-busy"), patience);
const timed = async (name, done) => {
  const began = Date.now();
  const found = await done();
  seen.seconds[name] = (Date.now() - began) / 1000;
  return found;
};

async function pasted(page, battle) {
  await page.$eval("#file-part", (part) => { part.open = true; });
  await page.$eval("#text", (node, battle) => {
    node.value = battle;
    node.dispatchEvent(new Event("input"));
  }, battle);
}

async function saved(page, id, name) {
  await page.click(`#${id}`);
  for (let tries = 0; tries < 200 && !existsSync(`${work}/${name}`); tries++) await new Promise((go) => setTimeout(go, 50));
  const found = readFileSync(`${work}/${name}`, "utf8");
  renameSync(`${work}/${name}`, `${work}/last-${name}`);
  return found;
}

async function tabbed(page, id) {  // reach something by the Tab key alone
  for (let presses = 0; presses < 80; presses++) {
    if (await page.evaluate((id) => document.activeElement.id === id, id)) return true;
    await page.keyboard.press("Tab");
  }
  return false;
}

async function looked(page, name) {  // by axe, and as a picture
  if (plan.axe) {
    await page.evaluate(readFileSync(`${modules}/axe-core/axe.min.js`, "utf8"));
    const found = await page.evaluate(() => axe.run({ resultTypes: ["violations"] }));
    seen.violations.push(...found.violations.map((one) => `${name}: ${one.id}: ${one.nodes[0].html.slice(0, 120)}`));
    const width = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
    if (width[0] > width[1]) seen.violations.push(`${name}: ${width[0]} wide of ${width[1]}`);
  }
  if (plan.pictures) await page.screenshot({ path: `${plan.pictures}/${name}.png`, fullPage: false });
}

// What the tab's process takes: MB of its own, MB at most with what it shares, seconds of a processor; nothing
// where the system does not tell.
function taken() {
  const told = (pid, name) => readFileSync(`/proc/${pid}/${name}`, "utf8");
  const above = (pid) => Number(told(pid, "status").match(/PPid:\s+(\d+)/)[1]);
  const isOurs = (pid) => pid === browser.process().pid || (pid > 1 && isOurs(above(pid)));
  const size = (pid, name) => Math.round(Number(told(pid, "status").match(new RegExp(`${name}:\\s+(\\d+)`))[1]) / 1024);
  const ticks = (pid) => told(pid, "stat").split(") ")[1].split(" ").slice(11, 13).map(Number);
  const own = (pid) => [...told(pid, "smaps_rollup").matchAll(/Private_\w+:\s+(\d+)/g)].reduce((sum, one) => sum + Number(one[1]), 0);
  const sizes = (pid) => [Math.round(own(pid) / 1024), size(pid, "VmHWM"), (ticks(pid)[0] + ticks(pid)[1]) / 100];
  if (!existsSync("/proc/self/status")) return [];
  const tabs = readdirSync("/proc").filter((name) => /^\d+$/.test(name)).filter((pid) => {
    try {
      return told(pid, "cmdline").includes("--type=renderer") && isOurs(Number(pid));
    } catch {
      return false; // it has ended meanwhile
    }
  });
  return tabs.map(sizes).sort((one, other) => other[1] - one[1])[0] ?? [];
}

const steps = {
  async resolve(page) {
    await pasted(page, plan.broken);
    await timed("first answer", async () => {
      await page.click("#resolve");
      await shown(page, "errors");
    });
    seen.broken = await text(page, "errors");
    await pasted(page, plan.battle);
    await timed("resolve", async () => {
      await page.click("#resolve");
      await shown(page, "outcome");
    });
    seen.title = await text(page, "outcome-title");
    seen.focus = await page.evaluate(() => document.activeElement.id);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    seen.step = await page.evaluate(() => [location.hash, document.querySelector(".step.now .happened").innerText]);
    seen.record = await saved(page, "save-record", "shrewsbury.toml");
    await page.click("#check-record");
    await page.waitForFunction(() => document.getElementById("verdict").innerText, patience);
    seen.verdict = await text(page, "verdict");
    await page.select("#viewer", "percy");
    await idle(page);
    seen.forPercy = await text(page, "tale");
    await looked(page, "outcome");
  },

  async play(page) {  // by keys alone
    await page.evaluate(() => document.activeElement.blur());
    seen.reached = await tabbed(page, "play");
    await page.keyboard.press("Enter");
    await shown(page, "table");
    seen.asked = await text(page, "question");
    seen.focusAsked = await page.evaluate(() => document.activeElement.id);
    await looked(page, "table");
    seen.reached = seen.reached && (await tabbed(page, "typed"));
    for (seen.answers = 0; seen.answers < 200; seen.answers++) {
      if (!(await page.$eval("#outcome", (node) => node.hidden))) break;
      if (seen.answers === 2) seen.kept = await saved(page, "keep", "shrewsbury.battle.toml");
      if (seen.answers === 2) await page.focus("#typed");
      await page.keyboard.type("1");
      await page.keyboard.press("Enter");
      await idle(page);
    }
    seen.heard = await page.$eval("#news", (node) => node.innerText);
    seen.played = await saved(page, "save-record", "shrewsbury.toml");
  },

  async odds(page) {
    await page.$eval("#battles", (node) => { node.value = 100000; });
    await page.click("#odds");
    await page.waitForFunction(() => document.getElementById("counted").value > 0, patience);
    await looked(page, "odds");
    await timed("stop", async () => {
      await page.click("#stop");
      await page.waitForFunction(() => document.getElementById("stop").disabled, patience);
    });
    seen.counted = await page.$eval("#counted", (node) => node.value);
    seen.odds = await text(page, "chances");
  },

  async campaign(page) {  // a folder dropped onto the page
    const session = await page.createCDPSession();
    const data = { items: [], files: [plan.campaign], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
    await page.waitForFunction(() => document.getElementById("opened").innerText, patience);
    seen.campaign = await text(page, "opened");
    await looked(page, "campaign");
    await page.click("#opened .actions button");
    await page.waitForFunction((count) => document.getElementById("checked").children.length === count, patience, plan.records);
    seen.checked = await text(page, "checked");
    await page.click("#opened .pending button");
    await page.click("#resolve");
    await shown(page, "outcome");
    seen.pending = await text(page, "outcome-title");
  },

  async sealed(page) {  // seals and a record chosen together
    const input = await page.$("#choose");
    await page.click('nav button[data-view="files"]');
    await input.uploadFile(...plan.sealed);
    await page.waitForFunction(() => document.getElementById("checked").innerText.includes("mill"), patience);
    await idle(page);
    seen.sealed = await text(page, "checked");
    seen.sealedTop = await page.$eval("#checked", (node) => Math.round(node.getBoundingClientRect().top));
    await looked(page, "sealed");
  },

  async goOn(page) {
    const input = await page.$("#choose");
    await page.click('nav button[data-view="files"]');
    await input.uploadFile(`${work}/last-shrewsbury.battle.toml`);
    await shown(page, "table");
    await page.click('nav button[data-view="battle"]');
    await page.click("#playing");
    seen.again = await text(page, "question");
  },

  async seeds(page) {  // records of many seeds, and what they hash to
    seen.hashes = {};
    seen.speed = {};
    for (const [name, battle] of Object.entries(plan.seeds)) {
      const hash = createHash("sha256");
      const began = Date.now();
      for (let seed = 0; seed < plan.count; seed++) {
        const answer = await page.evaluate((request) => ask("resolve", request), { text: battle.replace("SEED", seed) });
        if (!answer.text) throw new Error(JSON.stringify(answer));
        hash.update(answer.text);
      }
      seen.speed[name] = (Date.now() - began) / 1000;
      seen.hashes[name] = hash.digest("hex");
    }
  },

  async widths(page) {  // how it looks, wide and narrow, light and dark
    for (const width of [360, 768, 1280]) {
      for (const scheme of ["light", "dark"]) {
        await page.setViewport({ width, height: 900 });
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
        for (const [view, press] of [["battle", null], ["table", "#play"], ["outcome", "#resolve"], ["counting", "#odds"]]) {
          await page.click('nav button[data-view="battle"]');
          if (press) {
            await page.click(press);
            await shown(page, view);
            await idle(page);
          }
          if (view === "counting") await page.waitForFunction(() => document.getElementById("stop").disabled, patience);
          await looked(page, `${view}-${width}-${scheme}`);
        }
        await page.click('nav button[data-view="files"]');
        await looked(page, `files-${width}-${scheme}`);
      }
    }
  },
};

try {
  const page = await timed("open", () => opened());
  for (const step of plan.steps) {
    try {
      await steps[step](page);
    } catch (error) {
      throw new Error(`${step}: ${error.message}; the page says: ${await text(page, "errors")} ${await text(page, "busy")}`);
    }
  }
  [seen.memory, seen.most, seen.processor] = taken();
} catch (error) {
  seen.failure = String(error);
} finally {
  await browser.close();
}
console.log(JSON.stringify(seen));
