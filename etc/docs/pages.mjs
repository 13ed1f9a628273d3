// pages.mjs FROM TO - the pages of the manual from pieces: HTML of mandoc and cmark, openapi.json and the list of tools.
import fs from "node:fs";
import path from "node:path";

const [from, to] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(from, name), "utf8");
const escapes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (text) => String(text).replace(/[&<>"]/g, (one) => escapes[one]);
const plain = (html) =>
	html
		.replace(/<[^>]*>/g, " ")
		.replace(/&#x([0-9A-F]+);/gi, (_, hex) => String.fromCodePoint(Number.parseInt(hex, 16)))
		.replace(/&lt;/g, "<")
		.replace(/&gt;/g, ">")
		.replace(/&quot;/g, '"')
		.replace(/&amp;/g, "&")
		.replace(/\s+/g, " ")
		.trim();
const idOf = (text) =>
	plain(text)
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "-")
		.replace(/^-|-$/g, "");

// ---- manual pages ----

const manual = (name) => {
	const about = /class="Nd">([\s\S]*?)<\/span>/.exec(read(name));

	return {
		file: `${name}.html`,
		title: name.replace(/\.(\d)$/, "($1)"),
		about: plain(about[1]),
		html: read(name)
			.replace(/<table class="(head|foot)">[\s\S]*?<\/table>/g, "")
			.replace(/<section class="Sh">\s*<h1[^>]*id="NAME">[\s\S]*?<\/section>/, "")
			// References to pages of others.
			.replace(/<a class="Xr" href="(?!stet)[^"]*"[^>]*>([^<]*)<\/a>/g, "$1")
			// The title is the page's; sections are below it.
			.replace(/<(\/?)h2\b/g, "<$1h3")
			.replace(/<(\/?)h1\b/g, "<$1h2"),
	};
};

// ---- documents ----

const document = (name, file, title, about) => ({
	file,
	title,
	about,
	html: read(name)
		.replace(/<h1>[\s\S]*?<\/h1>/, "")
		.replace(
			/<h([23])>([\s\S]*?)<\/h\1>/g,
			(_, level, text) => `<h${level} id="${idOf(text)}">${text}</h${level}>`,
		)
		.replace(/etc\/journal\/looks\//g, "looks/"),
});

// The documents of packages of npm, as these name and describe themselves.
const packages = () =>
	fs
		.readdirSync(path.join(from, "packages"))
		.filter((name) => name.endsWith(".json"))
		.sort()
		.map((name) => {
			const { name: title, description } = JSON.parse(read(`packages/${name}`));
			const file = name.replace(/json$/, "html");

			return document(`packages/${file}`, file, title, description);
		});

// ---- operations and tools ----

const api = JSON.parse(read("openapi.json"));
const tools = JSON.parse(read("tools.json")).result.tools;

const resolved = (schema) => {
	const ref = schema?.$ref;

	return ref === undefined
		? schema
		: ref
				.split("/")
				.slice(1)
				.reduce((at, name) => at[name], api);
};

const typeOf = (given) => {
	const schema = resolved(given) ?? {};
	const choices = schema.enum ?? (schema.const === undefined ? undefined : [schema.const]);

	if (choices !== undefined)
		return choices.length > 12 ? "text" : choices.map((one) => JSON.stringify(one)).join(" | ");
	if (schema.anyOf) return "object";
	const type = [schema.type ?? "any"].flat();

	return type
		.map((one) => (one === "array" ? `list of ${typeOf(schema.items)}` : (schema.format ?? one)))
		.join(" or ");
};

const row = (name, schema, required, about) =>
	`<tr><td><code>${escaped(name)}</code>${required ? " <em>required</em>" : ""}</td><td>${escaped(typeOf(schema))}</td>` +
	`<td>${escaped(about ?? resolved(schema)?.description ?? "")}</td></tr>`;

const table = (title, rows) =>
	rows.length === 0 ? "" : `<h4>${title}</h4><table><tbody>${rows.join("")}</tbody></table>`;

const members = (given) => {
	const schema = resolved(given) ?? {};

	return Object.entries(schema.properties ?? {}).map(([name, one]) =>
		row(name, one, schema.required?.includes(name)),
	);
};

// The path of the servers that the document or the path itself names.
const placeOf = (where, one) =>
	new URL((one.servers ?? api.paths[where].servers ?? api.servers)[0].url, "http://x").pathname.replace(
		/\/$/,
		"",
	) + where;

const operation = (where, method, one) => {
	const places = (one.parameters ?? []).map(resolved);
	const bodies = Object.values(one.requestBody?.content ?? {});
	const good = Object.entries(one.responses).find(([status]) => status.startsWith("2"));
	const answer = resolved(Object.values(resolved(good?.[1])?.content ?? {})[0]?.schema);
	const data = resolved(answer?.properties?.data);

	return (
		`<section class="op"><h3 id="${one.operationId}"><span class="method">${method.toUpperCase()}</span> ` +
		`<code>${escaped(placeOf(where, one))}</code></h3><p>${escaped(one.description ?? one.summary)}</p>` +
		table(
			"Parameters",
			places
				.filter((place) => place.in !== "header")
				.map((place) => row(place.name, place.schema, place.required, place.description)),
		) +
		table("Body", bodies.length > 0 ? members(bodies[0].schema) : []) +
		table(`Answer ${good?.[0] ?? ""}`, members(data)) +
		"</section>"
	);
};

const operations = () => {
	const byTag = new Map(api.tags.map((tag) => [tag.name, { about: tag.description, html: "" }]));

	for (const [where, methods] of Object.entries(api.paths))
		for (const method of ["get", "post", "put", "patch", "delete"].filter((name) => methods[name])) {
			const tag = methods[method].tags[0];
			// The admin pages are no interface for programs.
			if (tag !== "admin") byTag.get(tag).html += operation(where, method, methods[method]);
		}
	return {
		file: "operations.html",
		title: "Operations",
		about: "all requests of the REST API",
		html: [...byTag]
			.filter(([, tag]) => tag.html !== "")
			.map(
				([name, tag]) =>
					`<h2 id="module-${name}">${name}</h2><p>${escaped(tag.about ?? "")}</p>${tag.html}`,
			)
			.join(""),
	};
};

const toolPage = () => ({
	file: "tools.html",
	title: "Tools",
	about: "what assistants can call, over MCP",
	html: tools
		.map(
			(tool) =>
				`<section class="op"><h2 id="${tool.name}"><code>${tool.name}</code></h2><p>${escaped(tool.description)}</p>` +
				`${table("Arguments", members(tool.inputSchema))}</section>`,
		)
		.join(""),
});

// ---- the site ----

const chapters = [
	[
		"Beginning",
		[document("README", "readme.html", "README", "what stet is, how to get it"), manual("stet-tour.7")],
	],
	[
		"Building sites",
		[
			manual("stet-api.7"),
			manual("stet-content.7"),
			manual("stet-webhooks.7"),
			operations(),
			...packages(),
		],
	],
	["Assistants", [manual("stet-mcp.7"), toolPage()]],
	[
		"Running it",
		[
			manual("stetd.8"),
			manual("stet.1"),
			manual("stet-daemons.7"),
			manual("stet-postgresql.7"),
			manual("stet-litestream.7"),
			manual("stet.conf.5"),
			manual("stet-proxy.7"),
			document("NEWS", "news.html", "NEWS", "what is new"),
		],
	],
	[
		"Extending it",
		[
			manual("stet-plugin.7"),
			document("plugin-sdk-README", "book.html", "The plugin book", "how plugins are made"),
		],
	],
];

const entries = (page) =>
	[...page.html.matchAll(/<h([23])[^>]*?(?:\sid="([^"]*)")[^>]*>([\s\S]*?)<\/h\1>/g)].map((at) => ({
		level: Number(at[1]),
		id: at[2],
		text: plain(at[3]),
		at: at.index,
	}));

const nav = (current) =>
	chapters
		.map(
			([title, pages]) =>
				`<h2>${title}</h2><ul>${pages
					.map(
						(page) =>
							`<li><a href="${page.file}"${page === current ? ' aria-current="page"' : ""}>${escaped(page.title)}</a></li>`,
					)
					.join("")}</ul>`,
		)
		.join("");

const contents = (page) => {
	const all = entries(page);
	const large = all.filter((head) => head.level === 2);
	const heads = large.length < 4 ? all : large;

	return heads.length < 4
		? ""
		: `<nav class="toc" aria-label="On this page"><ul>${heads
				.map((head) => `<li><a href="#${head.id}">${escaped(head.text)}</a></li>`)
				.join("")}</ul></nav>`;
};

const frame = (title, body, current) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="style.css">
<script src="search.js" defer></script>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header><a class="mark" href="index.html">stet</a>
<form role="search"><input type="search" aria-label="Search the manual" placeholder="Search" autocomplete="off"
aria-controls="found"></form></header>
<nav class="side" aria-label="Manual">${nav(current)}</nav>
<main id="main"><div id="found" aria-live="polite" hidden></div><article>${body}</article></main>
</body>
</html>
`;

const pages = chapters.flatMap(([, list]) => list);
const index = [];

for (const page of pages) {
	const heads = entries(page);

	// A part of a page is found by its heading and its words.
	[{ id: "", text: "", at: 0 }, ...heads].forEach((head, i) => {
		const words = plain(page.html.slice(head.at, heads[i]?.at ?? page.html.length));
		if (words !== "") index.push([page.file + (head.id && `#${head.id}`), page.title, head.text, words]);
	});
	fs.writeFileSync(
		path.join(to, page.file),
		frame(
			`${page.title} - stet`,
			`<h1>${escaped(page.title)}</h1><p class="about">${escaped(page.about)}</p>${contents(page)}${page.html}`,
			page,
		),
	);
}
fs.writeFileSync(path.join(to, "index.js"), `const index = ${JSON.stringify(index)};\n`);
fs.writeFileSync(
	path.join(to, "index.html"),
	frame(
		"The manual of stet",
		`<h1>The manual of stet</h1>${chapters
			.map(
				([title, list]) =>
					`<h2>${title}</h2><dl>${list
						.map(
							(page) =>
								`<dt><a href="${page.file}">${escaped(page.title)}</a></dt><dd>${escaped(page.about)}</dd>`,
						)
						.join("")}</dl>`,
			)
			.join("")}`,
	),
);
