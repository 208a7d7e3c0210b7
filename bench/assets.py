"""Fetches CodeMirror from npm into a folder that git ignores, where the page's editor finds it.

    python bench/assets.py

Only npm is needed, and no build: the packages are ES modules, and all that is changed is where they import each other
from. Versions and checksums are fixed; a module that imports anything that is not in the list is not taken.
"""

from __future__ import annotations

import base64
import hashlib
import io
import re
import subprocess
import sys
import tarfile
from dataclasses import dataclass

from ludorum.web.pages import ASSETS
from npm import packed

_IMPORT = re.compile(r"""(?m)^((?:import|export)\b[^;'"]*?from\s*|import\s*)(['"])([^'"]+)\2""")


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    #: Its one module.
    path: str
    integrity: str

    @property
    def file(self) -> str:
        return self.name.removeprefix("@").replace("/", "-") + ".js"


PACKAGES = [
    Package("@codemirror/state", "6.7.6", "dist/index.js",
            "sha512-kAz+AncRtKuIknedxT1bq4XwXv4UowhbkHU1myPrtVb/jZtImWuV5BXzv5vK6i3kYACsdiZiQKFQQ5Mq7elW8w=="),
    Package("@codemirror/view", "6.43.15", "dist/index.js",
            "sha512-HHsfpqFeHyXLs983pSRe38Xajs0vFWZQ2BuX0m7Ki8w3jZ5iD8cuR3lBz2/5/X53Dhf32SBHKh6rtSTB6tKeGw=="),
    Package("@codemirror/language", "6.11.3", "dist/index.js",
            "sha512-9HBM2XnwDj7fnu0551HkGdrUrrqmYq/WC5iv6nbY2WdicXdGbhR/gfbZOH73Aqj4351alY1+aoG9rCNfiwS1RA=="),
    Package("@codemirror/commands", "6.11.1", "dist/index.js",
            "sha512-O/4hG3SC1YwcmQ0d2UVNDs+AsaNWd1iHVxbTeEBuqH+6bExAiPK3iS/BvpY6rZGURALv4ZD3sIgcCmRvw3ehBg=="),
    Package("@codemirror/lint", "6.9.8", "dist/index.js",
            "sha512-qNvtcE73xUto/D1RvtgSRI4A1Hg8ekxlvtZpjHpdpisLBnhyu82EUEJMEgaxkjuQCA8vqnrylENWKOsEDCOHcw=="),
    Package("style-mod", "4.1.4", "src/style-mod.js",
            "sha512-XXWIQt633/EpAFx8aZDOTjBzrCaGmhvEQlQo6MVPfa2OzO2cWo+4hV9h+6UkHYlXGfy+ODXKUdP7Pthmcu5ATw=="),
    Package("w3c-keyname", "2.2.8", "index.js",
            "sha512-dpojBhNsCNN7T82Tm7k26A6G9ML3NkhDsnw9n/eoxSRlVBB4CEtIQ/KTCLI2Fwf3ataSXRhYFkQi3SlnFwPvPQ=="),
    Package("crelt", "1.0.7", "index.js",
            "sha512-aK6BbWfhf4U/wCcLHKPJl/xa6VkVstRaPywWtMKGwuOLc/wZTyQYuoxgvZnNsBvv7Kg3YTBQYYBCggcviQczuA=="),
    Package("@lezer/common", "1.5.5", "dist/index.js",
            "sha512-Pw7PVCndruF1pb3ebCxpSVpkMHSDjwRCLcTRw+RizUKco5QbWylwq2g4lnG/RYN7yTTQDXE9F77MwtkAyphrjg=="),
    Package("@lezer/highlight", "1.2.5", "dist/index.js",
            "sha512-O1GMVKgtf5YspFaRzpmqkVgMtIk2HG9uMAbH6wdAIdNh3TVzCsch/+cRi+6l2//UGDKe6NB9BW3cvuR5ezMQ0w=="),
    Package("@lezer/lr", "1.4.12", "dist/index.js",
            "sha512-On9HU4oMMiHPMkQDgoTnGahjgG5n/MkN38CgG77sMraKLL+3JBbeQNi1FcCXV9QRqwF9/BUXP3caHyJC1fBOTQ=="),
    Package("@marijn/find-cluster-break", "1.0.4", "src/index.js",
            "sha512-Wy0V7+SGUjnF9/TkiM1hKVDPj7jKXduPNboMVtHTA8dySMURWqfg/JZ9E2Sq8JgSJmkl7k7Qe9FLeMSrSraWmQ=="),
]


def main() -> None:
    files = {package.name: package.file for package in PACKAGES}
    ASSETS.mkdir(exist_ok=True)
    for package in PACKAGES:
        try:
            archive = packed(package.name, package.version)
        except (OSError, subprocess.TimeoutExpired) as error:
            sys.exit(f"{package.name} could not be fetched: {error}")
        (ASSETS / package.file).write_text(rewritten(module(package, archive), files), encoding="utf-8")
        print(f"{package.name} {package.version}")


def module(package: Package, archive: bytes) -> str:
    """The module of a package, if it is the package that is meant."""
    found = "sha512-" + base64.b64encode(hashlib.sha512(archive).digest()).decode()
    if found != package.integrity:
        sys.exit(f"{package.name} {package.version} is not what it was: {found}")
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        file = files.extractfile(f"package/{package.path}")
        assert file is not None
        return file.read().decode()


def rewritten(text: str, files: dict[str, str]) -> str:
    """A module that imports the others from beside it."""
    def replaced(found: re.Match[str]) -> str:
        if found[3] not in files:
            sys.exit(f"a module imports {found[3]}, which is not in the list")
        return f"{found[1]}{found[2]}./{files[found[3]]}{found[2]}"

    return _IMPORT.sub(replaced, text)


if __name__ == "__main__":
    main()
