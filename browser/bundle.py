"""Collect, compile and pack the Python side of the page; the same sources give the same bytes."""

from __future__ import annotations

import gzip
import json
import lzma
from collections.abc import Iterable
from fnmatch import fnmatchcase
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile, ZipInfo

from browser import parts

PACKAGE = parts.FOLDER.parent / "cardbattle"
EXCLUDED = (  # patterns of files that only a terminal, a server or a developer needs
    *(f"stdlib/{name}/*" for name in ("_pyrepl", "__phello__", "ctypes", "sqlite3", "unittest", "wsgiref")),
    *(f"stdlib/{name}/*" for name in ("xml/dom", "xml/sax", "xmlrpc")),
    *(f"stdlib/{name}.py" for name in ("antigravity", "argparse", "bdb", "cProfile", "cmd", "code")),
    *(f"stdlib/{name}.py" for name in ("compileall", "configparser", "doctest", "fileinput", "ftplib")),
    *(
        f"stdlib/{name}.py"
        for name in ("gettext", "imaplib", "mailbox", "mimetypes", "statistics", "symtable")
    ),
    *(f"stdlib/{name}.py" for name in ("nturl2path", "optparse", "pdb", "pickletools", "plistlib", "poplib")),
    *(f"stdlib/{name}.py" for name in ("profile", "pstats", "pty", "pyclbr", "pydoc", "rlcompleter")),
    *(f"stdlib/{name}.py" for name in ("shelve", "smtplib", "socketserver", "tabnanny", "this", "trace")),
    *(f"stdlib/{name}.py" for name in ("wave", "webbrowser", "zipapp", "_ast_unparse", "_py_abc", "_pyio")),
    *(
        "stdlib/_pydatetime.py",
        "stdlib/__hello__.py",
        "stdlib/json/tool.py",
        "stdlib/modulefinder.py",
        "stdlib/pyodide/console.py",
        "stdlib/urllib/robotparser.py",
    ),
    *(f"stdlib/asyncio/{name}.py" for name in ("__main__", "proactor_events", "tools", "windows_*")),
    *(f"stdlib/http/{name}.py" for name in ("cookiejar", "cookies", "server")),
    *(f"stdlib/logging/{name}.py" for name in ("config", "handlers")),
    *(f"stdlib/multiprocessing/{name}" for name in ("dummy/*", "forkserver.py", "heap.py", "managers.py")),
    *(f"stdlib/multiprocessing/{name}.py" for name in ("pool", "popen_[!f]*", "popen_forkserver")),
    *(f"stdlib/multiprocessing/{name}.py" for name in ("resource_sharer", "shared_memory", "sharedctypes")),
    *(f"stdlib/encodings/{name}*.py" for name in ("big5", "cp[!4]", "euc", "gb", "hp", "hz", "iso2")),
    *(f"stdlib/encodings/{name}*.py" for name in ("iso8859_[!1]", "iso8859_1?", "johab", "koi8", "kz")),
    *(f"stdlib/encodings/{name}*.py" for name in ("mac", "mbcs", "oem", "palmos", "ptcp", "quopri")),
    *(f"stdlib/encodings/{name}*.py" for name in ("shift", "tis", "uu")),
    *(f"site/pydantic/{name}" for name in ("v1/*", "mypy.py", "experimental/*")),
    "site/*.dist-info/[!lL]*",
    *(
        f"site/cardbattle/{name}/*"
        for name in ("battles/physical", "cli", "conformance", "environments", "testing")
    ),
    *(f"site/cardbattle/data/{name}/*" for name in ("cases", "help", "new-rules", "protocol", "schemas")),
    "site/cardbattle/data/stories/de/*",
    *("*.pyi", "*/py.typed", "*.pyc", "site/*x86_64*"),
)
LATER = (  # patterns of stdlib files that Python does not need before the worker unpacks the site archive
    *(f"stdlib/{name}/*" for name in ("email", "html", "http", "multiprocessing", "tomllib", "xml")),
    *(f"stdlib/{name}.py" for name in ("_strptime", "calendar", "csv", "difflib", "filecmp", "fractions")),
    *(f"stdlib/{name}.py" for name in ("pickle", "pprint", "shlex", "stringprep", "tarfile")),
    *(f"stdlib/{name}.py" for name in ("tracemalloc", "uuid")),
)
XZ = {
    "id": lzma.FILTER_LZMA2,
    "preset": 9 | lzma.PRESET_EXTREME,
    "dict_size": 1 << 24,
}  # the dictionary size sets the memory needed to unpack
LOADED = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")


def bundle(work: Path) -> dict[str, bytes]:
    """Return the compressed files with which the worker runs Python, by name; `work` is an empty folder.

    Raises BuildError if something cannot be downloaded or compiled.
    """
    pyodide = parts.pyodide()
    write_sources(pyodide, work)
    parts.run_command(["node", str(parts.FOLDER / "compile.mjs"), str(pyodide), str(work)], work)
    files = {name: compress((pyodide / name).read_bytes()) for name in LOADED}
    info = json.loads((pyodide / "pyodide-lock.json").read_text())["info"]
    files["lock.json"] = compress(json.dumps({"info": info, "packages": {}}, sort_keys=True).encode())
    files["stdlib.zip"] = compress(zip_folder(work / "stdlib"))
    files["site.zip.xz"] = lzma.compress(zip_folder(work / "site"), filters=[XZ])
    return files


def write_sources(pyodide: Path, work: Path) -> None:
    """Write the sources to two folders, `stdlib` and `site`. Raises BuildError if a download fails.

    Files of LATER go into `site`, where xz makes them smaller; Python also imports them from there.
    """
    unpack(pyodide / "python_stdlib.zip", work / "stdlib")
    for path in sorted((work / "stdlib").rglob("*.py")):
        name = path.relative_to(work / "stdlib").as_posix()
        if matches(f"stdlib/{name}", LATER):
            put(work / "site", name, path.read_bytes())
            path.unlink()
    for wheel in parts.wheels():
        unpack(wheel, work / "site")
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file():
            put(work / "site", path.relative_to(PACKAGE.parent).as_posix(), path.read_bytes())
    put(work / "site", "app.py", (parts.FOLDER / "app.py").read_bytes())


def unpack(archive: Path, folder: Path) -> None:
    """Unpack an archive into a folder, without excluded files."""
    with ZipFile(archive) as opened:
        for name in opened.namelist():
            if not name.endswith("/"):
                put(folder, name, opened.read(name))


def put(folder: Path, name: str, content: bytes) -> None:
    """Write one file, unless it is excluded."""
    if matches(f"{folder.name}/{name}", EXCLUDED):
        return
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def zip_folder(folder: Path) -> bytes:
    """Return a folder as an uncompressed archive without sources; the same files give the same bytes."""
    target = folder.with_suffix(".zip")
    with ZipFile(target, "w", ZIP_STORED) as archive:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".py":
                archive.writestr(ZipInfo(path.relative_to(folder).as_posix()), path.read_bytes())
    return target.read_bytes()


def compress(content: bytes) -> bytes:
    """Compress bytes with gzip, without a timestamp, so that equal input gives equal output."""
    return gzip.compress(content, 9, mtime=0)
