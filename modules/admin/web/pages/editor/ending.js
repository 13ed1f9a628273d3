// ending.js - the time at which a publication ends, below that of its beginning.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { fromZone, toZone } from "../../lib/when.js";
import { Button, tell } from "../../ui/index.js";
import { t } from "../../editor/words.js";
import { run } from "./actions.js";

/** @param {{item: any, zone: string}} props zone: of the times that are typed */
export function Ending({ item, zone }) {
	const { unpublishAt: end, scheduledAt } = item.meta.value;
	const at = useSignal(/** @type {string | null} */ (null));
	const shown = at.value ?? toZone(end, zone),
		iso = fromZone(shown, zone);
	const least = Math.max(Date.now(), Date.parse(scheduledAt ?? "") || 0);
	const why =
		shown === "" || iso === null
			? t("chooseTime")
			: Date.parse(iso) <= least
				? t(scheduledAt ? "endsTooEarly" : "timeIsPast")
				: undefined;
	const set = (unpublishAt) =>
		run(item, "/schedule", { unpublishAt }, () => {
			tell(t(unpublishAt ? "willEnd" : "willNotEnd"));
			at.value = null;
		});

	return html`<label for="unpublish-at">${t("unpublishItAt")}</label>
		<input class="in" id="unpublish-at" type="datetime-local" value=${shown}
			onInput=${(e) => {
				at.value = e.currentTarget.value;
			}} />
		<div class="bs">
			<${Button} kind="small" why=${why} onClick=${() => set(iso)}>
				${t(end ? "reschedule" : "doSchedule")}<//>
			${end && html`<${Button} kind="small" onClick=${() => set(null)}>${t("unpublishNever")}<//>`}
		</div>
		${why && shown !== "" && html`<p class="help">${why}</p>`}`;
}
