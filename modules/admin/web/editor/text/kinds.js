// kinds.js - the blocks that have a form: their members, in the order of the form. A form changes these members only.
// And the blocks that widgets of plugins edit.
import { manifest } from "../../lib/site.js";

/**
 * @typedef {{name: string, type: "code" | "url" | "pictures" | "number", isRequired?: boolean}} Member
 * @type {Record<string, Member[]>}
 */
export const forms = {
	gallery: [
		{ name: "images", type: "pictures", isRequired: true },
		{ name: "columns", type: "number" },
	],
	htmlBlock: [{ name: "html", type: "code" }],
	embed: [{ name: "url", type: "url", isRequired: true }],
};

/** The widgets of plugins that edit blocks. */
export const pluginBlocks = () => (manifest.value?.fieldWidgets ?? []).filter(({ block }) => block !== undefined);

/** The blocks of the menus besides those of the editor: those of plugins, and those that the site defines. */
export function moreBlocks() {
	const all = pluginBlocks().map(({ block, label }) => ({ block, label }));

	for (const { slug: block, label } of manifest.value?.blocks ?? [])
		if (!all.some((one) => one.block === block)) all.push({ block, label });
	return all;
}

/** What a new block of a type has before its form is filled in. */
export const fresh = {
	gallery: { _type: "gallery", images: [] },
	code: { _type: "code", code: "" },
	htmlBlock: { _type: "htmlBlock", html: "" },
	embed: { _type: "embed", url: "" },
	break: { _type: "break", style: "lineBreak" },
};
