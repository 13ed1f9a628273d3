// Every class that the style sheets name is one that some element gets: rules for classes that nothing uses any more
// only take room in the bundle.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";

const web = path.resolve(import.meta.dirname, "../..");

// Classes that code puts together from parts, or that other programs set, with the place where that happens.
const MADE = [
	[/^i-(?:menu|more|find|plus|link|list|image|undo|redo|up|down|folder|key)$/, "Icon name=... (ui/icon.js)"],
	[/^(?:live|changed|due|draft|gone|bad)$/, "status marks: KINDS and Mark kind=... (ui/mark.js)"],
	[/^(?:sq|tall)$/, "the crops of a picture (pages/media/panel.js)"],
	[/^pt-(?:alt|language|code)$/, "controls of a block that is edited in place (editor/text/inplace.js)"],
	[/^sub[34]$/, "the depth of a term (pages/editor/panel.js)"],
	[/^(?:publish|unpublish|release)$/, "what an entry of the calendar does (pages/calendar)"],
	[/^ProseMirror/, "ProseMirror"],
];

function filesOf(ending, skip) {
	return fs
		.readdirSync(web, { recursive: true })
		.filter((name) => name.endsWith(ending) && !skip.test(name))
		.sort();
}

const read = (name) => fs.readFileSync(path.join(web, name), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");

// What stands between the braces that begin at `at`.
function braced(text, at) {
	let depth = 0;

	for (let end = at; end < text.length; end++) {
		if (text[end] === "{") depth++;
		else if (text[end] === "}" && --depth === 0) return text.slice(at + 1, end);
	}
	return "";
}

// The classes that a source gives to elements: in attributes, in properties that end up in one, and by ProseMirror.
function classesOf(text) {
	const found = [];
	const take = (words) => found.push(...words.split(/[^\w-]+/));

	for (const [, words] of text.matchAll(/\b(?:class|more|kind|look)="([^"]*)"/g)) take(words);
	for (const one of text.matchAll(/\b(?:class|more|kind|look|className)\s*(?:=\$\{|[:=]\s*(?=[^=]))/g)) {
		const at = one.index + one[0].length;
		const value = one[0].endsWith("{") ? braced(text, at - 1) : text.slice(at, text.indexOf("\n", at));
		for (const [words] of value.matchAll(/"[^"\n]*"|`[^`]*`/g)) take(words);
	}
	for (const [, words] of text.matchAll(/classList\.\w+\(([^)]*)/g)) take(words);
	for (const [, words] of text.matchAll(/class=([^"\s>$]+)/g)) take(words);
	return found;
}

test("each class of the style sheets is used, or made by code that is named here", () => {
	const used = new Set(
		filesOf(".js", /(^|\/)(test|bundle|node_modules)\//).flatMap((name) => classesOf(read(name))),
	);
	const left = filesOf(".css", /^(bundle|node_modules)\//).flatMap((name) =>
		[
			...new Set(
				[
					...read(name)
						.replace(/url\([^)]*\)|@import[^;]*;/g, "")
						.matchAll(/\.(-?[a-zA-Z_][\w-]*)/g),
				].map(([, one]) => one),
			),
		]
			.filter((one) => !used.has(one) && !MADE.some(([pattern]) => pattern.test(one)))
			.map((one) => `${name}: .${one}`),
	);

	assert.deepEqual(left, []);
});
