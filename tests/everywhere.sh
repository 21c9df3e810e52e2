#!/usr/bin/env bash
# The same seeds come to the same bytes, and a campaign to the same site: on every CPython from 3.11 that
# pyenv has, under other hash seeds; the seeds also on pyodide (wasm32) under node where npm can fetch it.
# Exit 1 if any of them differs.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m pip install --quiet --target "$work/site" mypy-extensions
expected=""

compare() {  # name, output
  expected=${expected:-$2}
  if [ "$2" = "$expected" ]; then echo "same   $1"; else echo "DIFFERS $1"; failed=1; fi
}

failed=0
for python in "$(command -v python3)" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/3.1[1-9]*/bin/python; do
  [ -x "$python" ] || continue
  "$python" -m venv "$work/venv" && "$work/venv/bin/python" -m pip install --quiet -e "$root"
  for hash in 0 1; do
    told=$(cd "$root" && PYTHONHASHSEED=$hash PYTHONDONTWRITEBYTECODE=1 "$work/venv/bin/python" -m tests.support.same_bytes)
    compare "CPython $("$python" -c 'import platform; print(platform.python_version())'), hash seed $hash" "$told"
  done
  rm -r "$work/venv"
done
expected=$(grep -v "^site " <<< "$expected")

if command -v npm > /dev/null && (cd "$work" && npm install --silent --no-audit --no-fund pyodide > /dev/null 2>&1); then
  cat > "$work/run.mjs" <<'NODE'
import { loadPyodide } from "pyodide";
const [root, site] = process.argv.slice(2);
const py = await loadPyodide();
py.FS.mkdirTree("/root"); py.FS.mkdirTree("/site");
py.FS.mount(py.FS.filesystems.NODEFS, { root }, "/root");
py.FS.mount(py.FS.filesystems.NODEFS, { root: site }, "/site");
py.runPython(`
import sys, platform
sys.dont_write_bytecode = True
sys.path[:0] = ["/root", "/site"]
print(platform.python_version(), sys.platform, sys.maxsize, file=sys.stderr)
from tests.support.same_bytes import tell_battles
tell_battles()
`);
NODE
  compare "pyodide $(cd "$work" && node -p 'require("pyodide/package.json").version'), node $(node --version)" "$(cd "$work" && node run.mjs "$root" "$work/site")"
else
  echo "left out: pyodide (npm cannot fetch it here)"
fi
exit $failed
