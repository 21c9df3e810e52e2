# For .ci/run and .ci/slow: an environment of its own for each run, a second one with the compiled wheel.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 -m venv "$work/venv"
export PATH="$work/venv/bin:$PATH" VIRTUAL_ENV="$work/venv"
export PIP_COMPILE=0  # Python compiles what the checks import, a third of what is installed

step() { printf '\n== %s (after %s s)\n' "$*" "$SECONDS"; "$@"; }

# Make an environment that takes cardbattle's dependencies from the first, but not cardbattle itself.
beside() {
  python3 -m venv --without-pip "$1"
  local packages='import sysconfig; print(sysconfig.get_path("purelib"))'
  python -c "$packages" > "$("$1/bin/python" -c "$packages")/others.pth"
}

# Begin to build the wheel from a copy. The C compiler optimises it less than one for users, which takes half as
# long.
begin_wheel() {
  cp -r . "$work/copy"
  build_wheel &
  building=$!
}
build_wheel() {
  CARDBATTLE_OPT_LEVEL=g python -m pip wheel --quiet --no-deps --wheel-dir "$work/wheel" "$work/copy"
  beside "$work/compiled"
  python -m pip --python "$work/compiled" install --quiet --no-deps "$work"/wheel/cardbattle-*.whl
}

# Wait for the wheel, and make a copy with the tests (and with what Python has compiled of them) but without the
# sources.
end_wheel() {
  wait "$building"
  rm -rf "$work/copy"
  cp -a . "$work/copy"
  find "$work/copy/setup.py" "$work/copy/cardbattle" -name '*.py' -delete
}

# Run a command in that copy, with the compiled wheel.
compiled() {
  (
    cd "$work/copy"
    export CARDBATTLE_FORM=compiled PATH="$work/compiled/bin:$PATH" VIRTUAL_ENV="$work/compiled"
    "$@"
  )
}
