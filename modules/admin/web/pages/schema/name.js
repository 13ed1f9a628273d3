// name.js - names for machines out of names for people, and types for people out of types for machines.
import { rowWord } from "../../lib/forms.js";

/** "Wind tunnels" is wind_tunnels. @param {string} text */
export const nameOf = (text) =>
	text
		.normalize("NFKD")
		.replace(/\p{M}/gu, "")
		.toLowerCase()
		.replace(/[^a-z0-9]+/g, "_")
		.replace(/^[_0-9]+|_+$/g, "")
		.slice(0, 63);

/**
 * What a type of fields is called; one that is not in use is called by its name.
 * @param {import("../../lib/forms.js").FieldType[] | null} types @param {string} name
 */
export function typeWord(types, name) {
	const type = types?.find((one) => one.name === name);

	return type ? rowWord("schema", "type", type) : name;
}
