// scheduleat.js - the dialog "Schedule" of the publish menu: a few usual times, or another one. It is loaded when it is
// used.
import { render } from "preact";
import { useSignal } from "@preact/signals";
import "../../editor/morewords.js";
import { ApiError } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { manifest } from "../../lib/site.js";
import { fromZone, toZone } from "../../lib/when.js";
import { FormDialog } from "../../ui/form.js";
import { TextField, tell } from "../../ui/index.js";
import { t } from "../../editor/words.js";
import { actions } from "./actions.js";
import { goesLive, inZone, myZone, place, siteZone } from "./schedule.js";

/**
 * The usual times after `now`, the next one first, as ISO times by name. @param {string} zone @param {number} now in ms
 * @returns {[string, string][]}
 */
export function usualTimes(zone, now) {
	const local = toZone(new Date(now).toISOString(), zone), // "2026-11-30T10:05"
		today = Date.parse(`${local.slice(0, 10)}T00:00:00Z`);
	const at = (days, hour) =>
		fromZone(`${new Date(today + days * 86400000).toISOString().slice(0, 10)}T${hour}:00`, zone);
	const toMonday = (8 - new Date(today).getUTCDay()) % 7 || 7;

	return /** @type {[string, string][]} */ ([
		["atHour", new Date(Math.ceil((now + 3600000) / 60000) * 60000).toISOString()],
		...(Number(local.slice(11, 13)) < 17 ? [["atEvening", at(0, "18")]] : []),
		["atTomorrow", at(1, "09")],
		["atMonday", at(toMonday === 1 ? 8 : toMonday, "09")],
	]);
}

const OTHER = "atOther";

function ScheduleAt({ item, onClose }) {
	const { scheduledAt, status } = item.meta.peek(),
		zone = siteZone();
	const times = new Map(useSignal(usualTimes(zone, Date.now())).value);
	const chosen = useSignal(scheduledAt ? OTHER : "atTomorrow"),
		typed = useSignal(toZone(scheduledAt ?? times.get("atTomorrow"), zone));
	const isOther = chosen.value === OTHER,
		iso = isOther ? fromZone(typed.value, zone) : times.get(chosen.value);

	const save = async () => {
		if (iso === null || Date.parse(iso) <= Date.now())
			throw new ApiError(0, { message: t(iso === null ? "chooseTime" : "timeIsPast") });
		await actions.schedule(item, iso, () =>
			tell(goesLive(item.meta.peek()), {
				undo: () =>
					scheduledAt ? actions.schedule(item, scheduledAt) : actions.unschedule(item),
			}),
		);
	};
	const choice = (name, time) => html`<label class="tick" key=${name}>
		<input type="radio" name="schedule-time" value=${name} checked=${name === chosen.value}
			onChange=${() => {
				chosen.value = name;
			}} /> <span>${t(name)}${time && html` <small class="quiet">${inZone(time, zone)}</small>`}</span></label>`;

	return html`<${FormDialog} title=${t("doSchedule")} yes=${t("doSchedule")} save=${save} onClose=${onClose}
		fields=${[]}>${() => html`
		<fieldset class="stack"><legend>${t(status === "published" ? "publishChangesAt" : "publishItAt")}</legend>
			${[...times].map(([name, time]) => choice(name, time))}${choice(OTHER)}</fieldset>
		${
			isOther &&
			html`<${TextField} label=${t("timeIn", { place: place(zone) })} type="datetime-local" class="half"
				name="schedule-other" value=${typed.value} help=${iso === null ? undefined : inZone(iso, zone)}
				onInput=${(value) => {
					typed.value = value;
				}} />`
		}
		<p class="help">${t(zone === manifest.value.siteTimezone ? "siteTime" : "myTime", { place: place(zone) })}${
			zone !== myZone && iso !== null && html`. ${t("thatIs", { time: inZone(iso, myZone) })}`
		}</p>`}<//>`;
}

/** Opens the dialog. @param {import("./item.js").Item} item */
export function openSchedule(item) {
	const room = document.body.appendChild(document.createElement("div"));
	const close = () => {
		render(null, room);
		room.remove();
	};

	render(html`<${ScheduleAt} item=${item} onClose=${close} />`, room);
}
