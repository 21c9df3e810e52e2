"""Build a release: `python -m browser.release [FOLDER]` (default: dist/cardbattle-VERSION/).

The folder contains everything that a publisher needs, made from the last commit:

- the source distribution, whose bytes depend on the commit only
- the pure wheel, and a wheel compiled for this machine
- the offline page and the documentation site
- a list of the dependencies, with their versions and licences (SBOM, in CycloneDX JSON)
- the checksums of these files, in SHA256SUMS

`twine` and `check-wheel-contents` check the packages. Compiled wheels for other systems come from
`.github/workflows/release.yml`.
"""

from __future__ import annotations

import sys
import tarfile
import venv
from hashlib import sha256
from pathlib import Path
from shutil import copy, make_archive, rmtree
from tempfile import TemporaryDirectory

from browser.page import build
from browser.parts import FOLDER, BuildError, run_command
from cardbattle.version import __version__

ROOT = FOLDER.parent
SUMS = "SHA256SUMS"
NAME = f"cardbattle-{__version__}"


def release(folder: Path) -> Path:
    """Rebuild the folder and return the path of its checksums. Raises BuildError."""
    rmtree(folder, ignore_errors=True)
    page = build(folder)
    with TemporaryDirectory() as work:
        sources, time = committed_sources(Path(work))
        build_packages(sources, folder, time)
        check_packages(folder)
        write_dependencies(folder, Path(work), time)
    build_site(folder, page)
    return write_sums(folder)


def committed_sources(work: Path) -> tuple[Path, str]:
    """Unpack the last commit into a folder; return that, and the time of the commit as a Unix time.

    Without git, return the folder of the sources and the time zero of zip files. Raises BuildError.
    """
    if not (ROOT / ".git").exists():
        return ROOT, "315532800"
    if run_command(["git", "status", "--porcelain", "--untracked-files=no"], ROOT):
        print("browser.release: changes without a commit are left out", file=sys.stderr)
    run_command(["git", "archive", f"--output={work / 'sources.tar'}", "HEAD"], ROOT)
    with tarfile.open(work / "sources.tar") as archive:
        archive.extractall(work / "sources", filter="data")
    return work / "sources", run_command(["git", "log", "-1", "--pretty=%ct"], ROOT).strip()


def build_packages(sources: Path, folder: Path, time: str) -> None:
    """Build the source distribution, the wheel of this machine, and the pure wheel. Raises BuildError."""
    command = [sys.executable, "-m", "build", "--outdir", str(folder)]
    run_command([*command, str(sources)], sources, SOURCE_DATE_EPOCH=time)
    run_command([*command, "--wheel", str(sources)], sources, SOURCE_DATE_EPOCH=time, CARDBATTLE_PURE="1")


def check_packages(folder: Path) -> None:
    """Check the metadata and content of the packages. Raises BuildError."""
    wheels = sorted(map(str, folder.glob("*.whl")))
    source = str(folder / f"{NAME}.tar.gz")
    run_command([sys.executable, "-m", "twine", "check", "--strict", source, *wheels], ROOT)
    run_command([sys.executable, "-m", "check_wheel_contents", *wheels], ROOT)


def write_dependencies(folder: Path, work: Path, time: str) -> None:
    """Install the pure wheel into an empty environment, and list what is in it. Raises BuildError."""
    environment = work / "environment"
    venv.create(environment)
    python = environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    (wheel,) = folder.glob("*-none-any.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(python), "install", "--quiet", str(wheel)]
    run_command(pip, work)
    lister = [sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible"]
    files = ["--pyproject", str(ROOT / "pyproject.toml"), "-o", str(folder / f"{NAME}.cdx.json"), str(python)]
    run_command([*lister, *files], work, SOURCE_DATE_EPOCH=time)


def build_site(folder: Path, page: Path) -> None:
    """Build the documentation site with the offline page, as a zip file. Raises BuildError."""
    (ROOT / "dist").mkdir(exist_ok=True)
    copy(page, ROOT / "dist")
    run_command([sys.executable, "-m", "mkdocs", "build", "--quiet"], ROOT, NO_MKDOCS_2_WARNING="1")
    make_archive(str(folder / f"{NAME}-docs"), "zip", ROOT / "build" / "site")


def write_sums(folder: Path) -> Path:
    """Write the checksums of a folder for `sha256sum --check` and return the path of that file."""
    files = sorted(path for path in folder.iterdir() if path.name != SUMS)
    lines = [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files]
    (folder / SUMS).write_text("".join(lines), encoding="ascii", newline="\n")
    return folder / SUMS


def main(arguments: list[str]) -> int:
    """Build the release and print its checksums; return the exit code."""
    folder = Path(arguments[0]).absolute() if arguments else ROOT / "dist" / NAME
    try:
        sums = release(folder)
    except BuildError as error:
        print(f"browser.release: {error}", file=sys.stderr)
        return 1
    print(f"{folder}:\n{sums.read_text()}", end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
