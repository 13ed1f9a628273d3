// backups - the backup schedule, its state, the existing backups, and a button that makes one now.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { sizeOf } from "../../lib/media.js";
import { addWords } from "../../lib/words.js";
import { Button, Empty, Loaded, Mark, Table, Time, tell, tellProblem } from "../../ui/index.js";
import en from "./en.json";

const t = addWords("backups", en);
const PATH = "/admin/backups";
const EVERY = 1000; // ms between polls while a backup is being made
const MINUTE = 60000,
	HOUR = 60 * MINUTE;
const SCHEDULE = 'backup-at = "03:30"      # each day, UTC\nbackup-every = "6h"';

/** The newest finished backup, scheduled or requested. @param {any} data */
const lastOf = (data) =>
	[data.scheduled, data.requested]
		.filter((one) => one.madeAt)
		.sort((a, b) => b.madeAt.localeCompare(a.madeAt))[0];

/** @param {{at?: string, everyMs?: number}} schedule */
const scheduleText = ({ at, everyMs = 0 }) => {
	if (at) return t("daily", { time: at });
	return everyMs % HOUR === 0
		? t("every", { n: everyMs / HOUR })
		: t("everyMinutes", { n: Math.round(everyMs / MINUTE) });
};

function Going({ data }) {
	const { step, done, all } = data.progress ?? {};

	// Announce each step to screen readers, but not each percent.
	return html`<div class=${data.state === "idle" ? "sr" : "note"}
		data-going=${data.state === "idle" ? undefined : ""}><div>
		<p role="status">
		${data.state !== "idle" && html`<strong>${t(data.state)}</strong> ${step && html`<bdi>${step}</bdi>`}`}
		</p>
		${
			all > 1 &&
			html`<p><progress max=${all} value=${done} aria-label=${t("progress")}>
			</progress> ${Math.floor((100 * done) / all)} %</p>`
		}</div></div>`;
}

/** Failures and other states that need an administrator. */
function Warnings({ data }) {
	const { scheduled, requested } = data;

	return html`
		${
			scheduled.error &&
			html`<p class="note wrong" data-failed>${t("failed")} <bdi>${scheduled.error}</bdi></p>`
		}
		${
			requested.error &&
			html`<p class="note wrong"
				data-failed-request>${t("failedAsked")} <bdi>${requested.error}</bdi></p>`
		}
		${data.problem && html`<p class="note wrong"><bdi>${data.problem}</bdi></p>`}
		${data.isOverdue && html`<p class="note wrong" data-overdue>${t("overdue")}</p>`}
		${
			!data.schedule &&
			html`<div class="note"
				data-unscheduled>
				<div><p><strong>${t("unscheduled")}</strong></p><p>${t("unscheduledText")}</p>
				<pre class="answer" data-how>${SCHEDULE}</pre></div></div>`
		}`;
}

function Facts({ data }) {
	const last = lastOf(data);
	/** @type {[string, any][]} */
	const facts = [
		[
			"last",
			last
				? html`<${Time}
			at=${last.madeAt} /> · ${t("took", {
				size: sizeOf(last.bytes ?? 0),
				seconds: Math.ceil((last.ms ?? 0) / 1000),
			})}`
				: html`<${Mark}
						kind="bad">${t("never")}<//>`,
		],
		["file", last?.path && html`<code dir="ltr">${last.path}</code>`],
		["schedule", data.schedule && scheduleText(data.schedule)],
		["next", data.nextAt && html`<${Time} at=${data.nextAt} />`],
		["keep", data.keep && t("keepValue", { keep: data.keep })],
		["directory", html`<code dir="ltr">${data.directory}</code>`],
		["sealed", t(data.isSealed ? "sealedYes" : "sealedNo")],
	];

	return html`<dl
		class="facts">
		${facts
			.filter(([, value]) => value)
			.map(
				([name, value]) =>
					html`<div key=${name} data-fact=${name}><dt>${t(name)}</dt><dd>${value}</dd>
						</div>`,
			)}
			</dl>`;
}

const columns = [
	{
		name: "file",
		label: t("file"),
		isHead: true,
		class: "c-plain",
		cell: (one) => html`<bdi
		class="mono">${one.name}</bdi><span class="sub only-narrow"><${Time} at=${one.createdAt} /></span>`,
	},
	{
		name: "kind",
		label: t("kind"),
		class: "c-by meta",
		cell: (one) => t(one.isRequested ? "asked" : "scheduled"),
	},
	{ name: "bytes", label: t("bytes"), class: "meta", cell: (one) => html`<bdi>${sizeOf(one.bytes)}</bdi>` },
	{ name: "up", label: t("time"), class: "c-up meta", cell: (one) => html`<${Time} at=${one.createdAt} />` },
];

function Archives({ data }) {
	const { archives, archiveCount: n } = data;

	return html`<section class="sheet list" aria-labelledby="archives-h"
		data-archives>
		<div class="tools"><h2 id="archives-h">${t("archives")}</h2>
		<span class="help">
		${t("archivesTitle", { n, size: sizeOf(data.archiveBytes) })} ${
			archives.length < n && t("more", { n: archives.length })
		}</span></div>
		${
			archives.length === 0
				? html`<${Empty} title=${t("none")} />`
				: html`<${Table} caption=${t("archives")} rows=${archives} id=${(one) => one.name}
				columns=${columns} />`
		}</section>`;
}

function Restore({ data }) {
	const file = `${data.directory}/${data.archives[0]?.name ?? "FILE"}`;

	return html`<section class="sheet block"
		aria-labelledby="restore-h">
		<div class="stack-3"><h2 id="restore-h">${t("restore")}</h2><p class="lead">${t("restoreText")}</p>
		<dl class="facts">
		<div><dt><code>stet verify</code></dt>
		<dd>${t("verifyCommand")}<br /><code class="secret" dir="ltr">stet verify ${file}</code></dd></div>
			<div><dt><code>stet restore</code></dt>
			<dd>${t("restoreCommand")}<br />
			<code class="secret" dir="ltr">stet restore ${file} <span class="no-break">--force</span></code>
			</dd></div></dl></div></section>`;
}

export default function Backups() {
	const backups = useLoad((signal) => api.get(PATH, { signal }), []),
		data = backups.data.value;
	const isAsked = useSignal(false),
		isGoing = Boolean(data && data.state !== "idle");

	useEffect(() => {
		if (!isGoing) return;
		const timer = setTimeout(backups.reload, EVERY);
		return () => clearTimeout(timer);
	}, [data]);
	// Announce the end of a backup that was requested on this page.
	useEffect(() => {
		if (!isAsked.value || !data || isGoing) return;
		isAsked.value = false;
		if (!data.requested.error) tell(t("made"));
	}, [data]);
	const start = async () => {
		await api.post(PATH);
		isAsked.value = true;
		await backups.reload();
	};

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${start} onError=${tellProblem}
			why=${isGoing ? String(t("begun")) : undefined} data-now>${t("now")}<//></div>
		<${Loaded} from=${backups}>${(all) => html`<div class="blocks">
			<section class="sheet block"
				aria-labelledby="state-h">
				<div class="stack-3"><h2 id="state-h">${t("state")}</h2><p class="lead">${t("about")}
				</p>
				<${Going} data=${all} /><${Warnings} data=${all} /><${Facts} data=${all} /></div>
				</section>
			<${Archives} data=${all} /><${Restore} data=${all} /></div>`}<//>`;
}
