"""Plays in a room or a party of Noughts: python3 bot.py ws://HOST:7333/ws CODE [NAME]"""
import itertools, json, random, sys, time, websockets.sync.client
URL, CODE, NAME, *_ = sys.argv[1:] + ["Python"] if len(sys.argv) > 2 else sys.exit(__doc__)
ids, me, closed, CODE = itertools.count(random.getrandbits(48)), {}, None, CODE.upper()

def choose(moves, width, height, line):  # the cell that counts most in lines of one side alone
    worth = {cell: random.random() for cell in range(width * height) if cell not in moves}
    for cell, (x, y) in itertools.product(range(width * height), ((1, 0), (0, 1), (1, 1), (-1, 1))):
        cells = [cell + n * (x + y * width) for n in range(line)]
        if cells[-1] < width * height and cells[-1] % width - cell % width == (line - 1) * x:
            ours, theirs = (sum(c in moves[(len(moves) + i) % 2::2] for c in cells) for i in (0, 1))
            for empty in worth.keys() & cells:
                worth[empty] += 0 if ours and theirs else 9 ** max(2 * ours + 1, 2 * theirs)
    return max(worth, key=worth.get)

def follow(socket, room=None, entrant=None):  # until the room or the party is over
    def send(kind, **fields):
        time.sleep(0.1)  # a client may send ten intents a second
        socket.send(json.dumps({"type": kind, "id": next(ids), **fields}))
    send("hello", protocol=2, name=NAME, token=me.get("token"))
    for message in (one for told in map(json.loads, socket) for one in told.get("events", [told])):
        event = message.get("event", message)
        kind = event.get("kind") or message["type"]
        if kind == "welcome":
            me.update(message)
            send("join", room=CODE)
        elif kind == "refused" and message["code"] == "party_code":
            send("join_party", party=CODE)
        elif kind == "refused" and room is entrant is None:
            sys.exit(message["message"])
        elif kind == "party":
            entrant = {e.get("player"): e["number"] for e in event["entrants"]}.get(me["player"], 0)
        elif kind in ("paused", "returned"):
            send("sync_party", party=CODE)
        elif kind == "ended" or kind == "closed" and entrant is None:
            return
        elif kind == "snapshot":
            room, game = message, message["game"]
        elif kind in ("seated", "game_started", "game_over") or {"over", "series"} & event.keys():
            send("sync", room=room["room"])
        elif kind == "moved":
            game["moves"].append(event["cell"])
        for pairing in event.get("pairings", []):  # of a snapshot of the party, and new ones
            if entrant in (pairing["first"], pairing["second"]) and not pairing.get("outcome"):
                send("ready", party=CODE, pairing=pairing["number"])
        if kind in ("snapshot", "moved") and game and not event.get("over"):
            turn = "xo"[(len(game["moves"]) + "xo".index(game["first"])) % 2]
            if game["result"] and entrant is None:
                send("rematch", room=room["room"], game=game["number"])
            elif not game["result"] and room["seats"][turn].get("player") == me["player"]:
                send("play", room=room["room"], game=game["number"], ply=len(game["moves"]),
                     cell=choose(game["moves"], **room["settings"]["board"]))

while closed not in (1003, 1009, 4001, 4004, 4005, 4006, 4007):  # after these nobody connects again
    try:
        with websockets.sync.client.connect(URL) as socket:
            sys.exit(follow(socket))
    except (OSError, websockets.WebSocketException) as error:
        closed = getattr(getattr(error, "rcvd", None), "code", None)
        time.sleep(random.uniform(0.2, 1))
