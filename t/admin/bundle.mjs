// bundle.mjs - the result of `make web`: sizes, no other hosts, types, licences.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";

export async function runBundle({ report, bundle }) {
	const assets = fs.readdirSync(path.join(bundle, "assets"));
	const index = fs.readFileSync(path.join(bundle, "index.html"), "utf8");

	await report.test("the document has nothing inline and names no other host", () => {
		assert.doesNotMatch(index, /<style|style=|onload|https?:/);
		for (const [, attributes, text] of index.matchAll(/<script([^>]*)>([^<]*)/g)) {
			assert.match(attributes, /src="\/_cms\/admin\/assets\/main-[A-Z0-9]+\.js"/);
			assert.equal(text, "");
		}
	});
	await report.test("files have hashes in their names, and siblings that unpack to the same", () => {
		for (const name of assets.filter((one) => /\.(js|css)$/.test(one))) {
			const bytes = fs.readFileSync(path.join(bundle, "assets", name));
			assert.match(name, /-[A-Z0-9]{8}\.(js|css)$/);
			assert.deepEqual(
				zlib.gunzipSync(fs.readFileSync(path.join(bundle, "assets", `${name}.gz`))),
				bytes,
			);
			if (assets.includes(`${name}.zst`))
				assert.deepEqual(
					zlib.zstdDecompressSync(
						fs.readFileSync(path.join(bundle, "assets", `${name}.zst`)),
					),
					bytes,
				);
		}
	});
	await report.test("no code makes markup of text or code of text", () => {
		for (const name of assets.filter((one) => one.endsWith(".js"))) {
			const text = fs.readFileSync(path.join(bundle, "assets", name), "utf8");
			assert.doesNotMatch(text, /\beval\(|new Function\(|document\.write\(|insertAdjacentHTML/, name);
		}
	});
	await report.test("each package in it has its terms beside it", () => {
		const terms = fs.readFileSync(path.join(bundle, "LICENSES.txt"), "utf8");
		for (const name of ["preact", "@preact/signals", "@preact/signals-core", "htm"])
			assert.match(terms, new RegExp(`^${name} [0-9.]+: (MIT|Apache-2.0)$`, "m"));
		for (const name of ["@fontsource-variable/inter", "@fontsource-variable/source-serif-4"])
			assert.match(terms, new RegExp(`^${name} [0-9.]+: OFL-1.1$`, "m"));
	});
	await report.test("there are two faces, below 120 KB together", () => {
		const fonts = assets.filter((name) => name.endsWith(".woff2"));
		assert.equal(fonts.length, 2);
		const bytes = fonts.reduce((sum, one) => sum + fs.statSync(path.join(bundle, "assets", one)).size, 0);
		assert.ok(bytes < 120000, `${bytes} bytes`);
	});
	await report.test("the types of the sources are right", () => {
		// A copy, so that the compiler finds the packages above it.
		const copy = path.resolve("web");

		fs.rmSync(copy, { recursive: true, force: true });
		fs.cpSync(path.join(bundle, ".."), copy, {
			recursive: true,
			filter: (from) => !from.endsWith("/bundle"),
		});
		fs.symlinkSync(path.join(process.env.STET_BUILD, "web/node_modules"), path.join(copy, "node_modules"));
		try {
			execFileSync(
				process.execPath,
				[path.resolve("node_modules/typescript/bin/tsc"), "-p", "jsconfig.json"],
				{ cwd: copy, encoding: "utf8" },
			);
		} catch (error) {
			assert.fail(error.stdout || error.message);
		}
	});
	await report.test("no text that a page names is missing, and none is left over", () => {
		const web = path.join(bundle, "..");
		const groups = {
			...JSON.parse(fs.readFileSync(path.join(web, "text/en.json"), "utf8")),
			pages: JSON.parse(fs.readFileSync(path.join(web, "pages/en.json"), "utf8")),
		};
		const rows = [
			...fs.readFileSync(path.join(web, "pages/table.js"), "utf8").matchAll(/\{\s+name: "(\w+)"/g),
		].map((m) => m[1]);

		assert.deepEqual(
			rows.filter((name) => !(name in groups.pages)),
			[],
		);
		assert.deepEqual(
			Object.keys(groups.pages).filter((name) => !rows.includes(name)),
			[],
		);
	});
}
