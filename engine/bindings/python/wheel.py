#!/usr/bin/env python3
"""Packs a package folder into a wheel: a zip file with three files of metadata.

    wheel.py PACKAGE-FOLDER OUTPUT-FOLDER

On Linux the platform tag says which version of glibc the shared library needs at least.
"""
import base64
import hashlib
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def read_project():
    """Name, description and lowest version of Python, from pyproject.toml; the version from the
    header."""
    text = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    header = (HERE.parent.parent / "cairn.h").read_text(encoding="utf-8")
    found = dict(re.findall(r'^([\w-]+) = "(.*)"$', text, re.MULTILINE))
    found["version"] = ".".join(re.search(rf"CN_VERSION_{part} (\d+)", header)[1]
                                for part in ("MAJOR", "MINOR", "PATCH"))
    return found


def platform_tag(library):
    tag = re.sub(r"[-.]", "_", sysconfig.get_platform())
    if not tag.startswith("linux_"):
        return tag
    symbols = subprocess.run(["objdump", "-T", library], check=True, capture_output=True, text=True)
    versions = [tuple(map(int, v)) for v in re.findall(r"GLIBC_(\d+)\.(\d+)", symbols.stdout)]
    if not versions:
        return tag
    return tag.replace("linux", "manylinux_{}_{}".format(*max(versions)), 1)


def main():
    package, out = map(pathlib.Path, sys.argv[1:3])
    project = read_project()
    library = next((package / "cairn2d").glob("libcairn2d.*"))
    tag = f"py3-none-{platform_tag(library)}"
    info = f"cairn2d-{project['version']}.dist-info"
    files = {str(p.relative_to(package)): p.read_bytes()
             for p in sorted(package.rglob("*")) if p.is_file() and "__pycache__" not in p.parts}
    files[f"{info}/METADATA"] = (
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
        f"Summary: {project['description']}\nLicense: MIT\n"
        f"Requires-Python: {project['requires-python']}\n"
        "Provides-Extra: fast\nRequires-Dist: numpy; extra == \"fast\"\n"
        "Description-Content-Type: text/markdown\n\n"
        + (HERE / "README.md").read_text(encoding="utf-8")).encode()
    files[f"{info}/WHEEL"] = (f"Wheel-Version: 1.0\nGenerator: cairn\nRoot-Is-Purelib: false\n"
                              f"Tag: {tag}\n").encode()
    files[f"{info}/LICENSE"] = (HERE.parent.parent.parent / "LICENSE").read_bytes()
    record = ""
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    wheel = out / f"cairn2d-{project['version']}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            # (A fixed time: the same sources give the same bytes.)
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), data,
                             zipfile.ZIP_DEFLATED)
    print(wheel)


if __name__ == "__main__":
    main()
