"""How quick the page is, in a real browser, and its picture for the README.

    python bench/page.py                                   measures, and prints a table
    python bench/page.py --picture docs/page.png  takes the picture

It needs Playwright and a chromium (`LUDORUM_CHROMIUM` names another).
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx

from ludorum.web import WebOptions, serving

ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking"]
CLICKS = 50
OPENINGS = 100
CLIENTS = 50

# In the page: from a click on a target to the state that came of it being drawn, in milliseconds; null where the match
# is over.
_CLICK_TO_DRAWN = """async () => {
  const steps = () => document.querySelectorAll('.history li').length;
  const target = () => document.querySelector('.place.target');
  const click = (element) => element.dispatchEvent(new MouseEvent('click', {bubbles: true}));
  while (!target()) {
    if (document.querySelector('.status.over')) return null;
    await new Promise(requestAnimationFrame);
  }
  const before = steps();
  click(target());
  await new Promise(requestAnimationFrame);
  const start = performance.now();
  click(target());
  while (steps() === before) await new Promise((go) => setTimeout(go, 1));
  await new Promise(requestAnimationFrame);
  return performance.now() - start;
}"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--picture", type=Path)
    arguments = parser.parse_args()
    from playwright.sync_api import sync_playwright

    options = WebOptions(data=Path(tempfile.mkdtemp()), idle=1, new_per_minute=100_000, asks_per_minute=1_000_000)
    chromium = os.environ.get("LUDORUM_CHROMIUM") or shutil.which("chromium")
    with serving(options) as address, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        if arguments.picture is not None:
            picture(browser, address, arguments.picture)
        else:
            show(clicks(browser, address))
            show(search(browser, address))
            show(openings(address))
            show(crowd(address))
        browser.close()


def show(lines: list[tuple[str, str]]) -> None:
    for line in lines:
        print(f"| {' | '.join(line)} |", flush=True)


def begin(browser: Any, address: str, game: str, seats: str, **options: Any) -> Any:
    page = browser.new_page(**options)
    page.goto(address)
    page.get_by_label("Who plays").select_option(seats)
    page.locator(f"[data-game={game}]").click()
    # Away from the list of moves, whose entries show their places when one points at them.
    page.mouse.move(2, 2)
    page.locator(".place.target").first.wait_for()
    return page


def clicks(browser: Any, address: str) -> list[tuple[str, str]]:
    page = begin(browser, address, "breakthrough", "all")
    took: list[float] = []
    while len(took) < CLICKS:
        if (milliseconds := page.evaluate(_CLICK_TO_DRAWN)) is None:
            page.close()
            page = begin(browser, address, "breakthrough", "all")
        else:
            took.append(milliseconds)
    page.close()
    return [(f"click to drawn state, median of {CLICKS}, breakthrough", f"{statistics.median(took):.0f} ms"),
            ("the slowest of them", f"{max(took):.0f} ms")]


def search(browser: Any, address: str) -> list[tuple[str, str]]:
    page = begin(browser, address, "breakthrough", "all")
    start = time.perf_counter()
    page.locator(".switch").click()
    page.locator(".thought").first.wait_for()
    first = time.perf_counter() - start
    updates = page.evaluate("""async () => {
      const seen = new Set(), end = performance.now() + 3000;
      while (performance.now() < end) {
        seen.add(document.querySelector('.numbers').textContent);
        await new Promise((go) => setTimeout(go, 5));
      }
      return seen.size - 1;
    }""")
    start = time.perf_counter()
    page.locator(".switch").click()
    page.locator(".thought").first.wait_for(state="detached")
    stop = time.perf_counter() - start
    page.close()
    return [("first numbers of the search", f"{first:.2f} s"), ("updates a second", f"{updates / 3:.1f}"),
            ("stop", f"{stop:.2f} s")]


def openings(address: str) -> list[tuple[str, str]]:
    """Matches begun and left: what the server, which is this process, keeps of them."""
    http = httpx.Client(base_url=address, timeout=60)

    def one() -> None:
        match = http.post("/api/matches", json={"game": "tictactoe"}).json()["id"]
        http.get(f"/api/match/{match}")

    for _ in range(10):
        one()
    before = _memory_mb()
    for _ in range(OPENINGS):
        one()
    end = time.monotonic() + 60
    while (left := _children()) > 2 and time.monotonic() < end:
        time.sleep(0.5)
    return [(f"memory after {OPENINGS} openings and closings", f"{_memory_mb() - before:+.1f} MB"),
            ("processes of matches left", str(max(0, left - 2)))]


def crowd(address: str) -> list[tuple[str, str]]:
    def one(_: int) -> bool:
        with httpx.Client(base_url=address, timeout=120) as http:
            made = http.post("/api/matches", json={"game": "tictactoe", "seats": "all"}).json()
            keys = {"keys": ",".join(made["keys"].values())}
            moves = [f"(mark {x} {y})" for x, y in ((1, 1), (2, 1), (1, 2), (2, 2), (1, 3))]
            for step, move in enumerate(moves):
                while True:
                    told = http.get(f"/api/match/{made['id']}", params=keys).json()
                    if told["step"] == step and told["choosers"]:
                        break
                    time.sleep(0.05)
                http.post(f"/api/match/{made['id']}/move", params=keys,
                          json={"role": told["choosers"][0], "move": move, "step": step}).raise_for_status()
            while (told := http.get(f"/api/match/{made['id']}", params=keys).json())["outcome"] == "playing":
                time.sleep(0.05)
            return bool(told["goals"]["xplayer"] == 100)

    with ThreadPoolExecutor(CLIENTS) as clients:
        won = sum(clients.map(one, range(CLIENTS)))
    return [(f"matches of {CLIENTS} clients at once that went as they should", f"{won} of {CLIENTS}")]


def picture(browser: Any, address: str, path: Path) -> None:
    page = begin(browser, address, "breakthrough", "all", viewport={"width": 1120, "height": 800})
    for _ in range(12):
        page.evaluate(_CLICK_TO_DRAWN)
    page.locator(".switch").click()
    page.locator(".thought").first.wait_for()
    page.wait_for_timeout(3000)
    page.screenshot(path=path)
    from PIL import Image

    # A few colours suffice, and take a third of the room.
    Image.open(path).convert("RGB").quantize(48).save(path, optimize=True)


def _memory_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _children() -> int:
    """Processes that come from this one, those of others' children too: browsers apart."""
    parents: dict[int, tuple[int, str]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                name, _, rest = (folder / "stat").read_text().rpartition(")")
            except OSError:
                continue
            parents[int(folder.name)] = int(rest.split()[1]), name
    count = 0
    for parent, name in parents.values():
        if "python" not in name:
            continue
        while parent in parents and parent != os.getpid():
            parent = parents[parent][0]
        count += parent == os.getpid()
    return count


if __name__ == "__main__":
    main()
