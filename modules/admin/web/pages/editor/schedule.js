// schedule.js - the part of the panel that says when the item goes live by itself, and changes it.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { manifest } from "../../lib/site.js";
import { fromZone, toZone } from "../../lib/when.js";
import { clock } from "../../lib/words.js";
import { Button } from "../../ui/index.js";
import { t } from "../../editor/words.js";
import { actions } from "./actions.js";
import { Ending } from "./ending.js";
import { Part } from "./part.js";

export const myZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
export const place = (zone) => zone.split("/").at(-1).replaceAll("_", " ");
/** The zone of the settings; a site without one has that of this browser. */
export const siteZone = () => manifest.value.siteTimezone || myZone;

/** "Mon 30 Nov, 07:00", with the year if it is another one. @param {string} iso @param {string} timeZone */
export function inZone(iso, timeZone) {
	const at = new Date(iso);

	return clock({
		timeZone,
		weekday: "short",
		day: "numeric",
		month: "short",
		...(at.getFullYear() === new Date().getFullYear() ? {} : { year: "numeric" }),
	}).format(at);
}

/** When it goes live: "Goes live Mon 30 Nov, 07:00 (Berlin)". @param {any} meta */
export function goesLive({ status, scheduledAt }) {
	const zone = siteZone();

	return t(status === "published" ? "changesGoLive" : "goesLive", {
		time: inZone(scheduledAt, zone),
		place: place(zone),
	});
}

/** @param {{item: import("./item.js").Item}} props */
export function Schedule({ item }) {
	const meta = item.meta.value,
		chosen = useSignal(/** @type {string | null} */ (null)),
		at = useSignal(/** @type {string | null} */ (null));
	const zone = chosen.value ?? siteZone(),
		shown = at.value ?? toZone(meta.scheduledAt, zone);
	const iso = fromZone(shown, zone),
		isPast = iso !== null && Date.parse(iso) <= Date.now();
	const zones = [...new Set([siteZone(), myZone])];
	const why =
		shown === "" || iso === null
			? t("chooseTime")
			: isPast
				? t("timeIsPast")
				: iso === meta.scheduledAt
					? t("isThatTime")
					: undefined;

	return html`<${Part} title=${t("schedule")} isOpen=${Boolean(meta.scheduledAt || meta.unpublishAt)}>
		${
			meta.scheduleError &&
			html`<div
				class="note wrong">
				<div><p>${
					meta.scheduleError.unpublishAt
						? t("missedEnd", {
								time: inZone(
									meta.scheduleError.unpublishAt,
									siteZone(),
								),
							})
						: t("missed", { time: inZone(meta.scheduledAt, siteZone()) })
				}</p>
				<p dir="auto">${meta.scheduleError.message}</p></div></div>`
		}
		<p class="due-at" role="status">${meta.scheduledAt && !meta.scheduleError ? goesLive(meta) : ""}</p>
		<label for="schedule-at">${t(meta.status === "published" ? "publishChangesAt" : "publishItAt")}</label>
		<input class="in" id="schedule-at" type="datetime-local" value=${shown}
			onInput=${(e) => {
				at.value = e.currentTarget.value;
			}} aria-describedby="schedule-help" />
		<label class="sr" for="schedule-zone">${t("zone")}</label>
		<select class="in" id="schedule-zone" value=${zone}
			onChange=${(e) => {
				chosen.value = e.currentTarget.value;
			}}>
			${zones.map(
				(one) => html`<option key=${one} value=${one}
				selected=${one === zone}>
				${t(one === manifest.value.siteTimezone ? "siteTime" : "myTime", { place: place(one) })}</option>`,
			)}
		</select>
		<p class="help" id="schedule-help">
			${
				iso === null || isPast
					? ""
					: zone === myZone
						? inZone(iso, zone)
						: t("thatIs", { time: inZone(iso, myZone) })
			}</p>
		<div class="bs">
		<${Button} kind="small" why=${why}
			onClick=${() =>
				actions.schedule(item, iso, () => {
					at.value = null;
				})}>
			${t(meta.scheduledAt ? "reschedule" : "doSchedule")}<//>
			${
				meta.scheduledAt &&
				html`<${Button} kind="small" data-unschedule
					onClick=${() => {
						at.value = null;
						return actions.unschedule(item);
					}}>
					${t("unschedule")}<//>`
			}</div>
		${isPast && html`<p class="help">${t("timeIsPast")}</p>`}
		<${Ending} item=${item} zone=${zone} />
	<//>`;
}
