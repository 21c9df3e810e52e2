// Compile Python sources to bytecode for the Python that runs in the page:
// node compile.mjs PYODIDE FOLDER, where FOLDER has `stdlib` and `site`; each x.py becomes x.pyc beside it.
import { pathToFileURL } from "node:url";

const [pyodide, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" } });
python.FS.mkdirTree("/work");
python.FS.mount(python.FS.filesystems.NODEFS, { root: folder }, "/work");
const isWhole = python.runPython(`
import compileall, py_compile

def compiled(name, where):
    "Compile a folder without docstrings, with its paths in the page; dates of files do not change the result."
    return compileall.compile_dir(
        f"/work/{name}", maxlevels=20, quiet=1, legacy=True, force=True, optimize=2,
        stripdir=f"/work/{name}", prependdir=where,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)

all([compiled("stdlib", "/lib/python314.zip"), compiled("site", "/lib/python3.14/site-packages")])
`);
process.exit(isWhole ? 0 : 1);
