// Plays in a room, game after game: node bot.js http://127.0.0.1:7333 CODE [NAME]
import { connect, freeCells } from "@noughts/client";

const [url, code, name = "Robo"] = process.argv.slice(2);
const client = connect(url, { name });

client.on("turn", ({ room }) => {
  const cells = freeCells(room);
  client.play(cells[Math.floor(Math.random() * cells.length)]).catch(console.error);
});
client.on("over", ({ room }) => {
  console.log("The score is", room.score);
  client.rematch().catch(console.error);
});
client.join(code).then(
  (room) => console.log(`${name} plays in ${room.code}`),
  (error) => { console.error(error.message); client.close(); },
);
