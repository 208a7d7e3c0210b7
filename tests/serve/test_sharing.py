"""Matches share a machine fairly, and stop thinking early enough."""

from __future__ import annotations

import asyncio
import socket
import time

import pytest

from ludorum.errors import Refusal
from ludorum.serve.margin import Margin, network_delay
from ludorum.serve.slots import Slots


def test_a_match_alone_has_all_of_its_time() -> None:
    async def think() -> tuple[float, float | None]:
        until = time.monotonic() + 100
        async with Slots(1, lambda: 1).slot(until) as share:
            return until, share

    until, share = asyncio.run(think())
    assert share == pytest.approx(until)


def test_with_many_matches_each_has_its_share() -> None:
    async def think() -> float:
        slots = Slots(1, lambda: 40)
        assert slots.count == 4
        now = time.monotonic()
        async with slots.slot(now + 100) as share:
            assert share is not None
            return share - now

    # 4 slots for 40 matches: less than a tenth of the time.
    assert 5 < asyncio.run(think()) < 10


def test_those_whose_time_ends_first_come_first() -> None:
    order: list[int] = []

    async def think(slots: Slots, seconds: int) -> None:
        async with slots.slot(time.monotonic() + seconds) as share:
            assert share is not None
            order.append(seconds)
            await asyncio.sleep(0)

    async def all_at_once() -> None:
        slots = Slots(1, lambda: 1)
        async with asyncio.TaskGroup() as group:
            held = [asyncio.Event() for _ in range(slots.count)]
            for event in held:
                group.create_task(hold(slots, event))
            await asyncio.sleep(0)
            for seconds in (300, 100, 200):
                group.create_task(think(slots, seconds))
            await asyncio.sleep(0)
            for event in held:
                event.set()

    async def hold(slots: Slots, event: asyncio.Event) -> None:
        async with slots.slot(time.monotonic() + 60):
            await event.wait()

    asyncio.run(all_at_once())
    assert order == [100, 200, 300]


def test_a_slot_that_does_not_come_in_time_is_none_and_lost_to_nobody() -> None:
    async def think() -> list[float | None]:
        slots = Slots(1, lambda: 1)
        event = asyncio.Event()

        async def hold() -> None:
            async with slots.slot(time.monotonic() + 60):
                await event.wait()

        tasks = [asyncio.create_task(hold()) for _ in range(slots.count)]
        await asyncio.sleep(0)
        async with slots.slot(time.monotonic() + 0.01) as missed:
            pass
        event.set()
        await asyncio.gather(*tasks)
        shares = []
        for _ in range(slots.count + 1):
            async with slots.slot(time.monotonic() + 60) as share:
                shares.append(share)
        return [missed, *shares]

    missed, *shares = asyncio.run(think())
    assert missed is None
    assert None not in shares


def test_the_margin_grows_with_the_delays_and_shrinks_again() -> None:
    margin = Margin(0.1)
    at_first = margin.moments(0, 10).soft
    margin.heard(0.8)
    assert margin.moments(0, 10).soft == pytest.approx(10 - 0.6 - 1.5 * 0.8)
    for _ in range(100):
        margin.heard(-0.01)
    assert margin.moments(0, 10).soft > at_first


def test_a_server_that_wakes_up_late_stops_waiting_earlier() -> None:
    margin = Margin(0.1)
    margin.woke(0.2)
    assert margin.moments(0, 10).hard == pytest.approx(10 - 0.6 - 1.5 * 0.2)


def test_the_delay_of_the_network_is_kept_free_of_both() -> None:
    near, far = Margin(0.1).moments(0, 10), Margin(0.1).moments(0, 10, delay=0.6)
    assert near.hard - far.hard == pytest.approx(0.6)
    assert near.soft - far.soft == pytest.approx(0.6)


def test_a_small_part_of_a_long_clock_is_kept_free() -> None:
    assert Margin(0.1).moments(0, 1).hard == pytest.approx(1 - 0.1)
    assert Margin(0.1).moments(0, 10).hard == pytest.approx(10 - 0.6)
    assert Margin(0.1).moments(0, 600).hard == pytest.approx(600 - 1)


def test_a_third_of_the_shortest_clock_is_for_thinking() -> None:
    margin = Margin(5)
    margin.heard(100)
    moments = margin.moments(0, 0.3, delay=7)
    assert moments.soft == pytest.approx(0.1)
    assert moments.soft < moments.hard < 0.3


def test_the_system_tells_how_far_away_the_other_side_is() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as near:
        assert 0 <= network_delay(near) < 1
    assert network_delay(None) == 0
    with socket.socket() as unconnected:
        unconnected.close()
        assert network_delay(unconnected) == 0


def test_a_refusal_is_one_balanced_list_whatever_it_quotes() -> None:
    assert str(Refusal(400, "bad", 'a "(("\n\x1b[31m)')) == """(error bad "a '[[' ?[31m]")"""
