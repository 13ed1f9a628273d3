// dev.mjs - serves dist/ on this machine while you write, and builds it anew for each page that is asked for, at most every
// two seconds.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import path from "node:path";

const PORT = Number(process.env.PORT ?? 4321);
const TYPES = {
	".html": "text/html; charset=utf-8",
	".css": "text/css",
	".js": "text/javascript",
	".xml": "application/atom+xml",
	".svg": "image/svg+xml",
	".jpg": "image/jpeg",
	".png": "image/png",
	".webp": "image/webp",
};
const dist = path.resolve("dist");
let builtAt = 0;

// A program of its own, so that it has the newest pages.mjs and config.mjs.
function build() {
	const { status } = spawnSync(process.execPath, ["build.mjs"], { stdio: "inherit" });

	if (status !== 0) console.error("The build failed; dist/ is what it was.");
	builtAt = Date.now();
}

/** The file of an address; null: there is none. */
function fileOf(address) {
	const { pathname } = new URL(address, "http://localhost");
	let file = path.join(dist, path.normalize(decodeURIComponent(pathname)));

	if (file !== dist && !file.startsWith(dist + path.sep)) return null;
	if (fs.existsSync(file) && fs.statSync(file).isDirectory()) file = path.join(file, "index.html");
	return fs.existsSync(file) ? file : null;
}

const server = http.createServer((request, response) => {
	const isPage = request.headers.accept?.includes("text/html");
	let file;

	if (isPage && Date.now() - builtAt > 2000) build();
	try {
		file = fileOf(request.url);
	} catch {
		return response.writeHead(400).end();
	}
	const shown = file ?? path.join(dist, "404.html");
	if (!fs.existsSync(shown)) return response.writeHead(404).end("Nothing has been built.\n");
	return response
		.writeHead(file ? 200 : 404, {
			"Content-Type": TYPES[path.extname(shown)] ?? "application/octet-stream",
			"Cache-Control": "no-store",
		})
		.end(fs.readFileSync(shown));
});

build();
server.listen(PORT, "127.0.0.1", () => console.log(`http://localhost:${server.address().port}/`));
