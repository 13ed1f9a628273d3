// site.mjs - the site that the tests read and write: posts and people in two languages, terms, references, a picture,
// and 250 notes. It is made with fetch alone, not by the client under test.
import { png } from "../admin/files.mjs";

export const NOTES = 250;

export async function makeSite(url, token) {
	const ask = async (method, path, body) => {
		const isForm = body instanceof FormData;
		const answer = await fetch(`${url}/_cms/api${path}`, {
			method,
			headers: {
				Authorization: `Bearer ${token}`,
				"X-CMS-Request": "1",
				...(body === undefined || isForm ? {} : { "Content-Type": "application/json" }),
			},
			body: body === undefined || isForm ? body : JSON.stringify(body),
		});
		const json = await answer.json();
		if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(json)}`);
		return json.data;
	};
	const collection = async (slug, supports, fields) => {
		await ask("POST", "/schema/collections", { slug, label: slug, supports });
		for (const field of fields)
			await ask("POST", `/schema/collections/${slug}/fields`, { label: field.slug, ...field });
	};

	await collection("people", ["drafts"], [{ slug: "name", type: "string", required: true }]);
	await collection(
		"posts",
		["drafts", "revisions", "search", "scheduling", "preview", "seo"],
		[
			{ slug: "title", type: "string", required: true, indexed: true, searchable: true },
			{ slug: "summary", type: "text" },
			{ slug: "body", type: "portableText", searchable: true },
			{ slug: "kind", type: "select", indexed: true, validation: { options: ["note", "essay"] } },
			{ slug: "year", type: "integer", indexed: true },
			{ slug: "seen", type: "boolean", indexed: true },
			{ slug: "author", type: "reference", indexed: true, options: { collection: "people" } },
			{
				slug: "related",
				type: "reference",
				indexed: true,
				options: { collection: "posts", allowMultiple: true },
			},
			{ slug: "tags", type: "multiSelect", indexed: true, validation: { options: ["a", "b"] } },
			{ slug: "cover", type: "image" },
			{ slug: "extra", type: "json" },
			{
				slug: "steps",
				type: "repeater",
				validation: { subFields: [{ slug: "text", type: "string", label: "Text" }] },
			},
		],
	);
	await ask("PUT", "/schema/collections/posts", { indexes: ["kind:asc,year:desc"] });
	await collection(
		"notes",
		["drafts"],
		[
			{ slug: "title", type: "string", required: true },
			{ slug: "n", type: "integer", indexed: true },
		],
	);
	await ask("POST", "/search/enable", { collection: "posts", enabled: true });

	await ask("POST", "/taxonomies", {
		name: "topic",
		label: "Topics",
		hierarchical: true,
		collections: ["posts"],
	});
	const { term: news } = await ask("POST", "/taxonomies/topic/terms", { slug: "news", label: "News" });
	await ask("POST", "/taxonomies/topic/terms", { slug: "world", label: "World", parentId: news.id });
	await ask("POST", "/taxonomies/topic/terms", { slug: "sport", label: "Sport" });
	await ask("POST", "/menus", { name: "main", label: "Main" });
	await ask("POST", "/menus/main/items", { type: "custom", label: "Home", customUrl: "/" });

	const form = new FormData();
	form.append(
		"file",
		new Blob(
			[
				png(900, 600, [
					[0, 60, 120],
					[200, 220, 240],
				]),
			],
			{ type: "image/png" },
		),
		"sky.png",
	);
	const { item: picture } = await ask("POST", "/media", form);

	const create = async (slug, body) =>
		(await ask("POST", `/content/${slug}`, { status: "published", ...body })).item;
	const ann = await create("people", { slug: "ann", data: { name: "Ann" } });
	const text = (words) => [
		{
			_type: "block",
			_key: "k1",
			style: "normal",
			markDefs: [],
			children: [{ _type: "span", _key: "s1", text: words, marks: [] }],
		},
	];
	const first = await create("posts", {
		slug: "hello",
		data: {
			title: "Hello",
			summary: "The first",
			body: text("A journal about margins begins"),
			kind: "note",
			year: 2001,
			seen: true,
			author: ann.id,
			cover: { id: picture.id },
			tags: ["a"],
		},
		taxonomies: { topic: ["news"] },
	});
	const second = await create("posts", {
		slug: "second",
		data: {
			title: "Second thoughts",
			kind: "essay",
			year: 1999,
			seen: false,
			author: ann.id,
			related: [first.id],
		},
		taxonomies: { topic: ["world"] },
	});
	await create("posts", {
		slug: "third",
		data: { title: "Third time", kind: "essay", year: 2010 },
		taxonomies: { topic: ["sport", "news"] },
	});
	await create("posts", { slug: "bonjour", locale: "fr", translationOf: first.id, data: { title: "Bonjour" } });
	await create("posts", {
		slug: "unfinished",
		status: "draft",
		data: { title: "Unfinished", kind: "note", year: 2020 },
	});

	for (let at = 0; at < NOTES; at += 50) {
		const calls = Array.from({ length: 50 }, (_, i) => ({
			op: "content_create",
			arguments: {
				collection: "notes",
				status: "published",
				data: { title: `Note ${at + i}`, n: at + i },
			},
		}));
		const { failed } = await ask("POST", "/batch", { calls });
		if (failed > 0) throw new Error(`${failed} notes were not made`);
	}
	return { ask, ann, first, second, picture };
}
