// finish.mjs - what "npm run build" does after Next (src/notes.ts has left it in .next/): files for old addresses, and lines
// of what could not be shown.
import fs from "node:fs";
import path from "node:path";
import { redirectFiles, toldLines } from "@stet/model";

const read = (name) => (fs.existsSync(`.next/${name}`) ? fs.readFileSync(`.next/${name}`, "utf8") : "");

// A file of the site is never replaced; _redirects of public/ goes on with those of the import.
for (const [name, text] of redirectFiles(JSON.parse(read("redirects.json") || "[]"))) {
	const file = path.join("out", name);

	fs.mkdirSync(path.dirname(file), { recursive: true });
	if (name === "_redirects") fs.appendFileSync(file, text);
	else if (!fs.existsSync(file)) fs.writeFileSync(file, text);
}

const told = new Map();
for (const line of read("told.jsonl").split("\n").filter(Boolean)) {
	const [what, where] = JSON.parse(line);
	told.set(what, (told.get(what) ?? new Set()).add(where));
}
for (const line of toldLines(told)) console.warn(`[told] ${line}`);
