// check.mjs - compares the translations with the English texts: node modules/admin/web/text/check.mjs
//
// Lists, for each language, what is missing, what is superfluous, what has changed in English since it was translated,
// and what breaks the rules of README ("Translations"). Ends with 1 if there is anything. With --done it notes in
// from.json that the translations are now those of the present English; "--done de" notes it of German alone.
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));
const FROM = path.join(HERE, "from.json");
const LABEL = 30; // characters of English: a longer text is no button or label, and may grow as it needs

/** Names of which the server says the English: field types and their rules, importers and their options, modules. */
const OF_SERVER = /^(schema\.(type|help)|imports\.(format|option)|plugins\.about)_/;

const read = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const formsOf = (text) => (typeof text === "string" ? { "": text } : text);
const holes = (text) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort().join(" ");
const hash = (text) => createHash("sha256").update(JSON.stringify(text)).digest("hex").slice(0, 6);

/** The texts of a file by "group.name". @param {Record<string, Record<string, any>>} groups */
const flat = (groups) =>
	new Map(
		Object.entries(groups).flatMap(([group, texts]) =>
			Object.entries(texts).map(([name, text]) => [`${group}.${name}`, text]),
		),
	);

/** The English texts by group: what a module gives to addWords("GROUP", ...) is what it imports from .json files. */
export function english(web = path.dirname(HERE)) {
	const groups = { ...read(path.join(web, "text/en.json")), pages: read(path.join(web, "pages/en.json")) };
	const sources = fs
		.readdirSync(web, { recursive: true })
		.filter((name) => name.endsWith(".js") && !/^bundle\/|node_modules|(^|\/)test\//.test(name));

	for (const name of sources) {
		const source = fs.readFileSync(path.join(web, name), "utf8");
		const files = new Map(
			[...source.matchAll(/^import (\w+) from "(\.[^"]+\.json)"/gm)].map(([, as, file]) => [
				as,
				file,
			]),
		);

		for (const [, group, what] of source.matchAll(/^[^/*\n]*\baddWords\("(\w+)", ([^)]+)\)/gm))
			for (const [as] of what.matchAll(/\w+/g))
				groups[group] = {
					...groups[group],
					...read(path.join(web, path.dirname(name), files.get(as))),
				};
	}
	return groups;
}

/** The languages, with the texts of each. @returns {Record<string, Record<string, Record<string, any>>>} */
export const translations = () =>
	Object.fromEntries(
		fs
			.readdirSync(HERE)
			.filter((name) => /^[a-z]{2,3}\.json$/.test(name) && name !== "en.json")
			.sort()
			.map((name) => [name.slice(0, -5), read(path.join(HERE, name))]),
	);

// What no text of the language may have. A pattern that finds something is a fault.
const TYPOGRAPHY = {
	de: [
		[/["«»]|“[^“]*”/, "quotation marks are „ and “"],
		[/[^\s\u00a0/(]…/u, "a space before …"],
	],
	es: [
		[/["„“”]/, "quotation marks are « and »"],
		[/^[^¿]*\?/, "a question begins with ¿"],
		[/^[^¡]*!/, "an exclamation begins with ¡"],
	],
	fr: [
		[/["„“”]/, "quotation marks are « and »"],
		[
			/«[^\u202f]|[^\u202f]»|[^\u202f\s][!?;](\s|$)| [!?;]/,
			"a narrow no-break space inside « » and before ! ? ;",
		],
		[/[^\u00a0\d]:(\s|$)/, "a no-break space before :"],
		[/'/, "the apostrophe is ’"],
	],
};
const CODE = /`[^`]*`/g,
	SCHEMES = /\b(mailto|tel):/g;

/** What is wrong with one text. */
function* faultsOf(lang, key, text, from, allowed) {
	const asked = new Intl.PluralRules(lang).resolvedOptions().pluralCategories;
	const forms = formsOf(text),
		before = formsOf(from);
	const wanted = typeof from === "string" ? [""] : [...("zero" in from ? ["zero"] : []), ...asked];

	if (Object.keys(forms).sort().join() !== [...new Set(wanted)].sort().join())
		return yield `forms are ${Object.keys(forms).join()} instead of ${wanted.join()}`;
	for (const [form, words] of Object.entries(forms)) {
		const source = before[form] ?? before.other,
			bare = words.replace(CODE, "").replace(SCHEMES, "");

		if (holes(words) !== holes(source))
			yield `has ${holes(words) || "no placeholder"} instead of ${holes(source)}`;
		if (
			(words.match(CODE) ?? []).join() !== (source.match(CODE) ?? []).join() &&
			!key.endsWith(".typedRules")
		)
			yield "has other code between `";
		if (words.trim() !== words || /  /.test(words)) yield "has a space too many";
		const said = source.replace(/\{\w+\}/g, "");
		if (
			words === source &&
			/\p{L}/u.test(said) &&
			![...allowed.equal["*"], ...allowed.equal[lang]].includes(source)
		)
			yield "is English";
		if (
			source.length <= LABEL &&
			!/[.!?:]$/.test(source) &&
			words.length > source.length * 1.8 + 6 &&
			!(key in allowed.long[lang])
		)
			yield `has ${words.length} characters, the English ${source.length}: “${words}”`;
		for (const [pattern, why] of TYPOGRAPHY[lang] ?? []) if (pattern.test(bare)) yield `${why}: “${words}”`;
	}
}

// "deleteOf" names the button whose words are "delete": people who speak to the computer say what they see.
function* hiddenWords(lang, texts, source) {
	const holds = (all, key, of) =>
		String(all.get(of))
			.toLowerCase()
			.includes(String(all.get(key)).toLowerCase());

	for (const key of texts.keys())
		for (const of of [`${key}Of`, `${key}_of`])
			if (texts.has(of) && source.has(of) && holds(source, key, of) && !holds(texts, key, of))
				yield `${lang} wrong ${of}: does not contain ${key}, “${texts.get(key)}”`;
}

const noted = (from, key, lang) => (typeof from[key] === "object" ? from[key][lang] : from[key]);

/** All that is to do, as lines "de missing group.name: English". */
export function faults() {
	const source = flat(english()),
		from = read(FROM),
		allowed = read(path.join(HERE, "allowed.json"));
	const all = Object.entries(translations()).map(([lang, groups]) => [lang, flat(groups)]);
	const ofServer = new Set(all.flatMap(([, texts]) => [...texts.keys()].filter((key) => OF_SERVER.test(key))));
	const lines = [];

	for (const [lang, texts] of all) {
		for (const [key, text] of source) {
			const own = texts.get(key);

			if (own === undefined) lines.push(`${lang} missing ${key}: ${JSON.stringify(text)}`);
			else if (noted(from, key, lang) !== hash(text))
				lines.push(
					`${lang} changed ${key}: ${JSON.stringify(text)} is now ${JSON.stringify(own)}`,
				);
			if (own !== undefined)
				for (const fault of faultsOf(lang, key, own, text, allowed))
					lines.push(`${lang} wrong ${key}: ${fault}`);
		}
		lines.push(...hiddenWords(lang, texts, source));
		for (const key of texts.keys())
			if (!source.has(key) && !OF_SERVER.test(key)) lines.push(`${lang} superfluous ${key}`);
		for (const key of ofServer)
			if (!texts.has(key) && !source.has(key))
				lines.push(`${lang} missing ${key}: the server says its English`);
		for (const key of Object.keys(allowed.long[lang] ?? {}))
			if (!texts.has(key)) lines.push(`${lang} superfluous ${key} in allowed.json`);
	}
	return lines;
}

/** Notes the English that `langs` are translations of. @param {string[]} langs */
function done(langs) {
	const from = fs.existsSync(FROM) ? read(FROM) : {},
		known = Object.entries(translations()).map(([lang, groups]) => [lang, flat(groups)]);
	const rows = [...flat(english())].map(([key, text]) => {
		const hashes = known
			.filter(([, texts]) => texts.has(key))
			.map(([lang]) => [lang, langs.includes(lang) ? hash(text) : noted(from, key, lang)]);
		const isOne = hashes.length === known.length && new Set(hashes.map(([, one]) => one)).size === 1;

		return [key, isOne ? hashes[0][1] : Object.fromEntries(hashes)];
	});

	fs.writeFileSync(FROM, `${JSON.stringify(Object.fromEntries(rows), null, "\t")}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const [option, ...langs] = process.argv.slice(2);

	if (option === "--done") done(langs.length > 0 ? langs : Object.keys(translations()));
	const lines = faults();
	for (const line of lines) console.log(line);
	process.exitCode = lines.length > 0 ? 1 : 0;
}
