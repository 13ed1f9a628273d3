// build.mjs - makes dist/ of src/: one minified module by esbuild, its types by tsc. Fails if the module is larger than
// MOST bytes with gzip.
import { build } from "esbuild";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import zlib from "node:zlib";

const MOST = 8192;

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
});
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
	stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);
const module = fs.readFileSync("dist/index.js");
const packed = zlib.gzipSync(module, { level: 9 }).length;
const size = `${module.length} bytes minified, ${packed} with gzip`;
if (packed > MOST) {
	console.error(`render: ${size}: more than ${MOST}`);
	process.exit(1);
}
console.log(`render: ${size}`);
