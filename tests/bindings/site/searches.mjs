// What the search of the site finds: searches.mjs SITE-FOLDER WORDS...
// Prints the addresses of the first results, one line for each of the words.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";

const [site, ...queries] = process.argv.slice(2);
const scripts = ["finder.js", "search.js"].map(name => readFileSync(join(site, name), "utf8"));
const finder = runInNewContext(scripts.join("\n") + "\nnew Finder(SEARCH)");
for (const query of queries) console.log(finder.find(query).map(([, address]) => address).join(" "));
