// html.ts - Portable Text as HTML. All text is escaped; links lead to http, https, mailto, tel and to this site.
// A block of a type that is not known here is left out: add a line to `objects`.

interface Span {
	_type: string;
	text?: string;
	marks?: string[];
}
interface Block {
	_type: string;
	style?: string;
	listItem?: string;
	level?: number;
	children?: Span[];
	markDefs?: { _type: string; _key: string; [member: string]: unknown }[];
	[member: string]: unknown;
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escape = (text: unknown): string =>
	String(text ?? "").replace(/[&<>"']/g, (sign) => escapes[sign] as string);

/** An address that a link may have; "": none. */
export const safeUrl = (address: unknown): string =>
	/^(https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i.test(String(address ?? "")) ? escape(address) : "";

const marks = new Map([
	["strong", "strong"],
	["em", "em"],
	["code", "code"],
	["underline", "u"],
	["strike-through", "s"],
]);
const styles = new Set(["h1", "h2", "h3", "h4", "h5", "h6", "blockquote"]);
const lists = new Map([
	["bullet", "ul"],
	["number", "ol"],
]);

type Resolve = (address: string) => string;
const objects = new Map<string, (block: Block, resolve: Resolve) => string>([
	["code", (block) => `<pre><code>${escape(block.code)}</code></pre>`],
	["break", () => "<hr>"],
	[
		"image",
		(block, resolve) => {
			const { url, src } = (block.asset ?? block) as { url?: string; src?: string };
			const address = safeUrl(resolve(url ?? src ?? ""));
			return (
				address &&
				`<figure><img src="${address}" alt="${escape(block.alt)}" loading="lazy"></figure>`
			);
		},
	],
]);

function spanHtml(span: Span, block: Block): string {
	let html = escape(span.text).replaceAll("\n", "<br>");

	for (const mark of span.marks ?? []) {
		const tag = marks.get(mark),
			link = block.markDefs?.find((one) => one._key === mark && one._type === "link");
		const address = link && safeUrl(link.href);
		if (tag) html = `<${tag}>${html}</${tag}>`;
		else if (address) html = `<a href="${address}">${html}</a>`;
	}
	return html;
}

/** The HTML of blocks; `resolve` makes the addresses of files absolute (mediaUrl of the client). */
export function toHtml(blocks: readonly Block[] | undefined, resolve: Resolve = (address) => address): string {
	const open: string[] = []; // lists, the outermost first
	let html = "";
	const close = (level: number) => {
		while (open.length > level) html += `</li></${open.pop()}>`;
	};

	for (const block of blocks ?? []) {
		const text = (block.children ?? []).map((span) => spanHtml(span, block)).join("");
		const list = block._type === "block" ? lists.get(block.listItem ?? "") : undefined;
		if (list) {
			const level = Math.min(Math.max(1, block.level ?? 1), open.length + 1, 10);
			close(level);
			if (open.length === level && open[level - 1] !== list) close(level - 1);
			if (open.length < level) {
				open.push(list);
				html += `<${list}><li>${text}`;
			} else html += `</li><li>${text}`;
			continue;
		}
		close(0);
		if (block._type === "block") {
			const tag = styles.has(block.style ?? "") ? block.style : "p";
			html += `<${tag}>${text}</${tag}>`;
		} else html += objects.get(block._type)?.(block, resolve) ?? "";
	}
	close(0);
	return html;
}

const DESCRIPTION_MAX = 155; // characters: search engines show about that much

/** The beginning of a text, in whole words, for search engines. */
export function summaryOf(blocks: readonly Block[] | undefined): string {
	const text = (blocks ?? [])
		.flatMap((block) => (block.children ?? []).map((span) => span.text ?? "").join(""))
		.join(" ")
		.replace(/\s+/g, " ")
		.trim();

	return text.length <= DESCRIPTION_MAX ? text : `${text.slice(0, DESCRIPTION_MAX).replace(/\s+\S*$/, "")}…`;
}
