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
const patience = { timeout: 180000, polling: 50 };  // the machine may be busy with other tests
const calm = { name: "prefers-reduced-motion", value: "reduce" };  // nothing moves under the mouse
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
  page.setDefaultTimeout(patience.timeout);
  await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }, calm]);
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

// Click what a selector names: once it stands still, and again if the click missed it because something above
// it appeared, such as the chart of chances.
async function press(page, selector) {
  for (;;) {
    await page.$eval(selector, (node) => {
      window.hit = false;
      node.addEventListener("click", () => { window.hit = true; }, { capture: true, once: true });
    });
    await page.locator(selector).setTimeout(patience.timeout).click();
    if (await page.evaluate(() => window.hit)) return;
  }
}

async function saved(page, id, name) {
  await press(page, `#${id}`);
  const began = Date.now();
  while (!existsSync(`${work}/${name}`)) {
    if (Date.now() - began > patience.timeout) throw new Error(`nothing was saved as ${name}`);
    await new Promise((go) => setTimeout(go, 50));
  }
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
      await press(page, "#resolve");
      await shown(page, "errors");
    });
    seen.broken = await text(page, "errors");
    await pasted(page, plan.battle);
    await timed("resolve", async () => {
      await press(page, "#resolve");
      await shown(page, "outcome");
    });
    seen.title = await text(page, "outcome-title");
    seen.focus = await page.evaluate(() => document.activeElement.id);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    seen.step = await page.evaluate(() => [location.hash, document.querySelector(".step.now .happened").innerText]);
    seen.record = await saved(page, "save-record", "shrewsbury.toml");
    await press(page, "#check-record");
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

  async tap(page) {  // a battle played by what is drawn: by mouse, finger, keys and dragging
    const spot = (part) => `button[data-part="${part}"]`;
    const middle = async (place) => {
      const box = await (await page.$(place)).boundingBox();
      return [box.x + box.width / 2, box.y + box.height / 2];
    };
    const begun = async (battle) => {
      await press(page, 'nav button[data-view="battle"]');
      await pasted(page, battle);
      await press(page, "#play");
      await idle(page);
    };
    const dragged = async (from, to, tools) => {
      await page.$eval("#question", (node) => node.scrollIntoView());
      const [begin, end] = [await middle(spot(from)), await middle(to)];
      await tools.start(...begin);
      await tools.move((begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2);
      await tools.move(...end);
      await tools.end(...end);
      await idle(page);
    };
    const mouse = {
      start: async (x, y) => { await page.mouse.move(x, y); await page.mouse.down(); },
      move: (x, y) => page.mouse.move(x, y),
      end: () => page.mouse.up(),
    };
    const finger = {
      start: (x, y) => page.touchscreen.touchStart(x, y),
      move: (x, y) => page.touchscreen.touchMove(x, y),
      end: () => page.touchscreen.touchEnd(),
    };
    await begun(plan.wargame);
    seen.lit = await page.$$eval("button.lit", (nodes) => nodes.map((node) => node.dataset.part));
    seen.listed = [await text(page, "list"), await page.$$eval("#options li", (rows) => rows.length)];
    await looked(page, "tap");
    await press(page, spot("card:13"));
    seen.places = await page.$$eval("button.lit", (nodes) => nodes.map((node) => node.dataset.part));
    await press(page, spot("place:7"));
    await idle(page);
    for (const part of ["card:12", "place:1"]) await page.touchscreen.tap(...(await middle(spot(part))));
    await idle(page);
    const reached = async (part) => {  // from the question on
      await page.$eval("#question", (node) => node.focus());
      for (let presses = 0; presses < 40; presses++) {
        await page.keyboard.press("Tab");
        if (await page.evaluate((part) => document.activeElement.dataset.part === part, part)) return true;
      }
      return false;
    };
    seen.reachedByTab = [await reached("card:11")];
    await page.keyboard.press("Enter");
    seen.reachedByTab.push(await reached("place:2"));
    for (const key of ["ArrowRight", "ArrowRight", "ArrowLeft", "ArrowLeft", "Space"]) await page.keyboard.press(key);
    await idle(page);
    await dragged("card:10", spot("place:3"), mouse);
    await dragged("card:9", spot("place:4"), finger);
    await press(page, spot("card:8"));
    seen.taken = await page.$$eval(".spot.chosen", (nodes) => nodes.map((node) => node.dataset.part));
    await page.keyboard.press("Escape");
    seen.takenAfterEscape = await page.$$eval(".spot.chosen", (nodes) => nodes.length);
    const free = await page.$$eval("button.lit", (nodes) => nodes.map((node) => node.dataset.part));
    seen.freeCards = free.filter((part) => part.startsWith("card:"));
    seen.tapped = (await page.evaluate(() => ask("save"))).text;
    await begun(plan.field);
    await dragged("card:8S", "#scene", mouse);
    await press(page, spot("card:4S"));
    await press(page, spot("card:6H"));
    await idle(page);
    await press(page, spot("card:7H"));
    await press(page, spot("card:7H"));
    await idle(page);
    seen.dragged = (await page.evaluate(() => ask("save"))).text;
    await page.setViewport({ width: 390, height: 844 });
    await looked(page, "tap-narrow");
    await page.setViewport({ width: 1024, height: 900 });
  },

  async whatIf(page) {  // a dropped record: its chances, and one decision changed by keys
    const session = await page.createCDPSession();
    const data = { items: [], files: [plan.record], dragOperationsMask: 1 };
    for (const type of ["dragEnter", "dragOver", "drop"]) {
      await session.send("Input.dispatchDragEvent", { type, x: 300, y: 300, data });
    }
    await page.waitForFunction(() => document.getElementById("outcome-title").textContent === "North against South", patience);
    await timed("chances", () => page.waitForSelector("#tale .stage .chart.live", patience));
    const chart = await page.$("#tale .chart.live");
    seen.lines = await page.$$eval("#tale .chart.live polyline", (lines) => lines.length);
    await chart.evaluate((node) => node.scrollIntoView({ block: "center" }));
    const box = await chart.boundingBox();
    await page.mouse.click(box.x + (box.width * 523) / 534, box.y + 40);
    seen.lastStep = await page.evaluate(() => [location.hash, document.querySelector("#tale .count").textContent]);
    await page.focus("#what-if summary");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("decision").options.length, patience);
    seen.decisions = await page.$$eval("#decision option", (options) => options.map((option) => option.textContent));
    const number = seen.decisions.findIndex((decision) => decision.startsWith("step 7:"));
    await page.select("#decision", String(number));
    seen.others = await page.$$eval("#instead option", (options) => options.map((option) => option.value));
    await page.focus("#fight-on");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.getElementById("other").innerText, patience);
    await timed("what if", () => page.waitForSelector("#other .chart", patience));
    seen.other = await text(page, "other");
    await page.setViewport({ width: 390, height: 844 });
    await page.$eval("#what-if", (node) => node.scrollIntoView());
    await looked(page, "what-if");
    await page.setViewport({ width: 1024, height: 900 });
  },

  async odds(page) {
    await page.$eval("#battles", (node) => { node.value = 100000; });
    await press(page, "#odds");
    await page.waitForFunction(() => document.getElementById("counted").value > 0, patience);
    await looked(page, "odds");
    await timed("stop", async () => {
      await press(page, "#stop");
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
    await press(page, "#opened .actions button");
    await page.waitForFunction((count) => document.getElementById("checked").children.length === count, patience, plan.records);
    seen.checked = await text(page, "checked");
    await press(page, "#opened .pending button");
    await press(page, "#resolve");
    await shown(page, "outcome");
    seen.pending = await text(page, "outcome-title");
  },

  async sealed(page) {  // seals and a record chosen together
    const input = await page.$("#choose");
    await press(page, 'nav button[data-view="files"]');
    await input.uploadFile(...plan.sealed);
    await page.waitForFunction(() => document.getElementById("checked").innerText.includes("mill"), patience);
    await idle(page);
    seen.sealed = await text(page, "checked");
    seen.sealedTop = await page.$eval("#checked", (node) => Math.round(node.getBoundingClientRect().top));
    await looked(page, "sealed");
  },

  async goOn(page) {
    const input = await page.$("#choose");
    await press(page, 'nav button[data-view="files"]');
    await input.uploadFile(`${work}/last-shrewsbury.battle.toml`);
    await shown(page, "table");
    await press(page, 'nav button[data-view="battle"]');
    await press(page, "#playing");
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
        await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }, calm]);
        for (const [view, button] of [["battle", null], ["table", "#play"], ["outcome", "#resolve"], ["counting", "#odds"]]) {
          await press(page, 'nav button[data-view="battle"]');
          if (button) {
            await press(page, button);
            await shown(page, view);
            await idle(page);
          }
          if (view === "counting") await page.waitForFunction(() => document.getElementById("stop").disabled, patience);
          await looked(page, `${view}-${width}-${scheme}`);
        }
        await press(page, 'nav button[data-view="files"]');
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
