// kinds.js - the blocks that have a form: their members, in the order of the form. A form changes these members only.

/**
 * @typedef {{name: string, type: "text" | "lines" | "code" | "url" | "picture" | "pictures" | "number", isRequired?: boolean}} Member
 * @type {Record<string, Member[]>}
 */
export const forms = {
	image: [
		{ name: "asset", type: "picture", isRequired: true },
		{ name: "alt", type: "text" },
		{ name: "caption", type: "lines" },
	],
	gallery: [
		{ name: "images", type: "pictures", isRequired: true },
		{ name: "columns", type: "number" },
	],
	code: [
		{ name: "code", type: "code" },
		{ name: "language", type: "text" },
	],
	htmlBlock: [{ name: "html", type: "code" }],
	embed: [{ name: "url", type: "url", isRequired: true }],
};

/** What a new block of a type has before its form is filled in. */
export const fresh = {
	image: { _type: "image" },
	gallery: { _type: "gallery", images: [] },
	code: { _type: "code", code: "" },
	htmlBlock: { _type: "htmlBlock", html: "" },
	embed: { _type: "embed", url: "" },
	break: { _type: "break", style: "lineBreak" },
};
