// names.js - makes slugs and machine names from labels.

/**
 * "Café au lait" is "cafe-au-lait". Empty if it has no Latin letters.
 * @param {string} text
 * @param {string} joint
 * @param {number} most characters
 */
export const nameFrom = (text, joint, most) =>
	text
		.toLowerCase()
		.normalize("NFD")
		.replace(/\p{M}/gu, "")
		.replace(/[^a-z0-9]+/g, joint)
		.replace(new RegExp(`^${joint}|${joint}$`, "g"), "")
		.slice(0, most);
