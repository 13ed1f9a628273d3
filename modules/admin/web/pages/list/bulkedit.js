// bulkedit.js - the dialog "Edit a field" of a list: choose a field and a value, see what changes, apply. It is loaded
// when it is used.
import { render } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { api, ApiError, segment } from "../../lib/api.js";
import { bulkFields, isSame, MOST, nextOf, readRows, titlesOf, undoRows, writeRows } from "../../lib/bulk.js";
import { useLoad } from "../../lib/load.js";
import { beforeLeaving, href, place } from "../../lib/router.js";
import { titleField } from "../../lib/schema.js";
import { has, reaches } from "../../lib/site.js";
import { longTime } from "../../lib/time.js";
import { Button, Dialog, Loaded, Problem, Segments, SelectField, Tick, explain, tell } from "../../ui/index.js";
import { BulkValue, choicesOf } from "./bulkvalue.js";
import { t } from "./bulkwords.js";

const NAMED = 5, // changes that are shown
	PAGE = 100;

/** The ids of the items that the list's filters match. @param {{path: string, query: object}} every */
async function idsOf({ path, query }, signal) {
	const ids = [];
	let cursor;

	do {
		const page = await api.get(path, { query: { ...query, fields: "slug", limit: PAGE, cursor }, signal });

		ids.push(...page.items.map((one) => one.id));
		cursor = page.nextCursor;
	} while (cursor && ids.length < MOST);
	return { ids: ids.slice(0, MOST), isCut: ids.length > MOST || Boolean(cursor) };
}

/** What can be edited: fields, and the taxonomies of the collection. */
async function optionsOf(definition, signal) {
	const terms = has("taxonomies") ? (await api.get("/taxonomies", { signal })).taxonomies : [];
	const mine = terms.filter((one) => one.collections.includes(definition.slug));

	return [
		...bulkFields(definition, titleField(definition)),
		...[...new Map(mine.map((one) => [one.name, one])).values()].map((one) => ({
			name: `:${one.name}`,
			label: one.label,
			isMany: true,
			taxonomy: one.name,
		})),
	];
}

/** What an edit does: the rows that change, and the numbers of those that do not as they are. */
function planOf(rows, mode, value, right) {
	const open = rows.filter((row) => !row.error),
		mine = open.filter((row) => reaches(right, row.authorId));
	const changes = mine
		.map((row) => ({ row, next: nextOf(mode, row.before, value) }))
		.filter(({ row, next }) => !isSame(row.before, next));

	return {
		changes,
		published: changes.filter(({ row }) => row.status === "published").length,
		locked: open.length - mine.length,
		failed: rows.filter((row) => row.error),
	};
}

/** A value as people read it. */
function Shown({ what, value, names }) {
	const one = (v) =>
		v === true
			? t("yes")
			: v === false
				? t("no")
				: what.field?.type === "datetime"
					? longTime(v)
					: (names.get(v) ??
						(what.field &&
							choicesOf(what.field).find((o) => o.value === v)?.label) ??
						String(v));

	if (isSame(value, null)) return html`<em>${t("empty")}</em>`;
	return html`<bdi>${(Array.isArray(value) ? value : [value]).map(one).join(", ")}</bdi>`;
}

const Plan = ({ plan, all, what, names, isStaged }) => html`<div role="status" data-plan>
	<p>${
		plan.changes.length === 0 ? t("nothing") : t("changes", { n: plan.changes.length, all })
	} ${plan.published > 0 && t(isStaged ? "staged" : "live", { n: plan.published })}
	${plan.locked > 0 && ` ${t("locked", { n: plan.locked })}`}</p>
	${
		plan.changes.length > 0 &&
		html`<ul class="named">${plan.changes.slice(0, NAMED).map(
			({ row, next }) => html`<li key=${row.id}><bdi>${row.title}</bdi>: <${Shown} what=${what}
				value=${row.before} names=${names} /> → <${Shown} what=${what} value=${next} names=${names} /></li>`,
		)}${plan.changes.length > NAMED && html`<li>${t("more", { n: plan.changes.length - NAMED })}</li>`}</ul>`
	}</div>`;

/** Why an item was not written, as people say it. @param {any} error */
const reasonOf = (error) =>
	error.code === "CONFLICT" && error.details?.currentRev ? t("changedSince") : explain(new ApiError(0, error));

const Failed = ({ rows, collection }) =>
	rows.length > 0 &&
	html`<div class="note wrong" data-failed><div><p>${t("failed", { n: rows.length })}</p>
	<ul class="named">${rows.map(
		(row) => html`<li key=${row.id}><a href=${href(`/collections/${segment(collection)}/${row.id}`)}
			target="_blank"><bdi>${row.title}</bdi></a>: ${reasonOf(row.error)}</li>`,
	)}</ul></div></div>`;

/** Tells what was changed, with Undo. */
function tellDone(definition, what, rows, isStaged, reload) {
	const undo = async () => {
		const errors = await undoRows(definition.slug, what, rows, isStaged);

		await reload();
		if (errors.length === 0) return undefined;
		const error = new ApiError(409, {
			message: t("notUndone", { n: errors.length, message: reasonOf(errors[0]) }),
		});

		if (rows.some((row) => row.after)) return error;
		throw error;
	};

	tell(t("done", { n: rows.length, field: what.label }), { undo });
}

/** While it writes, neither the dialog nor the page goes; otherwise the dialog goes with the page. */
function useStay(at, onClose) {
	useEffect(() => {
		const { path } = place.peek(),
			unload = (event) => {
				if (at.peek() !== null) event.preventDefault();
			};
		const stay = beforeLeaving(() => at.peek() === null),
			follow = place.subscribe((now) => {
				if (now.path !== path) onClose();
			});

		addEventListener("beforeunload", unload);
		return () => {
			stay();
			follow();
			removeEventListener("beforeunload", unload);
		};
	}, []);
	return () => at.peek() === null && onClose();
}

/** Adds the titles of references that the plan shows. */
function useTitles(what, plan, names) {
	const target = what?.field?.type === "reference" ? what.field.options?.collection : undefined,
		ids = target ? (plan?.changes.slice(0, NAMED).flatMap(({ row }) => row.before ?? []) ?? []) : [],
		missing = [...new Set(ids)].filter((id) => !names.value.has(id)).slice(0, PAGE);

	useEffect(() => {
		const abort = new AbortController();

		if (missing.length > 0)
			titlesOf(target, missing, abort.signal).then(
				(titles) => (names.value = new Map([...names.peek(), ...titles])),
				() => {}, // the ids are shown
			);
		return () => abort.abort();
	}, [missing.join()]);
}

/** The items that are edited, by the choice "Which items". */
function useItems(ids, every, scope) {
	return useLoad(async (signal) => (scope === "all" ? idsOf(every, signal) : { ids, isCut: false }), [scope]);
}

function Edit({ definition, ids, every, onClose, reload }) {
	const { slug } = definition,
		title = titleField(definition)?.slug,
		isStaged = definition.supports.includes("revisions");
	const scope = useSignal("selected"),
		name = useSignal(""),
		mode = useSignal(/** @type {"set" | "add" | "remove"} */ ("set")),
		value = useSignal(/** @type {any} */ (undefined)),
		isCleared = useSignal(false),
		names = useSignal(new Map()),
		only = useSignal(/** @type {string[] | null} */ (null)), // those that failed before
		at = useSignal(/** @type {number | null} */ (null)),
		problem = useSignal(/** @type {any} */ (null)),
		written = useRef(/** @type {import("../../lib/bulk.js").Row[]} */ ([])); // of this field
	const choices = useLoad((signal) => optionsOf(definition, signal), []),
		items = useItems(ids, every, scope.value);
	const what = choices.data.value?.find((one) => one.name === name.value),
		wanted = only.value ?? items.data.value?.ids;
	const rows = useLoad(
		async (signal) => {
			const all = what && wanted ? await readRows(slug, wanted, what, title, signal) : [];

			names.value = new Map([...names.peek(), ...all.flatMap((row) => row.named ?? [])]);
			return all;
		},
		[name.value, wanted],
	);
	const isReady = isCleared.value || value.value !== undefined,
		plan =
			what && rows.state.value === "done" && isReady
				? planOf(
						rows.data.value,
						mode.value,
						isCleared.value ? null : value.value,
						definition.rights.edit,
					)
				: null;
	const why = !what
		? t("chooseField")
		: !isReady
			? t("chooseValue")
			: !plan
				? t("reading")
				: plan.changes.length === 0
					? t("nothing")
					: undefined;
	const choose = (next) => {
		name.value = next;
		mode.value = "set";
		value.value = undefined;
		isCleared.value = false;
		only.value = null;
		written.current = [];
	};
	const apply = async () => {
		if (!plan || at.peek() !== null) return;
		const { changes } = plan;

		problem.value = null;
		at.value = 0;
		try {
			await writeRows(slug, what, changes, (n) => (at.value = n));
		} catch (error) {
			problem.value = error;
		}
		const done = changes.filter(({ row }) => row.after).map(({ row }) => row);

		written.current = [...written.current, ...done];
		if (done.length > 0) tellDone(definition, what, written.current, isStaged, reload);
		try {
			await reload();
		} finally {
			at.value = null;
		}
		if (problem.peek() === null && !changes.some(({ row }) => row.error)) return onClose();
		// What was written is no longer part of the plan.
		rows.data.value = rows.data.value.filter((row) => !row.after);
	};
	const close = useStay(at, onClose);

	useTitles(what, plan, names);
	const again = () => (only.value = plan.failed.map((row) => row.id));
	const all = rows.data.value?.length ?? 0;

	return html`<${Dialog} title=${t("edit")} onClose=${close} onSubmit=${apply}
		actions=${html`<${Button} kind="go" type="submit" why=${at.value === null ? why : undefined}
			isBusy=${at.value !== null} data-apply>${t("go", { n: plan?.changes.length ?? 0 })}<//>`}>
		<${Problem} error=${problem.value} />
		<${Loaded} from=${choices}>${(list) => html`<div class="fields">
			${
				every &&
				html`<${Segments} legend=${t("which")} name="which" value=${scope.value}
				onChange=${(v) => {
					scope.value = v;
					only.value = null;
				}}
				options=${[
					{ value: "selected", label: t("selected", { n: ids.length }) },
					{ value: "all", label: t("all") },
				]} />`
			}
			${items.data.value?.isCut && html`<p class="help">${t("first", { n: MOST })}</p>`}
			<${SelectField} label=${t("field")} name="field" value=${name.value} onChange=${choose}
				options=${[{ value: "", label: t("chooseField") }, ...list.map((one) => ({ value: one.name, label: one.label }))]} />
			${
				what?.isMany &&
				html`<${Segments} legend=${t("mode")} name="mode" value=${mode.value}
				onChange=${(v) => {
					mode.value = v;
					isCleared.value = false;
				}}
				options=${["set", "add", "remove"].map((one) => ({ value: one, label: t(one) }))} />`
			}
			${
				what &&
				!isCleared.value &&
				html`<${BulkValue} key=${name.value} what=${what} value=${value.value} names=${names.value}
				set=${(v) => (value.value = v)} />`
			}
			${
				what &&
				mode.value === "set" &&
				html`<${Tick} name="clear" isOn=${isCleared.value} onChange=${(v) => (isCleared.value = v)}>${t("clear")}<//>`
			}</div>
			${what && rows.state.value === "loading" && html`<p class="help" role="status">${t("reading")}</p>`}
			${what && rows.state.value === "failed" && html`<${Problem} error=${rows.error.value} onRetry=${rows.reload} />`}
			${plan && html`<${Plan} plan=${plan} all=${all} what=${what} names=${names.value} isStaged=${isStaged} />`}
			${at.value !== null && html`<p role="status">${t("progress", { n: at.value, all: plan?.changes.length ?? all })}</p>`}
			${plan && html`<${Failed} rows=${plan.failed} collection=${slug} />`}
			${plan && plan.failed.length > 0 && html`<div class="bs"><${Button} kind="small" onClick=${again} data-again>${t("again")}<//></div>`}
		`}<//>
	<//>`;
}

/**
 * Opens the dialog.
 * @param {any} definition of the collection @param {string[]} ids @param {{path: string, query: object} | null} every
 *   the list's request if it has more items than are shown @param {() => any} reload of the list
 */
export function editField(definition, ids, every, reload) {
	const holder = document.body.appendChild(document.createElement("div"));
	const close = () => {
		render(null, holder);
		holder.remove();
	};

	render(
		html`<${Edit} definition=${definition} ids=${ids} every=${every} onClose=${close} reload=${reload} />`,
		holder,
	);
}
