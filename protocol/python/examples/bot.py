"""Plays in a room of Noughts: python3 bot.py http://HOST:7333 CODE [NAME]"""

import asyncio, contextlib, random, sys
import noughts


async def play(url: str, code: str, name: str = "Monty") -> None:
    async with noughts.connect(url, name=name, store=f"{name}.json") as client:
        await client.join(code)
        async for happening in client.events():
            room = client.room
            if room is None:
                return print("the room is closed")
            with contextlib.suppress(noughts.Refused):  # the next event shows the board as it is
                if room.choice:  # of a side, in an opening
                    await client.choose("x")
                elif room.is_my_turn:
                    await client.play(random.choice(room.cells()))
                elif room.may_offer:
                    await client.rematch()


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:]))
