// state.js - reads the list's state (filters, sort order, page) from the URL's query, and makes the API request.
//
//	?status=draft&q=wing&by=title&down=no&author=ID&f.year=1999&f.year.gte=1990&f.body.contains=wing&cursor=...
import { segment } from "../../lib/api.js";
import { recall } from "../../lib/kept.js";
import { titleField } from "../../lib/schema.js";

export const PAGE = 50;

/** @param {Record<string, string>} query */
export function readState(query) {
	/** @type {{field: string, bound: string, value: string}[]} */
	const filters = [];

	for (const [name, value] of Object.entries(query)) {
		const found = /^f\.([a-z0-9_]+)(?:\.(gte|lte|contains))?$/.exec(name);
		if (found) filters.push({ field: found[1], bound: found[2] ?? "", value });
	}
	return {
		isTrash: query.status === "trash",
		status: ["draft", "published", "scheduled", "overdue", "trash"].includes(query.status)
			? query.status
			: "",
		q: query.q ?? "",
		by: query.by ?? "updatedAt",
		isDown: query.down !== "no",
		author: query.author ?? "",
		locale: query.locale ?? "",
		cursor: query.cursor ?? "",
		filters,
	};
}

/** True if the person has set any filter. @param {ReturnType<typeof readState>} state */
export const isFiltered = (state) =>
	state.q !== "" || state.status !== "" || state.author !== "" || state.locale !== "" || state.filters.length > 0;

/** Are its values numbers? @param {{kind?: string}} [field] */
export const isNumber = (field) => field?.kind === "number" || field?.kind === "integer";

/** A value of the URL as the field's type wants it. @param {any} field @param {string} text */
function valueOf(field, text) {
	if (isNumber(field)) return Number.isFinite(Number(text)) ? Number(text) : text;
	if (field?.kind === "json")
		// an indexed one is a list of texts
		return { has: text };
	return field?.kind === "boolean" ? text === "true" : text;
}

/** A field whose words search knows. @param {import("../../lib/schema.js").Field} field */
export const isText = (field) => field.searchable;

/** @param {ReturnType<typeof readState>} state @param {import("../../lib/schema.js").Definition} definition */
function fieldFilters(state, definition) {
	/** @type {Record<string, any>} */
	const out = {};

	for (const { field, bound, value } of state.filters) {
		const known = definition.fields.find(
			(f) => f.slug === field && (bound === "contains" ? isText(f) : f.indexed),
		);
		if (!known) continue;
		if (bound === "") out[field] = valueOf(known, value);
		else
			out[field] = {
				...(typeof out[field] === "object" ? out[field] : {}),
				[bound]: bound === "contains" ? value : valueOf(known, value),
			};
	}
	return Object.keys(out).length > 0 ? JSON.stringify(out) : undefined;
}

/** The fields that can be shown as columns. @param {import("../../lib/schema.js").Definition} definition */
export const columnFields = (definition) => {
	const title = titleField(definition);
	return definition.fields.filter(
		(f) =>
			f !== title &&
			!["text", "reference"].includes(f.type) &&
			(f.kind !== "json" || f.type === "multiSelect"),
	);
};

/**
 * The request for a page of items. It asks only for the members that the columns show.
 * @param {import("../../lib/schema.js").Definition} definition @param {ReturnType<typeof readState>} state
 * @param {string[]} columns slugs of fields @param {boolean} [withTotal]
 */
export function requestFor(definition, state, columns, withTotal = false) {
	const path = `/content/${segment(definition.slug)}`;
	const { cursor } = state;

	if (state.isTrash) return { path: `${path}/trash`, query: { cursor, limit: PAGE } };
	const title = titleField(definition);
	const fields = [
		"slug",
		"status",
		"updatedAt",
		"createdAt",
		"publishedAt",
		"scheduledAt",
		"unpublishAt",
		"scheduleError",
		"authorId",
		"locale",
		"liveRevisionId",
		"draftRevisionId",
		...(title ? [title.slug] : []),
		...columns,
	];

	return {
		path,
		query: {
			cursor,
			limit: PAGE,
			fields: fields.join(","),
			status: state.status === "draft" ? "unscheduled" : state.status,
			q: state.q,
			authorId: state.author,
			locale: state.locale,
			orderBy: state.by,
			order: state.isDown ? "desc" : "asc",
			fieldFilters: fieldFilters(state, definition),
			includeTotal: withTotal || undefined,
		},
	};
}

/**
 * The slugs of the shown columns: the person's choice, else the collection's.
 * @param {import("../../lib/schema.js").Definition} definition
 */
export function shownColumns(definition) {
	const all = columnFields(definition);
	const chosen = recall(
		columnsKey(definition),
		definition.admin?.listColumns ??
			all
				.filter((f) => f.indexed)
				.slice(0, 2)
				.map((f) => f.slug),
	);

	return all.map((f) => f.slug).filter((slug) => chosen.includes(slug));
}

/** The name under which the browser stores the choice. @param {import("../../lib/schema.js").Definition} definition */
export const columnsKey = (definition) => `columns.${definition.slug}`;
