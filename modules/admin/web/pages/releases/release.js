// release.js - one release: its changes, what stands against them, and publishing, scheduling, undoing it.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go, href } from "../../lib/router.js";
import { may } from "../../lib/site.js";
import { fromLocal, toLocal } from "../../lib/when.js";
import { ownTitle } from "../../shell/open.js";
import { Button, Empty, Icon, Loaded, Menu, Problem, Table, TextField, Tick, ask, tell } from "../../ui/index.js";
import { Share } from "../../ui/share.js";
import { ReleaseMark } from "./mark.js";
import { t } from "./words.js";

const json = (value) => JSON.stringify(value, null, 1);

const titleOf = (one) => one.title ?? one.name ?? (one.type === "settings" ? t("settings") : one.item) ?? one.id;

/** The members of `live` that the change replaces. */
function before({ live, content }) {
	if (!live || typeof live !== "object") return live;
	return Object.fromEntries(Object.keys(content).map((name) => [name, live[name]]));
}

function Change({ one }) {
	const title = html`<bdi>${titleOf(one)}</bdi>`;

	return html`${
		one.type === "item"
			? html`<a href=${href(`/collections/${segment(one.collection)}/${segment(one.item)}`)}>${title}</a>`
			: title
	}
	${one.problem && html`<span class="sub wrong" data-problem>${one.problem.message}</span>`}
	${
		one.type === "item" &&
		one.does === "update" &&
		html`<span class="sub"><a
		href=${href(`/collections/${segment(one.collection)}/${segment(one.item)}/compare`)}>${t("compare")}</a></span>`
	}
	${
		one.content &&
		html`<details class="sub"><summary>${t("compare")}</summary><div class="two">
		<div><span class="help">${t("was")}</span><pre class="answer" dir="ltr">${json(before(one))}</pre></div>
		<div><span class="help">${t("willBe")}</span><pre class="answer" dir="ltr">${json(one.content)}</pre></div>
		</div></details>`
	}`;
}

/** The members of a change by which it is added again. */
const asked = ({ type, action, collection, item, name, slug, locale, content }) => ({
	type,
	action,
	collection,
	item,
	name,
	slug,
	locale,
	content,
});

function Changes({ release, save }) {
	const isOpen = release.status === "open" && may("releases:manage");
	const columns = [
		{
			name: "does",
			label: t("does"),
			class: "c-state",
			cell: (one) => {
				if (release.status === "published") return t(`did_${one.action ?? "update"}`);
				return one.does ? t(`does_${one.does}`) : t("hidden");
			},
		},
		{
			name: "title",
			label: t("change"),
			isHead: true,
			class: "c-title",
			cell: (one) => html`<${Change} one=${one} />`,
		},
		{ name: "type", label: t("type"), class: "meta wide-only", cell: (one) => t(`type_${one.type}`) },
		...(isOpen
			? [
					{
						name: "more",
						label: t("more"),
						isHidden: true,
						class: "c-more",
						cell: (one) =>
							html`<${Menu} label=${t("moreOf", { name: titleOf(one) })} items=${() => [
								one.problem?.code === "CONFLICT" && {
									label: t("again"),
									onClick: () => save({ add: [asked(one)] }),
								},
								{
									label: t("remove"),
									isOut: true,
									onClick: async () => {
										if (await save({ remove: [one.id] }))
											tell(t("removed"), {
												undo: () =>
													save({
														add: [
															asked(
																one,
															),
														],
													}),
											});
									},
								},
							]}><${Icon} name="more" /><//>`,
					},
				]
			: []),
	];

	return html`<section class="sheet list" aria-labelledby="changes-h"><div class="tools">
		<h2 id="changes-h">${t("changes")}</h2></div>
		${
			release.changes.length === 0
				? html`<${Empty} title=${t("noChanges")}><p class="quiet">${t("noChangesText")}</p><//>`
				: html`<${Table} caption=${t("changes")} rows=${release.changes} id=${(one) => one.id} columns=${columns} />`
		}</section>`;
}

/** What the server says against it, an item each. */
const Against = ({ problems }) =>
	html`<div class="note wrong" role="alert" data-against><div><p><strong>${t("stands")}</strong></p><ul>
	${problems.map(
		(one) =>
			html`<li key=${one.change + one.message}>${
				!one.message.startsWith(one.title) &&
				html`<bdi>${one.title ?? t(`type_${one.type}`)}</bdi>: `
			}${one.message}</li>`,
	)}
	</ul></div></div>`;

export default function Release({ params }) {
	const path = `/releases/${segment(params.release)}`;
	const loaded = useLoad((signal) => api.get(path, { signal }), [path]);
	const problem = useSignal(/** @type {any} */ (null)),
		at = useSignal(/** @type {string | null} */ (null)),
		allowMissing = useSignal(false),
		isSharing = useSignal(false);
	const release = loaded.data.value?.release;

	if (release) ownTitle.value = release.name;
	/** Runs a request; shows its refusal. Resolves to true if it was done. */
	const run = async (send, done) => {
		problem.value = null;
		try {
			const answer = await send();

			if (done) tell(done);
			if (answer.problems?.length) problem.value = { details: answer };
			await loaded.reload();
			return true;
		} catch (error) {
			problem.value = error;
			return false;
		}
	};
	const save = (body) => run(() => api.put(path, body));
	const post = (what, body, done) => run(() => api.post(`${path}/${what}`, body), done);
	const body = () => ({ allowMissing: allowMissing.value });
	const publish = async () =>
		(await ask({
			title: t("publishTitle", { name: release.name }),
			text: t("publishText"),
			yes: t("publish"),
		})) && post("publish", body(), t("published"));
	const undo = async () =>
		(await ask({ title: t("undoTitle", { name: release.name }), text: t("undoText"), yes: t("undo") })) &&
		post("undo", {}, t("undone"));
	const check = async () => {
		await post("check", body());
		if (!problem.value) tell(t("checked"));
	};
	const remove = async () => {
		if (
			!(await ask({
				title: t("deleteTitle", { name: release.name }),
				text: t("deleteText"),
				yes: t("delete"),
				isFinal: true,
			}))
		)
			return;
		await api.delete(path);
		await go("/releases");
		tell(t("deleted"));
	};
	const iso = fromLocal(at.value ?? toLocal(release?.scheduledAt));
	const problems = problem.value?.details?.problems ?? release?.error?.problems;

	return html`<${Loaded} from=${loaded} heading=${t("title")}>${() => html`
		<div class="head"><h1><bdi>${release.name}</bdi></h1>
		${
			may("releases:manage") &&
			(release.status === "published"
				? html`<${Button} onClick=${undo} data-undo>${t("undo")}<//>`
				: html`<${Button} onClick=${() => (isSharing.value = true)} data-preview>${t("preview")}<//>
					<${Button} onClick=${check} data-check>${t("check")}<//>
					<${Button} kind="go" onClick=${publish} data-publish>${t("publish")}<//>`)
		}
		${may("releases:manage") && html`<${Menu} label=${t("moreOf", { name: release.name })} items=${[{ label: t("delete"), isOut: true, onClick: remove }]}><${Icon} name="more" /><//>`}
		</div>
		<p class="lead lead-in"><${ReleaseMark} release=${release} /> <bdi>${release.description}</bdi></p>
		${release.error && !problem.value && html`<p class="note wrong">${t("failed")} <bdi>${release.error.message}</bdi></p>`}
		${problem.value && !problems && html`<${Problem} error=${problem.value} />`}
		${problems?.length > 0 && html`<${Against} problems=${problems} />`}
		<div class="blocks"><${Changes} release=${release} save=${save} />
		${
			may("releases:manage") &&
			release.status !== "published" &&
			html`<section class="sheet block" aria-labelledby="when-h"><div class="stack-3"><h2 id="when-h">${t("schedule")}</h2>
			<${TextField} label=${t("scheduleAt")} help=${t("scheduleHelp")} type="datetime-local" class="half"
				value=${at.value ?? toLocal(release.scheduledAt)} onInput=${(v) => (at.value = v)} />
			<${Tick} isOn=${allowMissing.value} onChange=${(v) => (allowMissing.value = v)}>${t("missing")}<//>
			<div class="bs"><${Button} onClick=${() => post("schedule", { ...body(), scheduledAt: iso }, t("scheduled"))} data-schedule
				why=${iso === null ? t("scheduleAt") : undefined}>${t("schedule")}<//>
			${release.status === "scheduled" && html`<${Button} onClick=${() => run(() => api.delete(`${path}/schedule`), t("cancelled"))} data-cancel>${t("cancel")}<//>`}
			</div></div></section>`
		}</div>
		${isSharing.value && html`<${Share} path=${path} onClose=${() => (isSharing.value = false)} />`}`}<//>`;
}
