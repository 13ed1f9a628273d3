// share.js - the dialog "Share preview": makes a link that ends at a chosen time, lists those that are open, withdraws
// them. It is loaded with the pages that use it.
import { useSignal } from "@preact/signals";
import { api } from "../lib/api.js";
import { html } from "../lib/html.js";
import { useLoad } from "../lib/load.js";
import { previewAt } from "../lib/preview.js";
import { manifest } from "../lib/site.js";
import { shortTime } from "../lib/time.js";
import { fromLocal, toLocal } from "../lib/when.js";
import { addWords } from "../lib/words.js";
import { Button, Copy, Dialog, Loaded, Problem, SelectField, TextField, say } from "./index.js";
import en from "./share.json";

const t = addWords("share", en);

const DAY = 86400, // seconds
	LONGEST = 30 * DAY;
const LASTS = { hour: 3600, day: DAY, week: 7 * DAY };

/** The seconds until the chosen end; null: it is no time within the next 30 days. */
function secondsUntil(kind, date) {
	if (LASTS[kind]) return LASTS[kind];
	const seconds = Math.floor((Date.parse(fromLocal(date) ?? "") - Date.now()) / 1000);

	return seconds >= 1 && seconds <= LONGEST ? seconds : null;
}

/**
 * @param {{path: string, body?: object, onClose: () => void}} props path: of the item or the release; body: goes with the
 *   request for a link
 */
export function Share({ path, body = {}, onClose }) {
	const links = useLoad((signal) => api.get(`${path}/preview-links`, { signal }), [path]);
	const kind = useSignal("day"),
		date = useSignal(toLocal(new Date(Date.now() + 3 * DAY * 1000).toISOString()).slice(0, 16)),
		made = useSignal(/** @type {{id: string, url: string} | null} */ (null)),
		problem = useSignal(/** @type {any} */ (null));
	const expiresIn = secondsUntil(kind.value, date.value);
	const run = async (send) => {
		problem.value = null;
		try {
			await send();
			await links.reload();
		} catch (error) {
			problem.value = error;
		}
	};
	const make = () =>
		run(async () => {
			const { id, url } = await api.post(`${path}/preview-links`, { ...body, expiresIn });

			made.value = { id, url: previewAt(url, manifest.value.siteUrl).href };
			say(t("created"));
		});
	const withdraw = (id) =>
		run(async () => {
			await api.delete(`${path}/preview-links/${id}`);
			say(t("withdrawn"));
			if (made.value?.id === id) made.value = null;
		});

	return html`<${Dialog} title=${t("share")} onClose=${onClose} hasCancel=${true}
		actions=${html`<${Button} kind="go" onClick=${make} data-make-link
			why=${expiresIn === null ? t("latest") : undefined}>${t("create")}<//>`}>
		<p class="lead">${t("lead")}</p>
		${problem.value && html`<${Problem} error=${problem.value} />`}
		<${SelectField} label=${t("ends")} value=${kind.value} onChange=${(v) => (kind.value = v)}
			options=${[
				{ value: "hour", label: t("hour") },
				{ value: "day", label: t("day") },
				{ value: "week", label: t("week") },
				{ value: "date", label: t("endsAtDate") },
			]} />
		${
			kind.value === "date" &&
			html`<${TextField} label=${t("endsOn")} help=${t("latest")} type="datetime-local"
			value=${date.value} onInput=${(v) => (date.value = v)} />`
		}
		${
			made.value &&
			html`<div class="note heed" data-made><div><p>${t("copyNow")}</p>
			<p><code class="secret">${made.value.url}</code></p></div>
			<div class="bs"><${Copy} key=${made.value.id} text=${made.value.url} /></div></div>`
		}
		<h3 class="sub">${t("open")}</h3>
		<${Loaded} from=${links}>${(data) =>
			data.items.length === 0
				? html`<p class="quiet">${t("none")}</p>`
				: html`<ul role="list" class="stack-3" data-links>${data.items.map(
						(one) => html`<li key=${one.id} class="bs">
						<span>${t("endsAt", { time: shortTime(one.expiresAt) })}</span>
						<${Button} kind="small" onClick=${() => withdraw(one.id)}>${t("withdraw")}<//></li>`,
					)}</ul>`}<//>
	<//>`;
}
