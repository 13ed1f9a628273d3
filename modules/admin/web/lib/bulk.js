// bulk.js - edits one field, or the terms, of many items: reads them, says which change, and writes them in portions.
// Each write has the _rev that was read, and so has each write that undoes it: neither overwrites a later edit.
import { api, ApiError } from "./api.js";
import { titleField, titleOf } from "./items.js";
import { allTerms } from "./terms.js";

const PORTION = 50; // items of a batch, which has at most 100 calls
export const MOST = 1000; // items that are edited at once

const TYPES = ["string", "url", "select", "multiSelect", "boolean", "number", "integer", "datetime", "reference"];

/**
 * What is edited: a field, or the terms of a taxonomy.
 * @typedef {{name: string, label: string, isMany: boolean, field?: any, taxonomy?: string}} What
 * @typedef {{id: string, title: string, status: string, authorId: string | null, rev: string, hasDraft: boolean,
 *   before: any, named?: [string, string][], error?: any, after?: any}} Row named: terms by their labels; error: why it cannot be read or was not written; after: its _rev then
 */

/**
 * The fields of a collection that can be edited in bulk. A unique field has another value in each item.
 * @param {any} definition @param {any} [title] its field for titles @returns {What[]}
 */
export const bulkFields = (definition, title) =>
	definition.fields
		.filter((f) => TYPES.includes(f.type) && !f.unique && f !== title)
		.map((field) => ({
			name: field.slug,
			label: field.label,
			isMany: field.type === "multiSelect" || field.options?.allowMultiple === true,
			field,
		}));

/** @param {any} value */
const isEmpty = (value) =>
	value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);

/** @param {any} a @param {any} b */
export const isSame = (a, b) => (isEmpty(a) && isEmpty(b)) || JSON.stringify(a) === JSON.stringify(b);

/** @param {any} value */
const listOf = (value) => (Array.isArray(value) ? value : isEmpty(value) ? [] : [value]);

/**
 * The value of an item after the edit. @param {"set" | "add" | "remove"} mode @param {any} before @param {any} value
 */
export function nextOf(mode, before, value) {
	if (mode === "add") return [...listOf(before), ...value.filter((one) => !listOf(before).includes(one))];
	if (mode === "remove") return listOf(before).filter((one) => !value.includes(one));
	return value;
}

/**
 * Runs calls in portions, and hands each result to `take`. A portion that fails as a whole ends it, unless the results
 * are wanted of all: then each of its calls has that error, and so have the later ones if they would fail alike.
 * @template T @param {T[]} all @param {(one: T) => object[]} callsOf @param {(one: T, results: any[]) => void} take
 * @param {{signal?: AbortSignal, onProgress?: (n: number) => void, isOfAll?: boolean}} [more]
 */
async function inPortions(all, callsOf, take, { signal, onProgress, isOfAll } = {}) {
	/** @type {ApiError | null} */
	let end = null; // nothing more is sent: there is no connection, or no session

	for (let i = 0; i < all.length; i += PORTION) {
		const part = all.slice(i, i + PORTION),
			lists = part.map(callsOf);
		const calls = lists.flat(),
			sent = end ? Promise.reject(end) : api.post("/batch", { calls }, { signal });
		const { results } = await sent.catch((error) => {
			if (!isOfAll || !(error instanceof ApiError)) throw error;
			if (error.status < 500) end = error;
			return { results: calls.map(() => ({ ok: false, error })) };
		});
		let at = 0;

		part.forEach((one, k) => {
			take(one, results.slice(at, at + lists[k].length));
			at += lists[k].length;
		});
		onProgress?.(i + part.length);
	}
}

/** @param {any} result of content_terms @returns {any[]} */
const termsIn = (result) => (result?.ok ? allTerms(result.data) : []);

/**
 * The titles of items by their ids.
 * @param {string} collection @param {string[]} ids @param {AbortSignal} [signal] @returns {Promise<[string, string][]>}
 */
export async function titlesOf(collection, ids, signal) {
	const fields = [...new Set(["slug", await titleField(collection)])].join(),
		/** @type {[string, string][]} */ titles = [];

	await inPortions(
		ids,
		(id) => [{ op: "content_get", arguments: { collection, id, fields } }],
		(id, [got]) => {
			if (got.ok) titles.push([id, titleOf(got.data.item)]);
		},
		{ signal },
	);
	return titles;
}

/**
 * Reads the items: their newest values, each with its _rev.
 * @param {string} collection @param {string[]} ids @param {What} what @param {string | undefined} title slug of the
 *   field for titles @param {AbortSignal} [signal] @returns {Promise<Row[]>}
 */
export async function readRows(collection, ids, what, title, signal) {
	const members = ["slug", "status", "authorId", "liveRevisionId", "draftRevisionId"],
		fields = [...members, ...[title, what.field?.slug].filter(Boolean)].join(),
		/** @type {Row[]} */ rows = [];

	await inPortions(
		ids,
		(id) => [
			{ op: "content_get", arguments: { collection, id, fields } },
			...(what.taxonomy
				? [{ op: "content_terms", arguments: { collection, id, taxonomy: what.taxonomy } }]
				: []),
		],
		(id, [got, terms]) => {
			const item = got.data?.item ?? {};

			rows.push({
				id,
				title: item.data?.[title] || item.slug || id,
				status: item.status,
				authorId: item.authorId ?? null,
				rev: got.data?._rev,
				hasDraft: Boolean(item.draftRevisionId && item.draftRevisionId !== item.liveRevisionId),
				before: what.taxonomy
					? termsIn(terms).map((one) => one.translationGroup)
					: item.data?.[what.field.slug],
				named: termsIn(terms).map((one) => [one.translationGroup, one.label]),
				error: got.ok ? (terms && !terms.ok ? terms.error : undefined) : got.error,
			});
		},
		{ signal },
	);
	return rows;
}

/** The member of an update that sets the value. @param {What} what @param {any} value */
const changeOf = (what, value) =>
	what.taxonomy
		? { taxonomies: { [what.taxonomy]: value ?? [] } }
		: { data: { [what.name]: value === undefined ? null : value } };

/**
 * What was not written because of a conflict, or whose answer was lost, may have the value all the same. After a lost
 * answer it is this edit's: Undo takes it back.
 * @param {string} collection @param {What} what @param {{row: Row, next: any}[]} changes
 */
async function readLate(collection, what, changes) {
	const late = changes.filter(({ row }) => row.error?.code === "CONFLICT" || row.error instanceof ApiError),
		now = await readRows(
			collection,
			late.map(({ row }) => row.id),
			what,
			undefined,
		);

	late.forEach(({ row, next }, i) => {
		if (now[i].error || !isSame(now[i].before, next)) return;
		if (row.error instanceof ApiError) row.after = now[i].rev;
		else row.before = next;
		row.error = undefined;
	});
}

/**
 * Writes the items, and notes in each row how it ended, whatever portions fail. An item that another write of the same edit has changed
 * already (a value that translations share) counts as written.
 * @param {string} collection @param {What} what @param {{row: Row, next: any}[]} changes
 * @param {(n: number) => void} [onProgress]
 */
export async function writeRows(collection, what, changes, onProgress) {
	await inPortions(
		changes,
		({ row, next }) => [
			{
				op: "content_update",
				arguments: {
					collection,
					id: row.id,
					_rev: row.rev,
					fields: "slug",
					...changeOf(what, next),
				},
			},
		],
		({ row }, [result]) => {
			row.error = result.ok ? undefined : result.error;
			row.after = result.ok ? result.data._rev : undefined;
		},
		{ onProgress, isOfAll: true },
	);
	await readLate(collection, what, changes).catch(() => {}); // they stay among those that failed
}

/**
 * Gives the items back the values that they had. What was published without a draft loses the draft again.
 * @param {string} collection @param {What} what @param {Row[]} rows @param {boolean} isStaged do edits of published
 *   items become drafts? @returns {Promise<any[]>} the errors. A row that can still be undone keeps its `after`
 */
export async function undoRows(collection, what, rows, isStaged) {
	/** @type {any[]} */
	const errors = [];

	await inPortions(
		rows.filter((row) => row.after),
		(row) => [
			isStaged && row.status === "published" && !row.hasDraft
				? { op: "content_discard", arguments: { collection, id: row.id, _rev: row.after } }
				: {
						op: "content_update",
						arguments: {
							collection,
							id: row.id,
							_rev: row.after,
							fields: "slug",
							...changeOf(what, row.before),
						},
					},
		],
		(row, [result]) => {
			if (!result.ok) errors.push(result.error);
			if (result.ok || result.error.code === "CONFLICT") row.after = undefined;
		},
		{ isOfAll: true },
	);
	return errors;
}
