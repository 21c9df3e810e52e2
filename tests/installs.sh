#!/usr/bin/env bash
# Install the built packages in every documented way, each in an empty environment, and use the program.
#
# tests/installs.sh [FOLDER [PATTERN]]: the folder has the source distribution and the pure wheel, and defaults
# to one that is built here; with a pattern, only the ways run whose name contains it. Each Python from 3.11 on is used that is on the PATH or that pyenv has. It needs a
# network, and the programs uv and pipx. It takes about five minutes; CI does not run it.
set -euo pipefail
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset PYTHONPATH PYTHONHOME VIRTUAL_ENV
export CARDBATTLE_CONFIG="$work/no-config.toml" CARDBATTLE_CACHE="$work/cache" UV_LINK_MODE=copy UV_PYTHON_DOWNLOADS=never

if [[ ${1:-} ]]; then
  packages=$(cd "$1" && pwd)
else
  packages=$work/packages
  CARDBATTLE_PURE=1 python -m build --outdir "$packages" . > "$work/build.log"
fi
wheel=$(ls "$packages"/cardbattle-*-none-any.whl)
source=$(ls "$packages"/cardbattle-*.tar.gz)
cp pyproject.toml "$work"
pattern=${2:-.}
failed=0

# Use an installed program as a newcomer would, away from the sources.
use() {
  local program=$1 folder
  folder=$(mktemp -d "$work/use.XXXX")
  cd "$folder"
  "$program" doctor > doctor.txt
  "$program" demo > demo.txt
  "$program" campaign -C cider-war fight --all > fight.txt
  "$program" campaign -C cider-war check
  "$program" resolve field-of-honour --seed 1403 -o record.toml -q > battle.txt
  "$program" verify record.toml > verify.txt
  "$program" odds wargame -n 50 --json > odds.json
  "$program" campaign -C cider-war report -o report.html -q
}

# Run one way of installing, and print whether the program works afterwards, and how it was built.
try() {
  local name=$1 way=$2 began=$SECONDS program
  shift 2
  [[ $name =~ $pattern ]] || return 0
  if program=$("$way" "$@" 2> "$work/errors") && bash -ec "$(declare -f use); work='$work' use '$program'" 2>> "$work/errors"; then
    printf 'ok    %3s s  %s: %s\n' "$((SECONDS - began))" "$name" "$("$program" --version)"
  else
    failed=1
    printf 'FAIL  %3s s  %s\n' "$((SECONDS - began))" "$name"
    tail -n 5 "$work/errors" | sed 's/^/      /'
  fi
}

# Each way installs and prints the path of the program. (In a condition, bash ignores `set -e`.)
with_pip() {  # PYTHON PACKAGE
  "$1" -m venv "$work/env" --clear >&2 &&
    "$work/env/bin/python" -m pip install --quiet --disable-pip-version-check "$2" >&2 &&
    echo "$work/env/bin/cardbattle"
}
without_compiler() { CC=/bin/false with_pip "$@"; }
with_uv() {  # PYTHON ARGUMENT...
  uv venv --quiet --clear --python "$1" "$work/env" >&2 &&
    uv pip install --quiet --python "$work/env/bin/python" --only-binary :all: "${@:2}" >&2 &&
    uv pip install --quiet --python "$work/env/bin/python" --no-deps "$wheel" >&2 &&
    echo "$work/env/bin/cardbattle"
}
with_pipx() {  # PYTHON
  export PIPX_HOME=$work/pipx PIPX_BIN_DIR=$work/pipx-bin
  rm -rf "$PIPX_HOME"  # with --force alone, pipx keeps the Python of an earlier environment
  pipx install --quiet --force --python "$1" "$wheel" >&2 && echo "$PIPX_BIN_DIR/cardbattle"
}
with_uv_tool() {  # PYTHON
  export UV_TOOL_DIR=$work/tools UV_TOOL_BIN_DIR=$work/tools-bin
  uv tool install --quiet --force --python "$1" "$wheel" >&2 && echo "$UV_TOOL_BIN_DIR/cardbattle"
}

pythons() {
  local name
  for name in 3.11 3.12 3.13 3.14 3.15; do
    { ls -d "$HOME/.pyenv/versions/$name".*/bin/python 2> /dev/null || command -v "python$name" || true; } | tail -n 1
  done
}

first=$(pythons | head -n 1)
for python in $(pythons); do
  version=$("$python" -c 'import platform; print(platform.python_version())')
  try "pip, Python $version" with_pip "$python" "$wheel"
  try "pipx, Python $version" with_pipx "$python"
  try "uv tool, Python $version" with_uv_tool "$python"
  try "sources without a compiler, Python $version" without_compiler "$python" "$source"
  try "oldest dependencies, Python $version" with_uv "$python" --resolution lowest-direct -r "$work/pyproject.toml"
  try "newest dependencies, Python $version" with_uv "$python" --upgrade -r "$work/pyproject.toml"
done
for extra in languages tui dask docs release; do
  try "extra $extra" with_pip "$first" "cardbattle[$extra] @ file://$wheel"
  try "extra $extra, oldest" with_uv "$first" --resolution lowest-direct -r "$work/pyproject.toml" --extra "$extra"
done
exit "$failed"
