// name.js - makes slugs from labels, and labels from field types.
import { hasWord, word } from "../../lib/words.js";

/** "Wind tunnels" is wind_tunnels. @param {string} text */
export const nameOf = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[^a-z0-9]+/g, "_").replace(/^[_0-9]+|_+$/g, "").slice(0, 63);

/** @param {string} type of a field; a plugin's type is shown as it is */
export const typeWord = (type) => (hasWord("schema", `type_${type}`) ? word("schema", `type_${type}`) : type);
