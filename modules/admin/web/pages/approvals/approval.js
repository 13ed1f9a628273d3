// approval.js - one request for approval: who asks for what and why, what it would change, and the answer.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Button, Loaded, Mark, Problem, TextField, Time, tell } from "../../ui/index.js";
import { MARKS } from "./index.js";
import { opWord, placeOf, t, titleOf, whoOf } from "./words.js";

const COMPARED = ["content_publish", "content_schedule"]; // ops after which the draft is what the public sees

/** The request; for a publication with what it would change, drawn as on the page that compares revisions. */
async function load(id, signal) {
	const { approval } = await api.get(`/approvals/${segment(id)}`, { signal });
	let changes = null;

	if (approval.state === "open" && approval.item && COMPARED.includes(approval.op)) {
		const { Compare, loadComparison } = await import("../editor/compare.js");
		const params = { collection: approval.collection, id: approval.contentId };

		// A collection without revisions has nothing to compare.
		changes = await loadComparison(params, {}, signal)
			.then((from) => html`<${Compare} from=${from} isFixed=${true} />`)
			.catch(() => null);
	}
	return { approval, changes };
}

const text = (value) => (typeof value === "object" ? JSON.stringify(value, null, 1) : String(value));

function Facts({ one }) {
	const item =
		one.contentId &&
		html`<a href=${href(`/collections/${segment(one.collection)}/${segment(one.contentId)}`)}><bdi>${titleOf(one)}</bdi></a>
			${" "}<small>${placeOf(one)}</small>`;
	const facts = [
		[t("state"), html`<${Mark} kind=${MARKS[one.state]}>${t(one.state)}<//>`],
		[t("program"), html`<bdi>${whoOf(one)}</bdi>`],
		[t("message"), one.message && html`<bdi>${one.message}</bdi>`],
		[t("item"), item],
		[t("since"), html`<${Time} at=${one.createdAt} />`],
		[t("ends"), one.state === "open" && html`<${Time} at=${one.endsAt} />`],
		[
			one.decidedByName && t("decided", { name: one.decidedByName }),
			one.decidedAt && html`<${Time} at=${one.decidedAt} />`,
		],
		[t("answer"), one.answer && html`<bdi>${one.answer}</bdi>`],
	].filter(([label, value]) => label && value);
	const given = Object.entries(one.arguments).filter(
		([name]) => !one.contentId || !["collection", "id", "_rev"].includes(name),
	);

	return html`<section class="sheet pad stack-3"><dl class="facts">${facts.map(
		([label, value]) => html`<div key=${label}><dt>${label}</dt><dd>${value}</dd></div>`,
	)}</dl>
		${
			given.length > 0 &&
			html`<h2>${t("arguments")}</h2><dl class="facts" data-arguments>${given.map(
				([name, value]) => html`<div key=${name}><dt><code>${name}</code></dt>
				<dd><pre class="answer" dir="auto">${text(value)}</pre></dd></div>`,
			)}</dl>`
		}</section>`;
}

function Answer({ one, onDone }) {
	const word = useSignal(""),
		problem = useSignal(/** @type {any} */ (null));
	const decide = async (how) => {
		problem.value = null;
		await api.post(`/approvals/${segment(one.id)}/${how}`, { message: word.value.trim() || null });
		tell(t(how === "allow" ? "allowedNow" : "refusedNow"));
		await onDone();
		document.getElementById("main").focus();
	};
	const failed = async (error) => {
		await onDone();
		problem.value = error;
	};

	return html`<section class="sheet pad stack-3">
		${one.stale && html`<p class="note heed" data-stale>${t("stale")}</p>`}
		<${Problem} error=${problem.value} />
		<${TextField} label=${t("answer")} help=${t("answerHelp")} maxlength="2000" name="message" value=${word.value}
			onInput=${(value) => (word.value = value)} />
		<div class="bs">
		${!one.stale && html`<${Button} kind="go" onClick=${() => decide("allow")} onError=${failed} data-allow>${t("allow")}<//>`}
		<${Button} onClick=${() => decide("refuse")} onError=${failed} data-refuse>${t("refuse")}<//></div></section>`;
}

/** @param {import("../table.js").PageProps} props */
export default function Approval({ params }) {
	const page = useLoad((signal) => load(params.approval, signal), [params.approval]);
	const one = page.data.value?.approval;

	useEffect(() => {
		crumbs.value = [{ label: t("title"), path: "/approvals" }];
		if (one) ownTitle.value = opWord(one);
	}, [one]);
	return html`<${Loaded} from=${page} heading=${t("title")}>${({ approval, changes }) => html`<div class="head">
		<h1 dir="auto">${opWord(approval)}${titleOf(approval) !== null && `: ${titleOf(approval)}`}</h1></div>
		<div class="stack-3"><${Facts} one=${approval} />
		${changes && html`<section class="stack" data-changes><h2>${t("changes")}</h2>${changes}</section>`}
		${approval.may.decide && html`<${Answer} one=${approval} onDone=${page.reload} />`}</div>`}<//>`;
}
