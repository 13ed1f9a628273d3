// build.mjs - makes dist/ of src/: one minified module by esbuild, its types by tsc. Fails if the module is larger than
// MOST bytes.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import zlib from "node:zlib";

const MOST = 10_000;

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
});
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
	stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);
const module = fs.readFileSync("dist/index.js");
const size = `${module.length} bytes minified, ${zlib.gzipSync(module, { level: 9 }).length} with gzip`;
if (module.length > MOST) {
	console.error(`client: ${size}: more than ${MOST}`);
	process.exit(1);
}
console.log(`client: ${size}`);
