// main.mjs - the packed package of etc/render: its README's blocks, hooks, hostile values, and that it knows all types
// which the source of the daemon makes. t/render/run has unpacked it into node_modules here. STET_SOURCE names the
// source.
import * as render from "@stet/render";
import { ownBlocks } from "@stet/render/own";
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import zlib from "node:zlib";
import { newReport } from "../mcp/report.mjs";
import * as vectors from "./vectors.mjs";

const { toHtml, imageHtml, sanitize, summaryOf, textOf } = render;
const MOST = 8192; // size limit of the package, in bytes with gzip
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";
const report = newReport();
const test = (name, run) => report.test(name, run);
const packed = "node_modules/@stet/render";
const readme = fs.readFileSync("README.md", "utf8");
const media = {
	m1: {
		url: "/_cms/api/media/file/sky.jpg",
		srcset: "/sky-320.jpg 320w, /sky-640.jpg 640w",
		width: 1200,
		height: 800,
		dominantColor: "#88aacc",
		focalX: 0.5,
		focalY: 0.25,
	},
};
const known = { media: (id) => media[id] };
const span = (text, ...marks) => ({ _type: "span", text, marks });
const block = (children, more) => ({ _type: "block", children: [children].flat(), ...more });
const examples = [...readme.matchAll(/^### (\w+)\n[^#]*?```json\n([\s\S]*?)```\n\n```html\n([\s\S]*?)```$/gm)].map(
	([, name, json, html]) => ({ name, blocks: JSON.parse(json), html: html.replace(/\n\s*/g, "") }),
);

// Returns the HTML, and the warnings.
function told(blocks, options = {}) {
	const list = [];
	const html = toHtml(blocks, {
		...options,
		onUnknown: (type, key, why) => list.push(`${why} ${type} ${key ?? "-"}`),
	});
	return { html, list };
}

await test(`the renderer is one module of at most ${MOST} bytes with gzip that needs no other`, () => {
	const { dependencies, peerDependencies, license, scripts } = JSON.parse(
		fs.readFileSync(`${packed}/package.json`, "utf8"),
	);
	const text = fs.readFileSync(`${packed}/dist/index.js`, "utf8"),
		size = zlib.gzipSync(text, { level: 9 }).length;

	assert.ok(size <= MOST, `${size} bytes`);
	report.note(`${text.length} bytes, ${size} with gzip`);
	assert.deepEqual([dependencies, peerDependencies, license], [undefined, undefined, "MIT"]);
	assert.deepEqual(Object.keys(scripts), ["build"]);
	assert.doesNotMatch(
		text,
		/\bimport\b|\brequire\b|\bprocess\b|\bBuffer\b|\bdocument\b|\bwindow\b|\beval\b|\bFunction\b/,
	);
	const more = fs.readFileSync(`${packed}/dist/own.js`);
	assert.ok(zlib.gzipSync(more, { level: 9 }).length <= 1024);
	assert.doesNotMatch(String(more), /\bimport\b/);
	for (const file of ["LICENSE", "README.md", "style.css", "dist/index.d.ts", "dist/own.d.ts"])
		assert.ok(fs.existsSync(`${packed}/${file}`), file);
});
await test("its types compile in the strictest mode, with hooks", () => {
	const parts = [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, text], i) => {
		const body = text.replace(/^import .*\n/gm, "");
		return `export function example${i}(post: any, page: any, cms: any, blocks: unknown, katex: any) {\n${body}return html;\n}\n`;
	});
	assert.equal(parts.length, 3);
	fs.writeFileSync(
		"readme.ts",
		`import { toHtml } from "@stet/render";\nimport { ownBlocks } from "@stet/render/own";\n${parts.join("\n")}`,
	);
	const options = "--strict --noEmit --skipLibCheck false --target es2022 --lib es2022,dom --module nodenext";
	const tsc = spawnSync(
		process.execPath,
		["node_modules/typescript/bin/tsc", ...options.split(" "), "readme.ts"],
		{ encoding: "utf8" },
	);
	assert.equal(tsc.status, 0, tsc.stdout);
});

for (const { name, blocks, html } of examples)
	await test(`README: ${name}`, () => {
		assert.equal(toHtml(blocks, known), html);
		assert.deepEqual(vectors.judge(html), []);
	});
await test("each type that importers, the Markdown reader and the editor make is in the README", () => {
	const source = process.env.STET_SOURCE;
	const files = ["modules/html", "modules/import", "modules/content", "modules/admin/web/editor"].flatMap(
		(room) =>
			fs
				.readdirSync(path.join(source, room), { recursive: true })
				.filter((name) => /\.(c|js)$/.test(name) && !/\btest\b|node_modules/.test(name))
				.map((name) => path.join(source, room, name)),
	);
	const patterns = [
		/conv_new\([^;"()]*"(\w+)"\)/g,
		/json_typed\("(\w+)"\)/g,
		/json_pack\(\s*"[^"]*",\s*"_type",\s*"(\w+)"/g,
		/\[B_\w+\] = "(\w+)"/g,
		/\b_type: "(\w+)"/g,
	];
	const types = new Set();
	for (const file of files) {
		const text = fs.readFileSync(file, "utf8");
		for (const pattern of patterns) for (const [, type] of text.matchAll(pattern)) types.add(type);
	}
	assert.ok(types.size > 20, [...types].join(" "));
	const shown = new Set(
		examples.flatMap((one) =>
			[...JSON.stringify(one.blocks).matchAll(/"_type":"(\w+)"/g)].map((m) => m[1]),
		),
	);
	report.note(`types: ${[...types].sort().join(" ")}`);
	assert.deepEqual(
		[...types].filter((type) => !shown.has(type)),
		[],
	);
});
await test("each mark of the html module and of the Markdown reader has an element", () => {
	const source = fs.readFileSync(path.join(process.env.STET_SOURCE, "modules/html/convert/para.c"), "utf8");
	const names = [...source.matchAll(/\{ MARK_\w+, "([\w-]+)"/g)].map((found) => found[1]);

	assert.ok(names.length >= 7);
	for (const name of names) {
		const { html, list } = told([block(span("x", name))]);
		assert.match(html, /^<p><(\w+)>x<\/\1><\/p>$/, name);
		assert.deepEqual(list, []);
	}
});

await test("hooks render own blocks, objects and marks; a hook that returns nothing leaves the block as it is", () => {
	const blocks = [
		{ _type: "poll", _key: "a", question: "<why>", steps: [block(span("in"))] },
		{ _type: "code", code: "x" },
		{ _type: "code", code: "y", language: "js" },
		block([span("a", "shiny"), { _type: "emoji", name: "+1" }, span("b", "n")], {
			markDefs: [{ _type: "note", _key: "n", by: "ann" }],
		}),
	];
	const { html, list } = told(blocks, {
		blocks: {
			poll: (one, context) =>
				`<form>${context.escape(one.question)}${context.html(one.steps)}</form>`,
			code: (one) => (one.language ? `<code>${one.language}</code>` : undefined),
		},
		inlines: { emoji: (one) => `:${one.name}:` },
		marks: {
			shiny: (inner) => `<b>${inner}</b>`,
			note: (inner, def) => `<i title="${def.by}">${inner}</i>`,
		},
	});

	assert.equal(
		html,
		'<form>&lt;why&gt;<p>in</p></form><pre><code>x</code></pre><code>js</code><p><b>a</b>:+1:<i title="ann">b</i></p>',
	);
	assert.deepEqual(list, []);
});
await test("what is not known is shown with its texts, blocks, pictures and links, and told", () => {
	const { html, list } = told(
		[
			{
				_type: "hero",
				_key: "k1",
				title: "A title",
				body: [block(span("A text"))],
				asset: { url: "/x.png" },
			},
			{ _type: "card", _key: "k2", label: "Go", url: "/there/" },
			block([span("a", "glow"), { _type: "emoji", _key: "e", text: "smile" }], {
				_key: "k3",
				style: "fancy",
			}),
			{ _type: "image", _key: "k4", alt: "A lost picture", caption: "Cap" },
			{ _type: "embed", _key: "k5", url: "javascript:hit()", title: "Film" },
			block([{ _type: "footnoteReference", _key: "f", label: "9" }]),
			{ _type: "htmlBlock", _key: "k6", html: "<form>Text</form>" },
			{ _type: "nothing", _key: "k7" },
		],
		{ keys: true },
	);

	for (const text of [
		"A title",
		"A text",
		"/x.png",
		"/there/",
		"smile",
		"A lost picture",
		"Cap",
		"Film",
		"[9]",
		"Text",
	])
		assert.ok(html.includes(text), text);
	for (const key of ["k1", "k2", "k3", "k4", "k5", "k6", "k7"])
		assert.ok(html.includes(`data-key="${key}"`), key);
	assert.deepEqual(list, [
		"block hero k1",
		"block card k2",
		"style fancy k3",
		"mark glow -",
		"inline emoji e",
		"address image k4",
		"address embed k5",
		"footnote footnoteReference f",
		"html <form> k6",
		"block nothing k7",
	]);
});
await test("hooks for blocks that the site defines make a list of their fields", () => {
	const fields = [
		{ slug: "head", label: "Head<line>", type: "string" },
		{ slug: "lines", label: "Lines", type: "text" },
		{ slug: "stars", label: "Stars", type: "integer" },
		{ slug: "isNew", label: "New", type: "boolean" },
		{ slug: "kinds", label: "Kinds", type: "multiSelect" },
		{ slug: "at", label: "At", type: "datetime" },
		{ slug: "site", label: "Site", type: "url" },
		{ slug: "photo", label: "Photo", type: "image" },
		{ slug: "paper", label: "Paper", type: "file" },
		{ slug: "also", label: "Also", type: "reference" },
		{
			slug: "rows",
			label: "Rows",
			type: "repeater",
			validation: { subFields: [{ slug: "n", label: "N", type: "number" }] },
		},
		{ slug: "none", label: "None", type: "string" },
	];
	const card = {
		_type: "card",
		_key: "k",
		head: "<b>Hi</b>",
		lines: "a\nb",
		stars: 0,
		isNew: false,
		kinds: ["big", "red"],
		at: "2026-01-02T03:04:05Z",
		site: "https://a.example/?a=1&b",
		photo: { id: "P", alt: "A photo" },
		paper: { id: "F", filename: "a.pdf" },
		also: ["I1", "I2"],
		rows: [{ n: 1 }, "no row", { n: 2 }],
		gone: "of a field that was removed",
	};
	const options = {
		keys: true,
		blocks: ownBlocks([{ slug: "card", fields }], {
			item: (id) => (id === "I1" ? { title: "First & last", href: "/first/" } : undefined),
		}),
		media: (id) => ({ url: `/files/${id}` }),
	};
	const { html, list } = told([card], options);

	assert.equal(
		html,
		'<dl class="own card" data-key="k"><dt>Head&lt;line&gt;</dt><dd>&lt;b&gt;Hi&lt;/b&gt;</dd><dt>Lines</dt>' +
			"<dd>a<br>b</dd><dt>Stars</dt><dd>0</dd><dt>New</dt><dd>No</dd><dt>Kinds</dt><dd>big, red</dd><dt>At</dt>" +
			'<dd><time datetime="2026-01-02T03:04:05Z">2026-01-02T03:04:05Z</time></dd><dt>Site</dt>' +
			'<dd><a href="https://a.example/?a=1&amp;b" rel="noopener">https://a.example/?a=1&amp;b</a></dd><dt>Photo</dt>' +
			'<dd><img src="/files/P" alt="A photo" loading="lazy" decoding="async"></dd><dt>Paper</dt>' +
			'<dd><a href="/files/F" rel="noopener">a.pdf</a></dd><dt>Also</dt><dd><a href="/first/" rel="noopener">First &amp; last</a></dd><dt>Rows</dt>' +
			"<dd><dl><dt>N</dt><dd>1</dd></dl><dl><dt>N</dt><dd>2</dd></dl></dd></dl>",
	);
	assert.deepEqual(list, []);
	assert.equal(toHtml([{ _type: "card", _key: "e" }], options), '<div class="own card" data-key="e"></div>');
	// Values of other types than the fields have come from before a change of the definition.
	for (const value of [["x"], { a: { b: 1 } }, "javascript:hit()", 5, true, [{ n: ["<script>"] }]]) {
		const odd = Object.fromEntries(fields.map(({ slug }) => [slug, value]));
		assert.doesNotMatch(toHtml([{ _type: "card", ...odd }], options), /<script|href="javascript|\[object/);
	}
});
await test("with keys, the element of each block has its key once, also within others", () => {
	const keyed = (value, keys) => {
		if (Array.isArray(value)) return value.map((one) => keyed(one, keys));
		if (value === null || typeof value !== "object") return value;
		const more = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, keyed(one, keys)]));
		if (/^(span|link|reference|table(Row|Cell)|html|math|footnoteReference)$/.test(value._type))
			return more;
		if (!value._type || value.url === "/rain.ogg") return more; // an asset has no key
		keys.push(`k${keys.length}`);
		return { ...more, _key: keys.at(-1) };
	};

	for (const { name, blocks } of examples) {
		if (name === "image" || name === "math") blocks.pop(); // an object within a text has no element of its own
		const keys = [];
		const html = toHtml(keyed(blocks, keys), { ...known, keys: true });
		const found = [...html.matchAll(/data-key="(\w+)"/g)].map((one) => one[1]);
		const asText = /^<dt data-key/.test(html) ? [] : keys;
		assert.deepEqual(found.sort(), asText.sort(), `${name}: ${html}`);
	}
});
await test("lists may skip levels, and change their kind on any level", () => {
	const item = (level, listItem = "bullet") => block(span(`${level}`), { listItem, level });
	assert.equal(
		toHtml([item(3), item(1), item(2, "number"), item(2), item("x"), item(-4, "number")]),
		"<ul><li>3</li></ul><ul><li>1<ol><li>2</li></ol><ul><li>2</li></ul></li><li>x</li></ul><ol><li>-4</li></ol>",
	);
});
await test("the box of a task has the words of the task for its label", () => {
	const task = (text, checked, level) => block(span(text), { listItem: "bullet", level, checked });
	assert.equal(
		toHtml([task("One", true, 1), task("In it", false, 2)]),
		'<ul class="tasks"><li><label><input type="checkbox" disabled checked> One</label>' +
			'<ul class="tasks"><li><label><input type="checkbox" disabled> In it</label></li></ul></li></ul>',
	);
});
await test("links and headings follow the options", () => {
	const link = block(span("x", "l"), {
		markDefs: [{ _key: "l", _type: "link", href: "/old/", rel: 'nofollow ugc"x' }],
	});
	assert.equal(
		toHtml([link], { link: (href) => `https://a.example${href}` }),
		'<p><a href="https://a.example/old/" rel="nofollow ugc x noopener">x</a></p>',
	);
	assert.equal(toHtml([link], { link: () => "javascript:hit()" }), "<p>x</p>");
	assert.equal(
		toHtml([block(span("x"), { style: "h1" }), block(span("y"), { style: "h4" })], { top: 2 }),
		"<h2>x</h2><h4>y</h4>",
	);
	const notes = [
		block([
			{ _type: "footnoteReference", label: "b" },
			{ _type: "footnoteReference", label: "b" },
		]),
	];
	const html = toHtml([...notes, { _type: "footnote", label: "b", content: [span("n")] }], { prefix: "p7" });
	assert.match(html, /id="p7-1-ref" href="#p7-1".*id="p7-1-ref-2" href="#p7-1".*<li id="p7-1">/);
});
await test("pictures take what the library has, and a colour of the blurhash", () => {
	assert.equal(render.colorOf("LEHV6nWB2yk8pyo0adR*.7kCMdnj"), "#979695");
	assert.equal(render.colorOf("L"), "");
	const image = { id: "m2", alt: "A & B" };
	assert.equal(
		imageHtml(image, {
			media: () => ({ url: "/a.jpg", blurhash: "LEHV6nWB2yk8pyo0adR*.7kCMdnj" }),
			url: (to) => `https://c.example${to}`,
		}),
		'<img src="https://c.example/a.jpg" alt="A &amp; B" style="background-color:#979695" loading="lazy" decoding="async">',
	);
	assert.equal(imageHtml({ id: "", provider: "external", src: "javascript:hit()" }), "");
	assert.equal(imageHtml(null), "");
});
await test("a poster of another site, and a frame, load nothing before a click", () => {
	const html = toHtml([
		{ _type: "embed", url: "https://a.example/film", poster: "https://b.example/p.jpg" },
		{ _type: "embed", url: "https://player.vimeo.com/video/1234" },
		{ _type: "video", url: "/a.mp4", poster: "//b.example/p.jpg" },
		{
			_type: "htmlBlock",
			html: '<iframe src="https://www.youtube.com/embed/aqz-KE-bpKQ" title="Rabbit"></iframe>',
		},
	]);
	assert.doesNotMatch(html, /<iframe|<img|poster/);
	assert.match(
		html,
		/href="https:\/\/vimeo\.com\/1234" data-player="https:\/\/player\.vimeo\.com\/video\/1234\?dnt=1"/,
	);
	assert.match(html, /href="https:\/\/www\.youtube\.com\/watch\?v=aqz-KE-bpKQ".*<strong>Rabbit<\/strong>/);
});
await test("the sanitizer keeps what is harmless, with its nesting, and can be replaced", () => {
	assert.equal(
		sanitize(
			'<h3>A &amp; B &copy; < 5</h3><ul><li>one<li>two</ul><td colspan=2><a href="/x?a=1&amp;b=2">l</a><b>open',
		),
		'<h3>A &amp; B &copy; &lt; 5</h3><ul><li>one<li>two</li></li></ul><td colspan="2"><a href="/x?a=1&amp;b=2" rel="noopener">l</a><b>open</b></td>',
	);
	assert.equal(
		toHtml([{ _type: "htmlBlock", html: "<x>" }], { sanitize: (html) => `${html}!` }),
		'<div class="html"><x>!</div>',
	);
});
await test(`${vectors.html.length} hostile texts of HTML come out harmless`, () => {
	for (const text of vectors.html) {
		assert.deepEqual(vectors.judge(sanitize(text)), [], text);
		const inline = toHtml([
			block([{ _type: "html", html: text }, span("x"), { _type: "html", html: text }]),
		]);
		assert.deepEqual(vectors.judge(inline), [], text);
	}
});
await test("hostile values in each member of each block come out harmless", () => {
	let count = 0;
	const put = (value, at, bad) => {
		if (typeof value === "string") return at.n-- === 0 ? bad : value;
		if (Array.isArray(value)) return value.map((one) => put(one, at, bad));
		if (value === null || typeof value !== "object") return at.n-- === 0 ? bad : value;
		return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, at, bad)]));
	};

	for (const { blocks } of examples)
		for (const bad of [...vectors.values, null, 5, [], {}, [null], true, -1, 1e99])
			for (let n = 0; ; n++) {
				const at = { n },
					changed = put(blocks, at, bad);
				if (at.n >= 0) break;
				const html = toHtml(changed, { ...known, keys: true });
				assert.deepEqual(vectors.judge(html), [], JSON.stringify(changed));
				count++;
			}
	report.note(`${count} values`);
});
await test("time and depth are bounded", () => {
	let deep = [block(span("x"))];
	for (let i = 0; i < 500; i++) deep = [{ _type: "group", content: deep }];
	const { html, list } = told(deep);
	assert.ok(html.includes("x") === false || list.length > 0);
	assert.ok(list.includes("depth group -"));
	const n = 200_000,
		from = Date.now();
	for (const one of ["<", "<a ", "<b>", "<!--", "</p>", '<a x="', "&amp;", "<script>", "a='", "<a\t"])
		sanitize(one.repeat(n));
	toHtml(
		Array.from({ length: 20_000 }, () =>
			block([span("x", "strong"), span("y", "strong", "em")], { listItem: "bullet" }),
		),
	);
	assert.ok(Date.now() - from < 20_000, `${Date.now() - from} ms`);
	report.note(`${Date.now() - from} ms`);
});
await test("values that are no Portable Text do not make it throw", () => {
	for (const value of [
		null,
		undefined,
		5,
		"a\nb",
		{},
		[null, 5, "x", [], { _type: 5 }, {}],
		[{ _type: "__proto__" }],
		[{ _type: "constructor" }],
	])
		assert.equal(typeof toHtml(value), "string");
	assert.equal(toHtml("a <b>\nc"), "<p>a &lt;b&gt;<br>c</p>");
});
await test("texts for descriptions are whole words", () => {
	const blocks = [
		block([span("One "), span("two", "em")]),
		{ _type: "columns", columns: [{ content: [block(span("three four"))] }] },
	];
	assert.equal(textOf(blocks), "One two three four");
	assert.equal(summaryOf(blocks, 12), "One two…");
});
if (!fs.existsSync(CHROMIUM)) report.note("skipped: Chromium, which is not there (CHROMIUM names another)");
else
	await test("Chromium runs none of it, and reads it as it was written", () => {
		const work = fs.mkdtempSync(path.join(os.tmpdir(), "stet-render-"));
		const pieces = vectors.html.map((text) => sanitize(text));
		const script = `let hits = 0; function hit() { hits++; } const list = ${JSON.stringify(pieces).replaceAll("<", "\\u003c")};
			const bad = [];
			for (const html of list) {
				const div = document.createElement("div"); div.innerHTML = html; document.body.append(div);
				for (const one of div.querySelectorAll("*")) for (const { name, value } of one.attributes)
					if (/^on|^style$|^srcdoc$/.test(name) || /^\\s*(javascript|data|vbscript):/i.test(value)) bad.push(html);
				if (div.querySelector("script,style,iframe,object,embed,svg,math,form,base,meta,link")) bad.push(html);
			}
			setTimeout(() => { document.title = "hits " + hits + " bad " + bad.length; }, 500);`;
		fs.writeFileSync(
			path.join(work, "x.html"),
			`<!doctype html><title>-</title><body>${pieces.join("\n")}<script>${script}</script>`,
		);
		const words =
			"--headless=new --no-sandbox --disable-gpu --disable-dev-shm-usage --no-first-run --disable-background-networking --virtual-time-budget=3000 --dump-dom";
		const dom = execFileSync(
			CHROMIUM,
			[
				...words.split(" "),
				"--host-resolver-rules=MAP * ~NOTFOUND",
				`--user-data-dir=${work}/b`,
				`file://${work}/x.html`,
			],
			{ encoding: "utf8", timeout: 60_000, stdio: ["ignore", "pipe", "ignore"], maxBuffer: 1 << 24 },
		);
		fs.rmSync(work, { recursive: true, force: true });
		assert.match(dom, /<title>hits 0 bad 0<\/title>/);
	});
report.end();
