// own.ts - hooks for blocks whose type the site defines: a list of their fields, with names and values.
import type { Block, Context } from "./types.js";

/** A field of a block, as GET /schema/blocks has it. */
export interface BlockField {
	slug: string;
	label?: string;
	type: string;
	validation?: { subFields?: BlockField[]; [rule: string]: any } | null;
	options?: { [option: string]: any } | null;
}

/** A type of blocks that the site defines. */
export interface BlockType {
	slug: string;
	fields: BlockField[];
}

export interface OwnOptions {
	/** The title and address of an item that a field refers to; undefined: it is left out. */
	item?: ((id: string, field: BlockField) => { title: string; href?: string } | null | undefined) | undefined;
	/** For values of booleans, "Yes" and "No" unless given. */
	words?: { yes: string; no: string } | undefined;
}

type Fields = (context: Context, block: Block, fields?: BlockField[]) => string;

const isObject = (value: unknown): value is Block =>
	value !== null && typeof value === "object" && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);

function linkHtml(context: Context, href: string, title: unknown): string {
	return href === ""
		? context.escape(title)
		: `<a href="${context.escape(href)}" rel="noopener">${context.escape(title)}</a>`;
}

/** A text, a number, or several of them. */
const plainHtml = (context: Context, value: unknown): string =>
	listOf(value)
		.filter((one) => ["string", "number"].includes(typeof one))
		.map((one) => context.escape(one).replace(/\r?\n/g, "<br>"))
		.join(", ");

/** Makes the hooks that `blocks` of toHtml takes: {...ownBlocks(types), recipe: (block, context) => ...}. */
export function ownBlocks(
	types: readonly BlockType[],
	{ item, words = { yes: "Yes", no: "No" } }: OwnOptions = {},
): Record<string, (block: Block, context: Context) => string> {
	/** The HTML of a value; "": there is nothing to show. */
	function valueHtml(context: Context, value: unknown, field: BlockField): string {
		const { type } = field;

		if (type === "boolean") return context.escape(value ? words.yes : words.no);
		if (type === "reference")
			return listOf(value)
				.map((id) => (typeof id === "string" ? item?.(id, field) : undefined))
				.map((one) => (one ? linkHtml(context, context.href(one.href), one.title) : ""))
				.filter(Boolean)
				.join(", ");
		if (type === "repeater")
			return listOf(value)
				.filter(isObject)
				.map((row) => `<dl>${fieldsHtml(context, row, field.validation?.subFields)}</dl>`)
				.join("");
		if (isObject(value)) {
			if (type === "image") return context.image(value);
			if (type !== "file") return "";
			const known = context.options.media?.(String(value.id));
			return linkHtml(context, context.src(known?.url ?? value.src), value.filename ?? value.src);
		}
		if (type === "url" && typeof value === "string") return linkHtml(context, context.href(value), value);
		const html = plainHtml(context, value);
		return type === "datetime" && html ? `<time datetime="${html}">${html}</time>` : html;
	}

	const fieldsHtml: Fields = (context, block, fields = []) =>
		fields
			.map((field) => {
				const value = block[field.slug] ?? null,
					html = value === null ? "" : valueHtml(context, value, field);
				return html && `<dt>${context.escape(field.label ?? field.slug)}</dt><dd>${html}</dd>`;
			})
			.join("");

	return Object.fromEntries(
		types.map(({ slug, fields }) => [
			slug,
			(block, context) => {
				const html = fieldsHtml(context, block, fields),
					name = html ? "dl" : "div";
				return `<${name}${context.attributes(block, `own ${slug}`)}>${html}</${name}>`;
			},
		]),
	);
}
