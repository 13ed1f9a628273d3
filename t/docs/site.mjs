// site.mjs - what the examples of the manual read: articles ("finds") with terms, people and references. Beside each
// item stands why it passes the conditions of stet-content(7), or does not.
const API = "/_cms/api";

const finds = [
	// Passes all: no note, of 1995, of a category that is asked for, with both tags, with both words and no draft.
	{
		slug: "marsh",
		kind: "essay",
		year: 1995,
		title: "Marsh",
		tags: ["sea"],
		body: "A salt marsh",
		category: ["news"],
		tag: ["db"],
	},
	// Of no year between, but its key does not begin with an a; sold; one of the words; the other category.
	{
		slug: "basin",
		kind: "essay",
		year: 2005,
		title: "Basin",
		tags: ["sea", "sold"],
		body: "Salt",
		category: ["sport"],
		tag: ["db"],
	},
	// A note; not by the sea; a draft in its title; a category but no tag.
	{
		slug: "draft",
		kind: "note",
		year: 1995,
		title: "A draft",
		tags: [],
		body: "A salt marsh",
		category: ["news"],
	},
	// No note, but neither of a year between nor of another letter; no category.
	{ slug: "apse", kind: "essay", year: 2001, title: "Apse", tags: ["sold"], body: "Stone", tag: ["db"] },
];

// Makes the site. Returns the ids that the tests compare.
export async function fill({ good }) {
	const make = async (slug, supports, fields) => {
		await good("POST", `${API}/schema/collections`, { slug, label: slug, supports });
		for (const field of fields)
			await good("POST", `${API}/schema/collections/${slug}/fields`, { label: field.slug, ...field });
	};
	const term = (taxonomy, slug) =>
		good("POST", `${API}/taxonomies/${taxonomy}/terms`, { slug, label: slug === "news" ? "News" : slug });
	const add = async (collection, body) =>
		(await good("POST", `${API}/content/${collection}`, { status: "published", ...body })).item.id;
	const supports = ["drafts", "revisions", "search"];
	const options = (...names) => ({ validation: { options: names } });

	await make("places", supports, [{ slug: "name", type: "string" }]);
	await make("people", supports, [
		{ slug: "name", type: "string" },
		{ slug: "home", type: "reference", options: { collection: "places" } },
	]);
	await make("posts", supports, [{ slug: "title", type: "string" }]);
	await make("finds", supports, [
		{ slug: "title", type: "string", searchable: true },
		{ slug: "title_key", type: "slug", indexed: true },
		{ slug: "kind", type: "select", indexed: true, ...options("essay", "note") },
		{ slug: "year", type: "integer", indexed: true },
		{ slug: "tags", type: "multiSelect", indexed: true, ...options("sea", "sold") },
		{ slug: "body", type: "text", searchable: true },
		{ slug: "author", type: "reference", options: { collection: "people" } },
		{ slug: "related", type: "reference", options: { collection: "posts", allowMultiple: true } },
	]);
	await good("POST", `${API}/search/enable`, { collection: "finds", enabled: true });
	await good("PUT", `${API}/schema/collections/posts`, { publicRead: true });
	for (const name of ["category", "tag"])
		await good("PUT", `${API}/taxonomies/${name}`, { collections: ["finds", "posts"] });
	for (const [taxonomy, slug] of [
		["category", "news"],
		["category", "sport"],
		["tag", "db"],
	])
		await term(taxonomy, slug);

	const home = await add("places", { data: { name: "Basel" } });
	const author = await add("people", { data: { name: "Ann", home } });
	const post = await add("posts", {
		data: { title: "First" },
		slug: "first",
		taxonomies: { category: ["news"] },
	});

	for (const { slug, title, category, tag, ...data } of finds)
		await add("finds", {
			slug,
			data: { ...data, title, title_key: slug, author, related: [post] },
			taxonomies: { category, tag },
		});
	return { home, author, post };
}
