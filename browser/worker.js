// The worker of the page: it starts Python and passes requests to PageApp. It downloads nothing: all files that
// pyodide asks for are parts of the page.
"use strict";

const parts = {};  // by name, as text from the page; each is used once

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;,=>?@^_`{|}~";
const values = new Uint8Array(128);
for (let n = 0; n < DIGITS.length; n++) values[DIGITS.charCodeAt(n)] = n;

// Base 85: five digits are four bytes; the last group can be shorter, and is filled with the highest digit.
function decoded(name) {
  const text = parts[name].padEnd(5 * Math.ceil(parts[name].length / 5), "~");
  const bytes = new DataView(new ArrayBuffer(4 * (text.length / 5)));
  for (let n = 0, at = 0; n < text.length; at += 4) {
    let value = 0;
    for (const end = n + 5; n < end; n++) value = 85 * value + values[text.charCodeAt(n)];
    bytes.setUint32(at, value);
  }
  const length = Math.floor((4 * parts[name].length) / 5);
  delete parts[name];
  return new Uint8Array(bytes.buffer, 0, length);
}

async function taken(name) {
  const stream = new Blob([decoded(name)]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const imported = async (bytes) => {
  const address = URL.createObjectURL(new Blob([bytes], { type: "text/javascript" }));
  try {
    return await import(address);
  } finally {
    URL.revokeObjectURL(address);
  }
};

const step = (words, share) => postMessage({ step: words, share });

async function begin() {
  step("Unpacking", 0.05);
  const loaded = {};
  for (const name of ["pyodide.asm.wasm", "stdlib.zip", "lock.json"]) loaded[name] = await taken(name);
  self.fetch = async (address) => {
    const name = String(address).split("/").pop();
    const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
    return new Response(loaded[name], { headers: { "Content-Type": type } });
  };
  step("Starting Python", 0.25);
  const { loadPyodide } = await imported(await taken("pyodide.mjs"));
  const { default: createPyodideModule } = await imported(await taken("pyodide.asm.mjs"));
  const python = await loadPyodide({
    indexURL: "page:/parts/",
    stdLibURL: "page:/parts/stdlib.zip",
    lockFileURL: "page:/parts/lock.json",
    createPyodideModule,
    env: { HOME: "/work", PYTHONHASHSEED: "0" },
  });
  for (const name of Object.keys(loaded)) delete loaded[name];
  step("Unpacking cardbattle", 0.7);
  python.FS.writeFile("/site.zip.xz", decoded("site.zip.xz"), { canOwn: true });
  python.runPython(`
import lzma, os, shutil

with lzma.open("/site.zip.xz") as pressed, open("/site.zip", "wb") as file:
    shutil.copyfileobj(pressed, file, 1 << 20)
os.remove("/site.zip.xz")
shutil.unpack_archive("/site.zip", "/lib/python3.14/site-packages")
os.remove("/site.zip")
os.makedirs("/work", exist_ok=True)
os.chdir("/work")
`);
  step("Loading the page", 0.9);
  return python.runPython("import app; app.PageApp()");
}

let begun = null;

onmessage = async ({ data }) => {
  try {
    if (data.part) return void (parts[data.part] = data.text);
    if (data.begin) begun = begin();
    const app = await begun;
    if (data.begin) postMessage({ ready: true });
    else postMessage({ number: data.number, answer: JSON.parse(app.call(data.request, JSON.stringify(data.given))) });
  } catch (error) {
    postMessage({ number: data.number, answer: { failure: String(error.stack || error) } });
  }
};
