// history.js - the history of an item as a line of time: when, who, how many words changed.
import { useSignal } from "@preact/signals";
import { api } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { useLoad } from "../../lib/load.js";
import { manifest } from "../../lib/site.js";
import { clock } from "../../lib/words.js";
import { Problem, Waiting } from "../../ui/index.js";
import { t } from "../../editor/words.js";
import { compareHref } from "./actions.js";
import { Part } from "./part.js";
import { sittingsOf } from "./sittings.js";

const REVISIONS = 20;
const SITTINGS = 5; // shown in the panel

/** A time to the second: "14:02:31", or with its day. @param {string} iso */
export function exactTime(iso, now = new Date()) {
	const at = new Date(iso);

	return clock({
		second: "2-digit",
		...(at.toDateString() === now.toDateString() ? {} : { day: "numeric", month: "short" }),
		...(at.getFullYear() === now.getFullYear() ? {} : { year: "numeric" }),
	}).format(at);
}

/** @param {import("./sittings.js").Revision} revision */
export const authorOf = ({ authorId, authorName }) =>
	authorId === manifest.value.user.id ? t("you") : (authorName ?? t("somebody"));

/** @param {{words: import("./sittings.js").Words | null}} props */
function Words({ words }) {
	if (words === null) return null;
	if (words.added + words.removed === 0) return words.isOther && html`<span class="help">${t("noWords")}</span>`;
	return html`<span class="num"><span class="sr">${t("wordsSaid", words)}</span>
		<span aria-hidden="true">${words.added > 0 && html`<ins>+${words.added}</ins> `}
		${words.removed > 0 && html`<del>−${words.removed}</del>`}</span></span>`;
}

const stateOf = ({ newest }, meta) =>
	newest.id === meta.liveRevisionId
		? t("isLiveRevision")
		: newest.id === meta.draftRevisionId
			? t("isDraftRevision")
			: "";

/**
 * The line of time. Each row leads to what changed in it; `more` gives a row more below it.
 * @param {{sittings: import("./sittings.js").Sitting[], meta: any, hrefOf: (sitting: any) => string, now?: string,
 *   more?: (sitting: any) => any}} props now: id of the revision that is shown
 */
export function Timeline({ sittings, meta, hrefOf, now, more }) {
	return html`<ol class="timeline" role="list">${sittings.map((one) => {
		const { newest, oldest, revisions, words } = one,
			state = stateOf(one, meta);

		return html`<li key=${newest.id}>
			<a href=${hrefOf(one)} aria-current=${newest.id === now ? "true" : undefined}>
			<time datetime=${newest.createdAt}>${exactTime(newest.createdAt)}</time></a>
			<span class="saved-by"><bdi>${authorOf(newest)}</bdi>${state && html` <small>${state}</small>`}</span>
			<${Words} words=${words} />
			${revisions.length > 1 && html`<small class="help">${t("savesSince", { n: revisions.length, time: exactTime(oldest.createdAt) })}</small>`}
			${more?.(one)}</li>`;
	})}</ol>`;
}

/** The part of the panel. Revisions are large, so it reads them only when it is opened. @param {{item: any}} props */
export function Revisions({ item }) {
	const isOpen = useSignal(false),
		meta = item.meta.value;
	const list = useLoad(
		(signal) =>
			api.get(`${item.path}/revisions`, {
				query: { limit: isOpen.value ? REVISIONS : 1 },
				signal,
			}),
		[isOpen.value, meta.draftRevisionId, meta.liveRevisionId],
	);
	const all = list.data.value,
		last = all?.items[0];
	const sittings = all && sittingsOf(all.items, all.nextCursor === undefined, meta.liveRevisionId);

	return html`<${Part} title=${t("revisions")} isOpen=${false}
		onToggle=${(isNow) => {
			isOpen.value = isNow;
		}}
		value=${last && t("revisionCount", { n: all.total, name: authorOf(last) })}>
		${list.error.value && html`<${Problem} error=${list.error.value} onRetry=${list.reload} />`}
		${!all && !list.error.value && html`<${Waiting} />`}
		${
			sittings &&
			html`<${Timeline} sittings=${sittings.slice(0, SITTINGS)} meta=${meta}
				hrefOf=${({ newest, before }) => compareHref(item, { a: before?.id ?? "none", b: newest.id })} />`
		}
		<a href=${compareHref(item)}>${t("compareRevisions")}</a>
	<//>`;
}
