// queue.js - pending deliveries of targets: their number, age and last error; buttons to retry or drop them.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { href } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Table, Time, ask, tell, tellProblem } from "../../ui/index.js";
import { pathOf } from "./state.js";

const t = wordsOf("webhooks");

const since = (one) => html`<${Time} at=${one.oldestWaitingAt} />`;
const next = (one) => (one.enabled ? html`<${Time} at=${one.nextAttemptAt} />` : t("afterEnabling"));

/** @param {{targets: any[], onChange: () => any}} props */
export function Queue({ targets, onChange }) {
	const rows = targets.filter((one) => one.waiting > 0);
	const act = async (one, what, said) => {
		try {
			const answer = await api.post(`/admin/webhooks/${segment(one.id)}/${what}`, {
				state: "pending",
			});

			tell(said(answer));
		} catch (error) {
			tellProblem(error);
		}
		await onChange();
	};
	const retry = (one) => act(one, "replay", ({ replayed }) => t("retried", { n: replayed }));
	const drop = async (one) => {
		if (
			await ask({
				title: t("dropSure", { n: one.waiting, url: one.url }),
				text: t("dropText"),
				yes: t("drop"),
				isFinal: true,
			})
		)
			await act(one, "drop", ({ dropped, more }) =>
				t(more ? "droppedSome" : "dropped", { n: dropped }),
			);
	};
	const columns = [
		{
			name: "url",
			label: t("url"),
			isHead: true,
			class: "c-plain",
			cell: (one) => html`<a
			href=${href(pathOf(one), { state: "pending" })}><bdi>${one.url}</bdi></a>
			<span class="sub">${one.lastError && html`<bdi>${one.lastError}</bdi>`}
			<span class="only-narrow"> · ${t("waits", { n: one.waiting })} · ${since(one)}</span></span>`,
		},
		{
			name: "waiting",
			label: t("waiting"),
			class: "c-by num",
			cell: (one) => t("number", { n: one.waiting }),
		},
		{ name: "oldest", label: t("oldest"), class: "c-up meta", cell: since },
		{ name: "next", label: t("nextAttempt"), class: "c-up meta", cell: next },
		{
			name: "do",
			label: t("actions"),
			isHidden: true,
			class: "c-act",
			cell: (one) => html`<div class="bs">
			<${Button} kind="small" onClick=${() => retry(one)}
				why=${one.enabled ? undefined : t("afterEnabling")}
				aria-label=${t("retryOf", { url: one.url })} data-retry>${t("retry")}<//>
			<${Button} kind="small" onClick=${() => drop(one)} aria-label=${t("dropOf", { url: one.url })}
				data-drop>${t("drop")}<//></div>`,
		},
	];

	return (
		rows.length > 0 &&
		html`<section aria-labelledby="queue-h"
		data-queue><div
		class="head"><h2 id="queue-h">${t("queue")}</h2>
		<${Button} kind="small" onClick=${onChange}>${t("reload")}<//></div>
		<div class="sheet list">
		<${Table} caption=${t("queue")} rows=${rows} id=${(one) => one.id} columns=${columns} /></div>
		</section>`
	);
}
