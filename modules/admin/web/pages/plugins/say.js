// say.js - describes a plugin's capabilities and features in words.
import { segment } from "../../lib/api.js";
import { hasWord, word, wordsOf } from "../../lib/words.js";

const t = wordsOf("plugins");

/** @param {{id: string}} one */
export const pathOf = (one) => `/plugins/${segment(one.id)}`;

/** What it is for: of modules in the person's language. @param {{id: string, source: string, description: string}} one */
export const aboutOf = (one) =>
	one.source === "plugin" ? one.description : word("plugins", `about_${one.id}`, {}, one.description);

/** A capability ("mail", "fetch:api.example.org") in words; unknown ones are shown as they are. @param {string} name */
export function capability(name) {
	if (hasWord("plugins", `can_${name}`)) return t(`can_${name}`);
	const [kind, ...rest] = name.split(":");
	return rest.length > 0 && hasWord("plugins", `can_${kind}:`)
		? t(`can_${kind}:`, { what: rest.join(":") })
		: name;
}

/** What it brings: rows of {what, names}. @param {any} one */
export const brings = (one) =>
	[
		{ what: "pages", names: one.pages },
		{ what: "fieldWidgets", names: one.fieldWidgets },
		{ what: "routes", names: one.routes },
		{ what: "tools", names: one.tools },
		{ what: "hooks", names: one.hooks },
		{ what: "permissions", names: one.permissions },
		{ what: "needs", names: one.needs },
	].filter(({ names }) => names.length > 0);
