// changes.js - what one write changed: each member before and after, read when it is opened.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { href } from "../../lib/router.js";
import { Problem, Waiting } from "../../ui/index.js";
import { textOf } from "../editor/blocks.js";
import { diffWords } from "../editor/diff.js";
import { partsOf, t } from "./words.js";

const LONGEST = 4000; // characters of a value that are compared word by word

/** A value as people read it; of a text its blocks, a line each. */
function plain(value) {
	if (value === undefined || value === null) return "";
	if (Array.isArray(value) && value.length > 0 && value.every((one) => one?._type))
		return value.map(textOf).join("\n");
	return typeof value === "object" ? JSON.stringify(value, null, 1) : String(value);
}

/** The value at a path such as data.title. */
function at(state, path) {
	const dot = path.indexOf(".");

	return dot < 0 ? state?.[path] : state?.[path.slice(0, dot)]?.[path.slice(dot + 1)];
}

function Difference({ before, after }) {
	const isLong = before.length > LONGEST || after.length > LONGEST;
	const parts = isLong
		? [
				{ kind: "gone", text: `${before.slice(0, LONGEST)} ` },
				{ kind: "new", text: after.slice(0, LONGEST) },
			]
		: diffWords(before, after);

	return html`<pre class="answer" dir="auto">${parts.map((p, i) =>
		p.kind === "same"
			? p.text
			: p.kind === "gone"
				? html`<del key=${i}>${p.text}</del>`
				: html`<ins key=${i}>${p.text}</ins>`,
	)}</pre>`;
}

/** The page that compares two revisions of an item, or null. */
function comparePath(record) {
	const revision = (state) => state?.draftRevisionId ?? state?.liveRevisionId,
		a = revision(record.before),
		b = revision(record.after),
		[name, id] = partsOf(record);

	return record.kind === "item" && a && b && a !== b
		? href(`/collections/${segment(name)}/${segment(id)}/compare`, { a, b })
		: null;
}

export function Changes({ record }) {
	const whole = useSignal(/** @type {any} */ (null)),
		problem = useSignal(/** @type {any} */ (null));
	const open = async (event) => {
		if (!event.currentTarget.open || whole.value) return;
		problem.value = null;
		try {
			whole.value = (await api.get(`/history/${segment(record.id)}`)).item;
		} catch (error) {
			problem.value = error;
		}
	};
	const path = whole.value && comparePath(whole.value);

	if (record.changed.length === 0) return null;
	return html`<details onToggle=${open} data-changes><summary>${t("changes", { n: record.changed.length })}</summary>
		${problem.value && html`<${Problem} error=${problem.value} />`}
		${!whole.value && !problem.value && html`<${Waiting} />`}
		${
			whole.value &&
			html`<dl class="facts">${record.changed.map(
				(name) => html`<div key=${name}><dt><code>${name.replace(/^data\./, "")}</code></dt>
				<dd><${Difference} before=${plain(at(whole.value.before, name))}
					after=${plain(at(whole.value.after, name))} /></dd></div>`,
			)}</dl>${path && html`<p><a href=${path}>${t("compare")}</a></p>`}`
		}</details>`;
}
