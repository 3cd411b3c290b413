// Replays recordings, and prints what record_scenes printed for them: a line "NAME HASH" for each.
//
//     node replay_scenes.mjs PACKAGE-FOLDER FILE...      in this order
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
const { Replay } = await import(pathToFileURL(`${folder}/index.js`).href);
for (const file of files) {
  const replay = new Replay(readFileSync(file));
  while (replay.at.call < replay.at.calls) replay.next();
  console.log(basename(file, ".cairn"), replay.desync ? "differs" : replay.world.hash().toString(16).padStart(16, "0"));
  replay.destroy();
}
