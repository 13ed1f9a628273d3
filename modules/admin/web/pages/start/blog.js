// blog.js - makes what a blog needs: posts and pages, a category, a menu, and the draft of a first article. What fails
// half-way is repeated: each step leaves what is there already.
import { api } from "../../lib/api.js";
import { addFirstFields, madeOnce, t } from "../../lib/begin.js";
import { keep } from "../../lib/kept.js";
import { has, loadManifest } from "../../lib/site.js";

const SUPPORTS = ["drafts", "revisions", "preview", "scheduling", "search", "seo"];

/** @param {any} collection @param {any[]} [fields] */
async function make(collection, fields) {
	const whole = { supports: SUPPORTS, requiredOn: "publish", ...collection };

	await madeOnce(api.post("/schema/collections", whole));
	await addFirstFields(whole, fields);
}

/** The categories and tags of a new site are for its posts, too. */
async function useTerms() {
	const { taxonomies } = await api.get("/taxonomies");

	// Somebody may have deleted one of them, or given it other collections.
	for (const { name, collections } of taxonomies)
		if (["category", "tag"].includes(name) && !collections.includes("posts"))
			await api.put(`/taxonomies/${name}`, { collections: [...collections, "posts"] });
	await madeOnce(api.post("/taxonomies/category/terms", { label: t("categories"), slug: "news" })).catch(
		(error) => {
			if (error.status !== 404) throw error;
		},
	);
}

async function makeMenu() {
	// The items of a menu that is there already are somebody's.
	const made = await madeOnce(api.post("/menus", { name: "main", label: t("menu") }));

	if (made === null && (await api.get("/menus/main")).items.length > 0) return;
	await api.put("/menus/main/items", {
		items: [{ type: "collection", label: t("posts"), referenceCollection: "posts" }],
	});
}

/** The first article; one that is there already stays alone. */
async function makeFirst() {
	const block = { _type: "block", style: "normal", children: [{ _type: "span", text: t("about") }] };
	const { items } = await api.get("/content/posts", { query: { limit: 1, fields: "slug" } });

	if (items.length > 0) return items[0];
	return (await api.post("/content/posts", { data: { title: t("first"), content: [block] } })).item;
}

/** Begins a blog, or goes on with one. Resolves with the path of the first article. */
export async function makeBlog() {
	keep("blogBegun", true);
	// The posts come first, in the menu and wherever collections are listed.
	await make(
		{
			slug: "posts",
			label: t("posts"),
			labelSingular: t("post"),
			urlPattern: "/posts/{slug}",
			sortOrder: 0,
		},
		[
			{ slug: "excerpt", label: t("excerpt"), type: "text", searchable: true },
			...(has("media") ? [{ slug: "picture", label: t("picture"), type: "image" }] : []),
		],
	);
	await make({
		slug: "pages",
		label: t("pages"),
		labelSingular: t("page"),
		urlPattern: "/{slug}",
		sortOrder: 1,
	});
	if (has("taxonomies")) await useTerms();
	if (has("menus")) await makeMenu();
	const item = await makeFirst();

	await loadManifest();
	keep("blogBegun", undefined);
	return `/collections/posts/${item.id}`;
}
