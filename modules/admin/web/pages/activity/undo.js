// undo.js - the dialog that takes writes of a session back: a trial shows what would be undone, what stays because
// somebody has changed it since, and what is left out and why.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { Button, Dialog, Loaded, Mark, Problem, tell } from "../../ui/index.js";
import { kindOf, nameOf, t } from "./words.js";

const MARKS = { undone: "live", partly: "due", nothing: "gone", skipped: "changed" };
const WORST_FIRST = ["skipped", "partly", "undone", "nothing"];

const isDone = ({ result }) => result === "undone" || result === "partly";

/** Undoes page after page until no records are left. Returns what was done. */
async function undoAll(path, records) {
	const done = [];
	let cursor;

	do {
		const answer = await api.post(path, { records, cursor });

		done.push(...answer.items);
		cursor = answer.nextCursor;
	} while (cursor);
	return done;
}

function Row({ one, titles }) {
	const name = nameOf(one, titles);

	return html`<li data-result=${one.result}><${Mark} kind=${MARKS[one.result]}>${t(`result_${one.result}`)}<//>
		${" "}<span dir="auto">${kindOf(one)}${name && html` <bdi>“${name}”</bdi>`}</span>
		${one.reason && html`<p class="quiet" dir="auto">${one.reason}</p>`}
		${one.kept && html`<p class="quiet" dir="auto">${t("kept", { names: one.kept.join(", ") })}</p>`}</li>`;
}

/**
 * @param {{session: string, records?: string[], titles: Record<string, string>, onClose: () => void, onDone: () =>
 * Promise<void>}} props records: these alone; absent: all
 */
export function Undo({ session, records, titles, onClose, onDone }) {
	const path = `/assistant-sessions/${segment(session)}/undo`,
		problem = useSignal(/** @type {any} */ (null));
	const tried = useLoad(() => api.post(path, { records, dryRun: true }), []);
	const items = tried.data.value?.items ?? [],
		n = items.filter(isDone).length;
	const sorted = [...items].sort((a, b) => WORST_FIRST.indexOf(a.result) - WORST_FIRST.indexOf(b.result));
	const go = async () => {
		problem.value = null;
		const done = await undoAll(path, records);

		onClose();
		tell(t("undone", { n: done.filter(isDone).length }));
		await onDone();
		document.getElementById("main").focus();
	};

	return html`<${Dialog} title=${t(records ? "sureOne" : "sureAll")} onClose=${onClose} class="wide-dialog" actions=${html`
		<${Button} onClick=${onClose} data-cancel>${t("cancel")}<//>
		${
			n > 0 &&
			html`<${Button} kind="out" onClick=${go} onError=${(error) => (problem.value = error)} data-yes>
			${t("undoThese", { n })}<//>`
		}`}>
		<${Problem} error=${problem.value} />
		<p class="lead">${t("sureText")}</p>
		<${Loaded} from=${tried}>${({ more }) => html`
			<p data-count>${n > 0 ? t("would", { n }) : t("wouldNothing")}</p>
			<ul class="plain-list stack" role="list" data-tried>${sorted.map(
				(one) => html`<${Row} key=${one.id} one=${one} titles=${titles} />`,
			)}</ul>
			${more && html`<p class="quiet">${t("onlyNewest", { n: items.length })}</p>`}`}<//><//>`;
}
