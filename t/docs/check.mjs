// check.mjs DOCS SOURCE - checks the pages that "make docs" has made.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";

const [docs, source] = process.argv.slice(2);
const names = fs.readdirSync(docs).filter((name) => name.endsWith(".html"));
const pages = new Map(names.map((name) => [name, fs.readFileSync(path.join(docs, name), "utf8")]));
const all = (html, pattern) => [...html.matchAll(pattern)].map((at) => at[1]);
const ids = new Map([...pages].map(([name, html]) => [name, new Set(all(html, /\sid="([^"]*)"/g))]));
const index = vm.runInNewContext(`${fs.readFileSync(path.join(docs, "index.js"), "utf8")};index`);
let failed = 0;
let passed = 0;

function test(name, run) {
	try {
		run();
		passed++;
		console.log(`ok - docs: ${name}`);
	} catch (error) {
		failed++;
		console.log(`not ok - docs: ${name}\n# ${String(error.message).replaceAll("\n", "\n# ")}`);
	}
}

test("every link leads somewhere", () => {
	const broken = [];

	for (const [name, html] of pages)
		for (const href of all(html, /(?:href|src)="([^"]*)"/g)) {
			const [file, id] = href.split("#");

			if (/^https?:|^mailto:/.test(href)) continue;
			if (file !== "" && !fs.existsSync(path.join(docs, file))) broken.push(`${name}: ${href}`);
			else if (id && !ids.get(file || name)?.has(decodeURIComponent(id)))
				broken.push(`${name}: ${href}`);
		}
	assert.deepEqual(broken, []);
});

test("each page has one title, and no id twice", () => {
	for (const [name, html] of pages) {
		assert.equal(all(html, /<h1\b([^>]*)>/g).length, 1, name);
		assert.equal(all(html, /\sid="([^"]*)"/g).length, ids.get(name).size, name);
	}
});

test("nothing is loaded from another host", () => {
	for (const [name, html] of pages)
		assert.deepEqual(all(html, /<(?:script|img|link|iframe)[^>]*(?:src|href)="(https?:[^"]*)"/g), [], name);
});

test("every manual page is there", () => {
	for (const name of fs.readdirSync(path.join(source, "man")).filter((one) => /\.\d$/.test(one)))
		assert.ok(pages.has(`${name}.html`), name);
});

test("the document of every package of npm is there", () => {
	for (const name of fs.readdirSync(path.join(source, "etc")))
		if (fs.existsSync(path.join(source, "etc", name, "package.json")))
			assert.ok(pages.has(`${name}.html`), name);
});

test("operations and tools are described", () => {
	assert.ok(all(pages.get("operations.html"), /class="(op)"/g).length > 200);
	assert.ok(all(pages.get("tools.html"), /class="(op)"/g).length > 60);
	assert.match(pages.get("operations.html"), /id="content_add"/);
	assert.match(pages.get("operations.html"), /<code>\/_cms\/api\/content\/\{collection\}<\/code>/);
});

test("the index has every part, and its links are good", () => {
	for (const [href] of index) {
		const [file, id] = href.split("#");

		assert.ok(pages.has(file) && (!id || ids.get(file).has(id)), href);
	}
	assert.ok(index.some(([, , , text]) => text.includes("idle-timeout")));
	assert.ok(index.some(([, , , text]) => text.includes("STET_MODULE_HEAD")));
});

console.log(`docs: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
