// build.mjs - bundles the admin pages: node build.mjs PACKAGES OUT [--watch]
//
// PACKAGES is a node_modules directory, OUT gets index.html, LICENSES.txt and assets/, whose names hold a hash of
// what is in them. Two runs of one version write the same bytes, wherever they run: names of files are part of what
// esbuild hashes, so the sources are read through a link beside PACKAGES. Sizes beyond the budget fail the build.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { spawnSync } from "node:child_process";
import zlib from "node:zlib";

const [packages, out] = process.argv.slice(2).map((name) => path.resolve(name));
const isWatching = process.argv.includes("--watch");
const room = path.dirname(packages),
	here = path.join(room, "source");
fs.rmSync(here, { force: true });
fs.symlinkSync(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), here);
const esbuild = createRequire(path.join(packages, "any.js"))("esbuild");

// KiB of gzip. The shell is what sign-in, the start page, a list and settings load together.
const BUDGET = { shell: 60, editor: 90, style: 15 },
	FONTS = 120; // KiB, which are compressed already
const SHELL = ["main.js", "pages/signin/index.js", "pages/start/index.js", "pages/list/index.js"];
const EDITOR = ["pages/editor/index.js"];

/** @type {import("esbuild").BuildOptions} */
const options = {
	absWorkingDir: room,
	entryPoints: ["source/main.js", "source/style/style.css"],
	entryNames: "[name]-[hash]",
	chunkNames: "[name]-[hash]",
	assetNames: "[name]-[hash]",
	outdir: path.join(out, "assets"),
	preserveSymlinks: true,
	bundle: true,
	splitting: true,
	format: "esm",
	target: "es2022",
	minify: !isWatching,
	sourcemap: isWatching ? "linked" : false,
	legalComments: "none",
	metafile: true,
	write: true,
	logLevel: "warning",
	loader: { ".woff2": "file" },
	define: { DEVELOPING: String(isWatching) },
};

const gzip = (file) => zlib.gzipSync(fs.readFileSync(file), { level: 9 });
const hasZstd = spawnSync("zstd", ["--version"], { stdio: "ignore" }).status === 0;

// The siblings that the daemon sends to browsers which accept them.
function compress(file) {
	fs.writeFileSync(`${file}.gz`, gzip(file));
	if (zlib.zstdCompressSync)
		fs.writeFileSync(
			`${file}.zst`,
			zlib.zstdCompressSync(fs.readFileSync(file), {
				params: { [zlib.constants.ZSTD_c_compressionLevel]: 19 },
			}),
		);
	else if (hasZstd)
		spawnSync("zstd", ["-q", "-f", "-19", "--no-check", file, "-o", `${file}.zst`], { stdio: "inherit" });
}

// The output file of a source that is an entry point of its own (main.js, or a page that is imported when it is
// opened).
function outputOf(meta, source) {
	return Object.keys(meta.outputs).find((name) => meta.outputs[name].entryPoint === `source/${source}`);
}

// A file and all that it imports before it runs.
function loadedBy(meta, name, found = new Set()) {
	if (name === undefined || found.has(name)) return found;
	found.add(name);
	for (const one of meta.outputs[name].imports)
		if (one.kind === "import-statement") loadedBy(meta, one.path, found);
	return found;
}

function size(meta, sources, without = new Set()) {
	const names = new Set(sources.flatMap((source) => [...loadedBy(meta, outputOf(meta, source))]));
	return [...names]
		.filter((name) => !without.has(name))
		.reduce((sum, name) => sum + gzip(path.resolve(room, name)).length, 0);
}

function check(meta) {
	const shell = new Set(SHELL.flatMap((source) => [...loadedBy(meta, outputOf(meta, source))]));
	const sizes = {
		shell: size(meta, SHELL),
		editor: size(meta, EDITOR, shell),
		style: gzip(path.resolve(room, outputOf(meta, "style/style.css"))).length,
	};
	const fonts = Object.keys(meta.outputs)
		.filter((name) => name.endsWith(".woff2"))
		.reduce((sum, name) => sum + meta.outputs[name].bytes, 0);
	if (fonts > FONTS * 1024) throw new Error(`fonts of ${fonts} bytes`);
	const over = Object.keys(BUDGET).filter((name) => sizes[name] > BUDGET[name] * 1024);

	console.log(
		`web: gzip: ${Object.keys(sizes)
			.map((name) => `${name} ${(sizes[name] / 1024).toFixed(1)} of ${BUDGET[name]} KiB`)
			.join(", ")}`,
	);
	if (over.length > 0 && !isWatching) throw new Error(`larger than the budget: ${over.join(", ")}`);
}

// What a page imports beyond what main.js does: shell/open.js has it fetched beside the page, not after it.
function importsOf(meta, source, loaded) {
	const page = outputOf(meta, source);
	const names = [...loadedBy(meta, page)]
		.filter((name) => name !== page && !loaded.has(name))
		.map((name) => path.basename(name))
		.sort();

	return `<meta name="imports:${source.split("/")[1]}" content="${names.join(" ")}">\n`;
}

// What begins the pages. It names the files that are needed at once, so that they are fetched side by side.
function writeIndex(meta) {
	const main = outputOf(meta, "main.js"),
		loaded = loadedBy(meta, main);
	const url = (name) => `/_cms/admin/assets/${path.basename(name)}`;
	const preload = [...loaded].filter((name) => name !== main).sort();
	const imports = [...SHELL, ...EDITOR]
		.filter((source) => source !== "main.js")
		.map((source) => importsOf(meta, source, loaded));
	const html = fs
		.readFileSync(path.join(here, "index.html"), "utf8")
		.replace("{style}", url(outputOf(meta, "style/style.css")))
		.replace("{script}", url(main))
		.replace(
			"{preload}\n",
			preload.map((name) => `<link rel="modulepreload" href="${url(name)}">\n`).join(""),
		)
		.replace("{imports}\n", imports.join(""));

	fs.writeFileSync(path.join(out, "index.html"), html);
	compress(path.join(out, "index.html"));
}

// Whose code is in the bundle, and under which terms.
function writeLicenses(meta) {
	const roots = new Set();

	for (const input of Object.keys(meta.inputs)) {
		const at = input.lastIndexOf("node_modules/");
		const name = at < 0 ? null : /^(@[^/]+\/)?[^/]+/.exec(input.slice(at + 13))?.[0];
		if (name) roots.add(path.resolve(room, input.slice(0, at + 13), name));
	}
	const texts = [...roots]
		.sort((a, b) => (path.basename(a) < path.basename(b) ? -1 : 1))
		.map((root) => {
			const about = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
			const file = fs.readdirSync(root).find((name) => /^licen[cs]e/i.test(name));
			if (!file && !about.license) throw new Error(`${about.name} names no licence`);
			const text = file
				? fs.readFileSync(path.join(root, file), "utf8").trim()
				: "(The package holds no text of it.)";
			return `${about.name} ${about.version}: ${about.license}\n\n${text}\n`;
		});
	fs.writeFileSync(
		path.join(out, "LICENSES.txt"),
		`The admin pages contain these packages.\n\n${texts.join("\n----\n\n")}`,
	);
}

function finish(result) {
	if (result.errors.length > 0) return;
	const made = new Set(Object.keys(result.metafile.outputs).map((name) => path.basename(name)));

	for (const name of fs.readdirSync(path.join(out, "assets")))
		if (!made.has(name) && !made.has(name.replace(/\.(gz|zst)$/, "")))
			fs.rmSync(path.join(out, "assets", name));
	for (const name of made) if (!/\.(map|woff2)$/.test(name)) compress(path.join(out, "assets", name));
	writeLicenses(result.metafile);
	writeIndex(result.metafile);
	check(result.metafile);
}

// An esbuild plugin that makes fewer chunks. A module that is loaded by import() is loaded after main.js and, if only
// one module imports it, after that one. esbuild does not know that: it makes a chunk for each set of entry points that
// share a module, dozens of small ones. So each such module gets imports of the modules that are loaded before it; what
// they contain then belongs to the same set.
function afterOthers(build) {
	const sources = fs
		.readdirSync(here, { recursive: true })
		.filter((name) => name.endsWith(".js") && !/^(bundle|node_modules)\/|\/test\//.test(name));
	const importers = new Map();

	for (const name of sources.sort())
		for (const [, to] of fs
			.readFileSync(path.join(here, name), "utf8")
			.replace(/\/\*.*?\*\//gs, "")
			.matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
			const file = path.resolve(here, path.dirname(name), to);
			importers.set(file, [...(importers.get(file) ?? []), path.join(here, name)]);
		}
	build.onLoad({ filter: /\.js$/ }, ({ path: file }) => {
		const by = importers.get(file),
			first = [path.join(here, "main.js"), ...(by?.length === 1 ? by : [])];

		return (
			by && {
				contents: `${fs.readFileSync(file, "utf8")}\n${first.map((one) => `import ${JSON.stringify(one)};`).join("\n")}\n`,
			}
		);
	});
}

fs.mkdirSync(path.join(out, "assets"), { recursive: true });
const context = await esbuild.context({
	...options,
	plugins: [
		{ name: "after others", setup: afterOthers },
		{ name: "finish", setup: (build) => build.onEnd(finish) },
	],
});
if (isWatching) {
	await context.watch();
	console.log("web: bundles again whenever a source changes; Ctrl-C ends it");
} else {
	try {
		await context.rebuild();
	} catch (error) {
		console.error(`web: ${error.message}`);
		process.exitCode = 1;
	}
	await context.dispose();
}
