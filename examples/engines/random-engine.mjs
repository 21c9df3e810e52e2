// A sample engine for node without dependencies: it chooses at random.
//
// Run it with: cardbattle resolve wargame --engine sample='node examples/engines/random-engine.mjs' \
//   --side brown=engine:sample --side green

import { createInterface } from "node:readline";

const battles = new Map(); // by battle id: the state of its random numbers

function random(battle) {
  const state = (Math.imul(battles.get(battle), 1664525) + 1013904223) >>> 0;
  battles.set(battle, state);
  return state / 2 ** 32;
}

function reply(message) {
  const { type, battle, sequence } = message;
  if (type === "hello") return { type: "ready", protocol: 1, name: "random sample for node" };
  if (type === "new") battles.set(battle, message.seed >>> 0);
  else if (type === "ask") {
    if (!battles.has(battle)) {
      return { type: "error", code: "unknown-battle", text: "no such battle", battle };
    }
    const option = message.options[Math.floor(random(battle) * message.options.length)];
    return { type: "answer", battle, sequence, option: option.id };
  } else if (type === "result") battles.delete(battle);
  else if (type === "quit") process.exit(0);
  else if (!["event", "stop", "error"].includes(type)) {
    return { type: "error", code: "unknown-message", text: `unknown message ${type}` };
  }
  return undefined;
}

createInterface({ input: process.stdin }).on("line", (line) => {
  let answer;
  try {
    answer = reply(JSON.parse(line));
  } catch {
    answer = { type: "error", code: "invalid-message", text: "this is not a message" };
  }
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
