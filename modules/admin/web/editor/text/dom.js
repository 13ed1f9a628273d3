// dom.js - makes elements.

/**
 * @param {string} tag
 * @param {Record<string, string>} attributes
 * @param {...(Node | string | null | false)} children
 */
export function make(tag, attributes = {}, ...children) {
	const dom = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes)) dom.setAttribute(name, value);
	dom.append(.../** @type {(Node | string)[]} */ (children.filter((c) => c !== null && c !== false && c !== "")));
	return dom;
}

/**
 * Is F pressed? On layouts of other scripts that is the key in its place. @param {KeyboardEvent} event
 */
export const isF = ({ key, code }) => key.toLowerCase() === "f" || (code === "KeyF" && !/^[a-z]$/i.test(key));
