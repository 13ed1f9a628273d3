// blog.js - makes what a blog needs: posts and pages, a category, a menu, and the draft of a first article.
import { api } from "../../lib/api.js";
import { addFirstFields, t } from "../../lib/begin.js";
import { has, loadManifest } from "../../lib/site.js";

const SUPPORTS = ["drafts", "revisions", "preview", "scheduling", "search", "seo"];

/** @param {any} collection @param {any[]} [fields] */
async function make(collection, fields) {
	const { item } = await api.post("/schema/collections", { supports: SUPPORTS, ...collection });

	await addFirstFields(item, fields);
}

/** The categories and tags of a new site are for its posts, too. */
async function useTerms() {
	for (const name of ["category", "tag"])
		await api.put(`/taxonomies/${name}`, { collections: ["posts"] }).catch((error) => {
			if (error.status !== 404) throw error; // somebody has deleted it
		});
	await api.post("/taxonomies/category/terms", { label: t("categories"), slug: "news" }).catch((error) => {
		if (error.status !== 404) throw error;
	});
}

async function makeMenu() {
	await api.post("/menus", { name: "main", label: t("menu") });
	await api.put("/menus/main/items", {
		items: [{ type: "collection", label: t("posts"), referenceCollection: "posts" }],
	});
}

/** Resolves with the path of the first article. */
export async function makeBlog() {
	await make({ slug: "posts", label: t("posts"), labelSingular: t("post"), urlPattern: "/posts/{slug}" }, [
		{ slug: "excerpt", label: t("excerpt"), type: "text", searchable: true },
		...(has("media") ? [{ slug: "picture", label: t("picture"), type: "image" }] : []),
	]);
	await make({ slug: "pages", label: t("pages"), labelSingular: t("page"), urlPattern: "/{slug}" });
	if (has("taxonomies")) await useTerms();
	if (has("menus")) await makeMenu();
	const block = { _type: "block", style: "normal", children: [{ _type: "span", text: t("about") }] };
	const { item } = await api.post("/content/posts", { data: { title: t("first"), content: [block] } });

	await loadManifest();
	return `/collections/posts/${item.id}`;
}
