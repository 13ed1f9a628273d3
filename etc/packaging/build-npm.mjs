// build-npm.mjs - builds a package of npm in the directory that it is in, where pack-npm has copied it: makes dist/ of src/,
// minified modules by esbuild and their types by tsc. The modules are those that package.json exports: dist/index.js
// is made of src/index.ts. What they import of Node and of other packages stays an import.
//
//	node build-npm.mjs NAME=NUMBER...
//
//	bytes	fails if the modules are together larger
//	gzip	fails if they are, each compressed by gzip
//	line	breaks lines at that length, since Node shows the line in which an error was thrown
import { build } from "esbuild";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

const description = JSON.parse(fs.readFileSync("package.json", "utf8"));
const given = Object.fromEntries(process.argv.slice(2).map((word) => word.split("=")));

// The files that an entry of "exports" names, whatever the conditions.
function filesOf(entry) {
	return typeof entry === "string" ? [entry] : Object.values(entry).flatMap(filesOf);
}
const modules = [...new Set(filesOf(description.exports))].filter((file) => /^\.\/dist\/.*\.js$/.test(file));
const packages = Object.keys({ ...description.dependencies, ...description.peerDependencies });

// Other packages of stet, which STET_BUILD has packed: for their types.
for (const name of packages.filter((one) => one.startsWith("@stet/"))) {
	const begin = `${name.slice(1).replace("/", "-")}-${description.version}`;
	const file = fs.readdirSync(process.env.STET_BUILD).find((one) => one === `${begin}.tgz`);
	if (file === undefined) throw new Error(`${name} is not packed`);
	fs.rmSync(`node_modules/${name}`, { recursive: true, force: true });
	fs.mkdirSync(`node_modules/${name}`, { recursive: true });
	execFileSync("tar", [
		"-xzf",
		path.join(process.env.STET_BUILD, file),
		"-C",
		`node_modules/${name}`,
		"--strip-components=1",
	]);
}

fs.rmSync("dist", { recursive: true, force: true });
await build({
	entryPoints: modules.map((file) => file.replace("./dist/", "src/").replace(/\.js$/, ".ts")),
	outbase: "src",
	outdir: "dist",
	bundle: true,
	minify: true,
	format: "esm",
	platform: "neutral",
	target: "es2022",
	legalComments: "none",
	lineLimit: Number(given.line ?? 0),
	external: ["node:*", ...packages, ...packages.map((name) => `${name}/*`)],
});
const tsc = spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-p", "tsconfig.json"], {
	stdio: "inherit",
});
if (tsc.status !== 0) process.exit(1);

const sizes = { bytes: 0, gzip: 0 };
for (const file of modules) {
	const text = fs.readFileSync(file);

	sizes.bytes += text.length;
	sizes.gzip += zlib.gzipSync(text, { level: 9 }).length;
}
const size = `${description.name}: ${sizes.bytes} bytes minified, ${sizes.gzip} with gzip`;
console.log(size);
for (const measure of ["bytes", "gzip"]) {
	if (sizes[measure] <= Number(given[measure] ?? Number.POSITIVE_INFINITY)) continue;
	console.error(`${description.name}: more than ${given[measure]} ${measure}`);
	process.exitCode = 1;
}
