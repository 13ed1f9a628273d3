// trees.mjs - makes terms, a menu, a section, widgets and a byline over the API. Other tests check how their pages
// look.
import { HOSTILE } from "./site.mjs";

const text = (words) => ({ _type: "block", style: "normal", children: [{ _type: "span", text: words }] });

/** @param {(method: string, where: string, body?: any) => Promise<any>} made */
export async function fillTrees(made) {
	const term = async (label, parentId) =>
		(await made("POST", "/taxonomies/fields/terms", { label, parentId })).term.translationGroup;

	await made("POST", "/taxonomies", {
		name: "fields",
		label: `Fields ${HOSTILE}`,
		hierarchical: true,
		collections: ["papers"],
	});
	const air = await term("Aerodynamics"),
		wings = await term("Wings", air);
	await term("Slender delta wings with leading edge separation", wings);
	await term(HOSTILE, wings);
	for (let i = 1; i <= 20; i++) await term(`Field ${i}`, i % 4 === 0 ? air : undefined);
	await made("POST", "/taxonomies/fields/terms", { label: "Flügel", locale: "de", translationOf: wings });

	await made("POST", "/menus", { name: "footer", label: `Footer ${HOSTILE}` });
	await made("PUT", "/menus/footer/items", {
		items: [
			{ type: "custom", label: "Start", customUrl: "/" },
			{ type: "collection", label: "All articles", referenceCollection: "papers" },
			{
				type: "custom",
				label: HOSTILE,
				customUrl: "https://example.org/a/rather/long/address/that/does/not/fit?in=a&narrow=window",
				parentIndex: 1,
			},
			{
				type: "post",
				label: "An article that is gone",
				referenceCollection: "papers",
				referenceId: "nothing",
				parentIndex: 1,
			},
			{ type: "taxonomy", label: "Wings", referenceCollection: "fields", referenceId: wings },
		],
	});
	await made("POST", "/sections", {
		slug: "call",
		title: `Call ${HOSTILE}`,
		description: "At the end of articles",
		keywords: ["price", "offer"],
		content: [text("Read on."), text(HOSTILE)],
	});
	await made("POST", "/widget-areas", {
		name: "sidebar",
		label: `Sidebar ${HOSTILE}`,
		description: "Beside each article",
	});
	await made("POST", "/widget-areas/sidebar/widgets", {
		type: "content",
		title: HOSTILE,
		content: [text("About this site")],
	});
	await made("POST", "/widget-areas/sidebar/widgets", { type: "menu", menuName: "footer" });
	await made("POST", "/widget-areas/sidebar/widgets", {
		type: "component",
		title: "Newest",
		componentId: "recent-posts",
		componentProps: { n: 5 },
	});
	await made("POST", "/widget-areas", { name: "bottom", label: "Bottom" });
	await made("POST", "/bylines", {
		displayName: HOSTILE,
		slug: "x",
		bio: "Writes of smoke.",
		websiteUrl: "https://example.org/",
	});
	await made("POST", "/bylines", { displayName: "Ida Straub" });
}
