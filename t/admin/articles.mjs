// articles.mjs - a collection with a field of each type, and an article in it, for the tests of the editor.
import zlib from "node:zlib";

/** A PNG of one colour. */
function png(width, height, grey) {
	const crcs = Array.from(
		{ length: 256 },
		(_, n) => Array.from({ length: 8 }).reduce((c) => (c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1), n) >>> 0,
	);
	const crc = (bytes) => (bytes.reduce((c, b) => crcs[(c ^ b) & 255] ^ (c >>> 8), 0xffffffff) ^ 0xffffffff) >>> 0;
	const chunk = (type, data) => {
		const body = Buffer.concat([Buffer.from(type), data]),
			out = Buffer.alloc(body.length + 8);

		out.writeUInt32BE(data.length);
		body.copy(out, 4);
		out.writeUInt32BE(crc(body), body.length + 4);
		return out;
	};
	const head = Buffer.alloc(13);

	head.writeUInt32BE(width);
	head.writeUInt32BE(height, 4);
	head.set([8, 0, 0, 0, 0], 8);
	const rows = Buffer.concat(
		Array.from({ length: height }, () => Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)])),
	);
	return Buffer.concat([
		Buffer.from("89504e470d0a1a0a", "hex"),
		chunk("IHDR", head),
		chunk("IDAT", zlib.deflateSync(rows)),
		chunk("IEND", Buffer.alloc(0)),
	]);
}

export const paragraph = (key, text, more = {}) => ({
	_type: "block",
	_key: key,
	style: "normal",
	children: [{ _type: "span", _key: `${key}s`, text }],
	...more,
});

const fields = [
	{ slug: "title", label: "Title", type: "string", required: true, searchable: true },
	{ slug: "body", label: "Body", type: "portableText", searchable: true },
	{ slug: "standfirst", label: "Standfirst", type: "text", validation: { maxLength: 200 } },
	{ slug: "year", label: "Year", type: "integer", validation: { min: 1900 } },
	{ slug: "mach", label: "Mach number", type: "number" },
	{ slug: "reprint", label: "Reprint", type: "boolean" },
	{ slug: "measured", label: "Measured on", type: "datetime" },
	{ slug: "kind", label: "Kind", type: "select", validation: { options: ["Research note", "Essay", "Letter"] } },
	{
		slug: "readers",
		label: "Readers",
		type: "multiSelect",
		validation: { options: ["Students", "Engineers", "Pilots"] },
	},
	{ slug: "source", label: "Source", type: "url" },
	{ slug: "code", label: "Code", type: "slug" },
	{ slug: "cover", label: "Cover", type: "image", options: { darkVariant: true } },
	{ slug: "sheet", label: "Data sheet", type: "file" },
	{
		slug: "related",
		label: "Related",
		type: "reference",
		options: { collection: "articles", allowMultiple: true },
	},
	{
		slug: "runs",
		label: "Runs",
		type: "repeater",
		options: { itemLabel: "Run" },
		validation: {
			subFields: [
				{ slug: "nozzle", label: "Nozzle", type: "string", required: true },
				{ slug: "ratio", label: "Pressure ratio", type: "number" },
				{ slug: "level", label: "Level, dB", type: "integer" },
			],
		},
	},
	{ slug: "extra", label: "Instrument", type: "json" },
];

const cell = (key, text, more) => ({
	_type: "tableCell",
	_key: key,
	content: [{ _type: "span", _key: "x", text }],
	...more,
});

function bodyOf(media) {
	return [
		paragraph(
			"a",
			"Stand beside a running jet engine and the noise seems to come from the nozzle. It does not.",
		),
		{
			_type: "block",
			_key: "b",
			style: "normal",
			markDefs: [{ _key: "l", _type: "link", href: "https://example.org/" }],
			children: [
				{ _type: "span", _key: "1", text: "The survey by " },
				{ _type: "span", _key: "2", text: "Callaghan", marks: ["l"] },
				{ _type: "span", _key: "3", text: " is read today for its method.", marks: ["em"] },
			],
		},
		paragraph("c", "What a near field is", { style: "h2" }),
		{
			_type: "image",
			_key: "i",
			asset: {
				_type: "reference",
				_ref: media.id,
				url: media.url,
				width: media.width,
				height: media.height,
			},
			alt: "Levels",
			caption: "Levels along the boundary",
		},
		paragraph("q", "The spectra were found to be flat.", { style: "blockquote" }),
		paragraph("e", "Level rises with speed.", { listItem: "bullet", level: 1 }),
		paragraph("f", "Inner", { listItem: "number", level: 2 }),
		{ _type: "mathml", _key: "k9f2", src: "I \\propto U^8", deep: { n: 1.5 } },
		{ _type: "code", _key: "cc", code: "if (a < b) {\n}", language: "c" },
		{
			_type: "table",
			_key: "tt",
			hasHeaderRow: true,
			rows: [
				{
					_type: "tableRow",
					_key: "r1",
					cells: [
						cell("h1", "Nozzle", { isHeader: true }),
						cell("h2", "Ratio", { isHeader: true }),
					],
				},
				{ _type: "tableRow", _key: "r2", cells: [cell("c1", "4 in"), cell("c2", "1.8")] },
			],
		},
		paragraph("z", "The question of the neighbours came later"),
	];
}

/** Returns a function that calls the API as the administrator. */
export function caller(origin, token) {
	return async (method, path, body) => {
		const isForm = body instanceof FormData;
		const answer = await fetch(`${origin}/_cms/api${path}`, {
			method,
			headers: {
				Authorization: `Bearer ${token}`,
				"X-CMS-Request": "1",
				...(isForm ? {} : { "Content-Type": "application/json" }),
			},
			body: isForm || body === undefined ? body : JSON.stringify(body),
		});
		const json = await answer.json();

		if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(json)}`);
		return json.data;
	};
}

export async function upload(call, name) {
	const form = new FormData();

	form.append("file", new Blob([png(64, 48, name.length)], { type: "image/png" }), name);
	return (await call("POST", "/media", form)).item;
}

/** Makes the collection, terms, bylines, a picture, two small articles and a full one, all of them live. */
export async function makeArticles(call) {
	await call("POST", "/schema/collections", {
		slug: "articles",
		label: "Articles",
		labelSingular: "Article",
		supports: ["drafts", "revisions", "preview", "scheduling", "search"],
	});
	for (const field of fields) await call("POST", "/schema/collections/articles/fields", field);
	await call("POST", "/search/enable", { collection: "articles", enabled: true });
	for (const [name, label, hierarchical] of [
		["topic", "Topics", true],
		["tags", "Tags", false],
	])
		await call("POST", "/taxonomies", { name, label, hierarchical, collections: ["articles"] });
	await call("POST", "/taxonomies/topic/terms", { slug: "acoustics", label: "Acoustics" });
	await call("POST", "/taxonomies/tags/terms", { slug: "naca", label: "naca" });
	// More terms than a page shows as a tree.
	await call("POST", "/taxonomies", {
		name: "places",
		label: "Places",
		hierarchical: true,
		collections: ["articles"],
	});
	for (let i = 1; i <= 70; i++) await call("POST", "/taxonomies/places/terms", { label: `Öhringen ${i}` });
	await call("POST", "/bylines", { displayName: "E. E. Callaghan", isGuest: true });
	const media = await upload(call, "shock.png"),
		related = [];
	for (const title of ["The wake behind a vehicle", "Compressible mixing"])
		related.push(
			(await call("POST", "/content/articles", { data: { title }, status: "published" })).item.id,
		);
	const { item } = await call("POST", "/content/articles", {
		status: "published",
		data: {
			title: "Near noise field",
			body: bodyOf(media),
			standfirst: "Where a jet is loudest.",
			year: 1957,
			mach: 0.85,
			reprint: true,
			measured: "1957-06-18T14:30:00.000Z",
			kind: "Essay",
			readers: ["Students"],
			source: "https://reports.example.org/naca/1338",
			code: "naca-1338",
			cover: { id: media.id, url: media.url, alt: "Shock", width: media.width, height: media.height },
			related,
			runs: [
				{ nozzle: "round", ratio: 1.8, level: 141 },
				{ nozzle: "toothed", ratio: 2.2, level: 138 },
			],
			extra: { microphone: "condenser" },
		},
	});
	return { id: item.id, media, related };
}
