// build.mjs - makes dist/ of src/: one minified module by esbuild, its types by tsc. Fails if the module is larger than
// MOST bytes. The compilers, and the types of the packages that it works with, are those of the directories client and
// render beside this one, where pack-npm has built them before.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import zlib from "node:zlib";

const MOST = 12_500;
const compilers = path.resolve("../client/node_modules");

if (!fs.existsSync(compilers)) throw new Error("@stet/client is not built: make client render");
const { build } = await import(pathToFileURL(path.join(compilers, "esbuild/lib/main.js")).href);
fs.rmSync("dist", { recursive: true, force: true });
await build({
	entryPoints: ["src/index.ts"],
	outfile: "dist/index.js",
	bundle: true,
	minify: true,
	format: "esm",
	platform: "neutral",
	target: "es2022",
	legalComments: "none",
	lineLimit: 160, // Node shows the line in which an error was thrown
	external: ["@stet/*", "astro/*"],
});
fs.rmSync("node_modules", { recursive: true, force: true });
fs.mkdirSync("node_modules/@stet", { recursive: true });
for (const name of ["client", "render"]) fs.symlinkSync(path.resolve("..", name), `node_modules/@stet/${name}`);
const tsc = spawnSync(process.execPath, [path.join(compilers, "typescript/bin/tsc"), "-p", "tsconfig.json"], {
	stdio: "inherit",
});
fs.rmSync("node_modules", { recursive: true, force: true });
if (tsc.status !== 0) process.exit(1);
const module = fs.readFileSync("dist/index.js");
const size = `${module.length} bytes minified, ${zlib.gzipSync(module, { level: 9 }).length} with gzip`;
if (module.length > MOST) {
	console.error(`astro: ${size}: more than ${MOST}`);
	process.exit(1);
}
console.log(`astro: ${size}`);
