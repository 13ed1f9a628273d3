// calendar - what is scheduled in a month: publications, unpublications, releases. An entry is moved to another day by
// dragging, or by Alt and an arrow key.
import { useEffect, useRef } from "preact/hooks";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href, setQuery } from "../../lib/router.js";
import { collection as collectionOf, may, reaches } from "../../lib/site.js";
import { longTime } from "../../lib/time.js";
import { addWords, clock, formatter } from "../../lib/words.js";
import { Button, Loaded, say, tell, tellProblem } from "../../ui/index.js";
import { dayAfter, dayOf, monthAfter, monthOf, onDay, weeksOf } from "./days.js";
import en from "./en.json";

const t = addWords("calendar", en);
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

const titleOf = (entry) => entry.title ?? t("untitled");
const timeOf = (entry) => clock().format(new Date(entry.at));
const keyOf = (entry) => `${entry.act} ${entry.id}`;
const pathOf = (entry) =>
	entry.collection
		? `/collections/${segment(entry.collection)}/${segment(entry.id)}`
		: `/releases/${segment(entry.id)}`;

/** True if the person may give the entry another time. */
const mayMove = (entry) =>
	Date.parse(entry.at) > Date.now() &&
	(entry.act === "release"
		? entry.status === "scheduled" && may("releases:manage")
		: reaches(collectionOf(entry.collection)?.rights.publish ?? "none", entry.authorId));

/** The first day of the week in the person's language and region; Monday if the browser does not know. */
function firstDay() {
	try {
		const locale = /** @type {any} */ (
			new Intl.Locale(formatter("DateTimeFormat").resolvedOptions().locale)
		);

		return ((locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1) % 7;
	} catch {
		return 1;
	}
}

function send(entry, at) {
	if (entry.act === "release") return api.post(`/releases/${segment(entry.id)}/schedule`, { scheduledAt: at });
	return api.post(`/content/${segment(entry.collection)}/${segment(entry.id)}/schedule`, {
		[entry.act === "publish" ? "scheduledAt" : "unpublishAt"]: at,
	});
}

function Entry({ entry, move }) {
	const isMovable = mayMove(entry);
	const step = (event) => {
		const n = STEPS[event.key];

		if (!event.altKey || !n || !isMovable) return;
		event.preventDefault();
		const isRtl = getComputedStyle(event.currentTarget).direction === "rtl";
		move(entry, dayAfter(dayOf(new Date(entry.at)), Math.abs(n) === 1 && isRtl ? -n : n));
	};

	return html`<a class=${`entry ${entry.act}`} href=${href(pathOf(entry))} draggable=${isMovable} data-entry=${keyOf(entry)}
		aria-keyshortcuts=${isMovable ? "Alt+ArrowLeft Alt+ArrowRight Alt+ArrowUp Alt+ArrowDown" : undefined}
		onKeyDown=${step}
		onDragStart=${(e) => e.dataTransfer.setData("text/plain", keyOf(entry))}>
		<span class="help">${timeOf(entry)} · ${t(`act_${entry.act}`)}</span><bdi>${titleOf(entry)}</bdi></a>`;
}

export default function Calendar({ query }) {
	const today = dayOf(new Date()),
		month = /^\d{4}-\d\d$/.test(query.month ?? "") ? query.month : monthOf(new Date());
	const weeks = weeksOf(month, firstDay()),
		from = weeks[0][0],
		to = new Date(weeks.at(-1)[6].getTime());
	const moved = useRef(/** @type {string | null} */ (null));
	to.setDate(to.getDate() + 1);
	const ask = { from: from.toISOString(), to: to.toISOString() };
	const loaded = useLoad((signal) => api.get("/calendar", { query: ask, signal }), [month]);

	// The focus stays on an entry that was moved.
	useEffect(() => {
		if (!moved.current) return;
		/** @type {any} */ (document.querySelector(`[data-entry="${moved.current}"]`))?.focus();
		moved.current = null;
	}, [loaded.data.value]);
	const move = async (entry, day) => {
		const at = onDay(entry.at, day),
			words = t("moved", { title: titleOf(entry), time: longTime(at) });

		if (day === dayOf(new Date(entry.at))) return;
		if (Date.parse(at) <= Date.now()) return say(t("isPast"));
		try {
			await send(entry, at);
			moved.current = keyOf(entry);
			await loaded.reload();
			tell(words, { undo: () => send(entry, entry.at).then(loaded.reload) });
		} catch (error) {
			tellProblem(error);
		}
	};
	const drop = (day, entries) => (event) => {
		const entry = entries.find((one) => keyOf(one) === event.dataTransfer.getData("text/plain"));

		event.preventDefault();
		if (entry) return move(entry, day);
	};
	const name = formatter("DateTimeFormat", { month: "long", year: "numeric" }).format(weeks[1][0]);

	return html`<div class="head"><h1>${t("title")}</h1><div class="bs">
		<${Button} onClick=${() => setQuery({ month: monthAfter(month, -1) })} aria-label=${t("previous")}>‹<//>
		<${Button} onClick=${() => setQuery({ month: undefined })}>${t("today")}<//>
		<${Button} onClick=${() => setQuery({ month: monthAfter(month, 1) })} aria-label=${t("next")}>›<//></div></div>
		<p class="lead lead-in">${t("about")}</p>
		<${Loaded} from=${loaded}>${(data) => html`
		${data.more && html`<p class="note">${t("more")}</p>`}
		<div class="sheet scroll" tabindex="0" role="region" aria-label=${name}><table class="calendar"><caption>${name}</caption><thead><tr>${weeks[0].map(
			(day) =>
				html`<th key=${day.getDay()} scope="col">${formatter("DateTimeFormat", { weekday: "short" }).format(day)}</th>`,
		)}</tr></thead><tbody>${weeks.map(
			(week) =>
				html`<tr key=${dayOf(week[0])}>${week.map((date) => {
					const day = dayOf(date);

					return html`<td key=${day} data-day=${day} class=${day.startsWith(month) ? "" : "other"}
					aria-current=${day === today ? "date" : undefined}
					onDragOver=${(e) => e.preventDefault()} onDrop=${drop(day, data.items)}>
					<time datetime=${day}>${formatter("DateTimeFormat", day.startsWith(month) ? { day: "numeric" } : { day: "numeric", month: "short" }).format(date)}
						${" "}<span class="only-narrow">${formatter("DateTimeFormat", { weekday: "short" }).format(date)}</span></time>
					${data.items
						.filter((one) => dayOf(new Date(one.at)) === day)
						.map(
							(one) =>
								html`<${Entry} key=${keyOf(one)} entry=${one} move=${move} />`,
						)}</td>`;
				})}</tr>`,
		)}</tbody></table></div>`}<//>`;
}
