// links.ts - the rows of `included` that belong to an item.
import type { Byline, Media, Term } from "./types.js";

interface Linked {
	links: Record<string, Record<string, string[] | Record<string, string[]>>>;
}
type Rows<T> = Record<string, T | null>;
/** The rows that are items of the collection T, where the types of the site are known. */
type Of<R extends { type: string }, T> = string extends R["type"] ? R : Extract<R, { type: T }>;

/** The item with this id, if it is of that collection and may be read. */
export function reference<R extends { type: string }, T extends R["type"]>(
	answer: { included: { items: Rows<R> } },
	collection: T,
	id: string | null | undefined,
): Of<R, T> | null {
	const row = id ? answer.included.items[id] : null;

	return row?.type === collection ? (row as Of<R, T>) : null;
}

/** The items with these ids that are of that collection and may be read, in the order of the ids. */
export function references<R extends { type: string }, T extends R["type"]>(
	answer: { included: { items: Rows<R> } },
	collection: T,
	ids: readonly string[] | null | undefined,
): Of<R, T>[] {
	return (ids ?? []).map((id) => reference(answer, collection, id)).filter((row) => row !== null) as Of<R, T>[];
}

function rowsOf<T>(included: Linked, rows: Rows<T>, id: string, kind: string, group?: string): T[] {
	const links = included.links[id]?.[kind] ?? [];
	const ids = Array.isArray(links)
		? links
		: group === undefined
			? Object.values(links).flat()
			: (links[group] ?? []);

	return ids.map((one) => rows[one]).filter((row) => row !== null && row !== undefined) as T[];
}

type Id = { id: string };

/** The terms of an item, of one taxonomy or of all. */
export const termsOf = (answer: { included: Linked & { terms: Rows<Term> } }, item: Id, taxonomy?: string): Term[] =>
	rowsOf(answer.included, answer.included.terms, item.id, "terms", taxonomy);
/** The bylines that an item shows. */
export const bylinesOf = (answer: { included: Linked & { bylines: Rows<Byline> } }, item: Id): Byline[] =>
	rowsOf(answer.included, answer.included.bylines, item.id, "bylines");
/** The media items that the images, files and blocks of an item refer to. */
export const mediaOf = (answer: { included: Linked & { media: Rows<Media> } }, item: Id): Media[] =>
	rowsOf(answer.included, answer.included.media, item.id, "media");
/** The other items of the translation group of an item. */
export const translationsOf = <R>(answer: { included: Linked & { items: Rows<R> } }, item: Id): R[] =>
	rowsOf(answer.included, answer.included.items, item.id, "translations");
/** The items that refer to an item by a field, the newest first: usedBy(page, ann, "posts.author"). */
export const usedBy = <R extends { type: string }, T extends R["type"]>(
	answer: { included: Linked & { items: Rows<R> } },
	item: Id,
	by: `${T}.${string}`,
): Of<R, T>[] => rowsOf(answer.included, answer.included.items as Rows<Of<R, T>>, item.id, "usedBy", by);
