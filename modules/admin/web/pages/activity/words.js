// words.js - the texts of the pages about what assistants did, and the names of what they wrote.
import { api, segment } from "../../lib/api.js";
import { href } from "../../lib/router.js";
import { AT_ONCE, definitionsOf, titleField } from "../../lib/schema.js";
import { collection } from "../../lib/site.js";
import { addWords } from "../../lib/words.js";
import en from "./en.json";

export const t = addWords("activity", en);

/** Ops that do something else than their record's action (create, update, delete) says. */
const VERBS = {
	content_publish: "published",
	content_publish_now: "published",
	content_unpublish: "unpublished",
	content_withdraw: "unpublished",
	content_schedule: "scheduled",
	content_schedule_at: "scheduled",
	content_unschedule: "unscheduled",
	content_discard: "discarded",
	content_discard_draft: "discarded",
	content_delete: "trashed",
	content_restore: "restored",
	revision_restore: "restored",
	content_permanent_delete: "delete",
};
export const RECORDS = AT_ONCE; // of a page: their titles are read in one batch

/** What the write did. @param {{op: string, action: string}} record */
export const verbOf = ({ op, action }) => t(`did_${VERBS[op] ?? action}`);

/** The client and the person it writes for. @param {any} one a session or a record */
export const whoOf = ({ clientName: client, actorName: name }) =>
	client && name ? t("by", { client, name }) : (client ?? name ?? t("unknown"));

/** The parts of a subject such as posts/ID. @param {{subject: string}} record */
export const partsOf = ({ subject }) => {
	const at = subject.indexOf("/");

	return at < 0 ? [subject, ""] : [subject.slice(0, at), subject.slice(at + 1)];
};

/** The kind of the thing; of an item its collection. @param {any} record */
export const kindOf = (record) =>
	record.kind === "item"
		? (collection(partsOf(record)[0])?.labelSingular ??
			collection(partsOf(record)[0])?.label ??
			partsOf(record)[0])
		: t(`kind_${record.kind}`);

/** The page of the thing, or null. @param {any} record */
export function pathOf(record) {
	const [name, id] = partsOf(record),
		locale = record.locale && segment(record.locale);

	if (record.action === "delete") return null;
	if (record.kind === "item") return collection(name) && href(`/collections/${segment(name)}/${segment(id)}`);
	if (record.kind === "term") return locale && href(`/taxonomies/${segment(name)}/${locale}`);
	if (record.kind === "menu") return locale && href(`/menus/${segment(name)}/${locale}`);
	return {
		taxonomy: href("/taxonomies"),
		"widget-area": href("/widgets"),
		byline: href(`/bylines/${segment(name)}`),
		settings: href("/settings"),
	}[record.kind];
}

/**
 * Reads the titles of the items that the records are about, by subject. Items that are gone have none.
 * @param {any[]} records @param {AbortSignal} signal
 */
export async function titlesOf(records, signal) {
	const subjects = [...new Set(records.filter((one) => one.kind === "item").map((one) => one.subject))],
		slugs = [...new Set(subjects.map((subject) => partsOf({ subject })[0]))].filter(collection);
	const definitions = await definitionsOf(
		slugs.map((slug) => ({ slug })),
		signal,
	);
	const calls = subjects.flatMap((subject) => {
		const [slug, id] = partsOf({ subject }),
			definition = definitions.find((one) => one.slug === slug),
			title = definition && titleField(definition)?.slug;

		return definition
			? {
					subject,
					title,
					op: "content_get",
					arguments: { collection: slug, id, fields: title ? `slug,${title}` : "slug" },
				}
			: [];
	});
	const titles = {};

	for (let i = 0; i < calls.length; i += AT_ONCE) {
		const part = calls.slice(i, i + AT_ONCE);
		const { results } = await api.post(
			"/batch",
			{ calls: part.map(({ op, arguments: args }) => ({ op, arguments: args })) },
			{ signal, quiet: true },
		);

		for (const [at, { ok, data }] of results.entries()) {
			const { subject, title } = part[at];

			if (ok) titles[subject] = data.item.data?.[title] || data.item.slug || t("untitled");
		}
	}
	return titles;
}

/** What the thing is called. @param {any} record @param {Record<string, string>} titles */
export const nameOf = (record, titles) => {
	const [name, id] = partsOf(record);

	if (record.kind === "item") return titles[record.subject] ?? t("goneItem", { id });
	return record.kind === "term" ? id : record.kind === "settings" ? "" : name;
};
