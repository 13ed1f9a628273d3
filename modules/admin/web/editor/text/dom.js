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
