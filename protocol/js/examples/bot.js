// Plays in a room, game after game. Arguments: the server, the code of the room, a name.
import { connect, freeCells, myChoice } from "@noughts/client";

const [url, code, name = "Robo"] = process.argv.slice(2);
const client = connect(url, { name });

client.on("turn", ({ room }) => {
  const cells = freeCells(room);
  const cell = cells[Math.floor(Math.random() * cells.length)];
  (myChoice(room) ? client.choose("x") : client.play(cell)).catch(console.error);
});
client.on("over", ({ room }) => {
  console.log("The score is", room.score);
  client.rematch().catch(console.error);
});
client.on("lost", () => console.log("No connection to", url));
client.join(code).then(
  (room) => console.log(`${name} plays in ${room.code}`),
  (error) => { console.error(error.message); client.close(); },
);
