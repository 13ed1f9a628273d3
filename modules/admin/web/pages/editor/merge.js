// merge.js - resolves conflicts after somebody else saved first. Nothing is sent before the person confirms. Typing can
// go on meanwhile; a decision never discards input that was not shown when it was made.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { api, segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { Button, tell, tellProblem } from "../../ui/index.js";
import { isEqual } from "../../editor/save/json.js";
import { bodyOf } from "../../editor/save/saver.js";
import { t } from "../../editor/words.js";
import { Block, Blocks, kindOf, textOf } from "./blocks.js";
import { clock, nameOf, savedFirst } from "./who.js";

const LOOK_EVERY = 1500; // ms between new merges, since the text may change while the merge is open

function Value({ conflict, value }) {
	if (value === null || value === undefined || value === "")
		return html`<del class="words">${t(conflict.kind === "block" ? "wholeBlockOut" : "emptied")}</del>`;
	if (conflict.kind === "block")
		return html`<${Block} block=${value} inner=${html`<span class="words">${textOf(value)}</span>`} />`;
	if (conflict.kind === "order") return html`<span class="words">${t("thatOrder")}</span>`;
	if (Array.isArray(value) && value.every((b) => typeof b?._type === "string"))
		return html`<${Blocks} value=${value} />`;
	return html`<span class="words">${typeof value === "object" ? JSON.stringify(value, null, 1) : String(value)}
		</span>`;
}

function Conflict({ conflict, n, label, by, choice, onChoose }) {
	const of = { theirs: nameOf(by), mine: t(by?.isMe ? "youHere" : "you"), both: t("both") };
	const what =
		conflict.kind === "block"
			? `${label}, ${kindOf(conflict.mine ?? conflict.theirs ?? conflict.base)}`
			: conflict.kind === "order"
				? `${label}, ${t("order")}`
				: label;
	const before =
		conflict.kind === "block"
			? textOf(conflict.base)
			: typeof conflict.base === "string" || typeof conflict.base === "number"
				? String(conflict.base)
				: "";

	return html`<fieldset
		class=${`conflict ${choice ? "" : "open"}`}><legend><span class="n">${n}</span> ${what}</legend>
		<p class="base">${before !== "" && html`<span class="tagline">${t("beforeWord")}</span> ${before}`}</p>
		<div class="opts">
		${["theirs", "mine", ...(conflict.both ? ["both"] : [])].map(
			(side) => html`<label class="opt" key=${side}>
			<span class="opt-head">
			<input type="radio" name=${`merge-${conflict.id}`} value=${side} checked=${choice === side}
				onChange=${() => onChoose(side)} /><strong><bdi>${of[side]}</bdi></strong>
			${side === "theirs" && by && html`<time class="num quiet" datetime=${by.at}>${clock(by.at)}</time>`}</span>
			<span class="opt-text">
			${
				side === "both"
					? html`<span class="words">${t("bothText")}</span>`
					: html`<${Value} conflict=${conflict} value=${conflict[side]} />`
			}</span></label>`,
		)}
				</div>
	</fieldset>`;
}

/** Stores the version typed here as a new item, and keeps the stored version of this one. */
async function keepAsCopy(item) {
	const values = item.saver.values(),
		body = bodyOf([...values].filter(([name]) => !name.startsWith(":")));
	const title = item.layout.title?.slug;

	if (typeof body.data?.[title] === "string") body.data[title] = t("copyOf", { title: body.data[title] });
	for (const field of item.collection.fields) if (field.unique && body.data) delete body.data[field.slug];
	const { item: copy } = await api.post(`/content/${segment(item.collection.slug)}`, {
		...body,
		locale: item.locale,
	});
	item.saver.resolve(item.saver.look().conflicts.map((conflict) => [conflict, "theirs"]));
	tell(t("copyKept", { title: copy.data?.[title] ?? copy.slug ?? copy.id }));
}

/** @param {{item: import("./item.js").Item, labelOf: (name: string) => string}} props */
export function Merge({ item, labelOf }) {
	const look = useSignal(item.saver.merging === null ? null : item.saver.look()),
		chosen = useSignal(/** @type {Map<string, any>} */ (new Map()));

	useEffect(() => {
		const timer = setInterval(() => {
			if (item.saver.merging === null) return;
			const next = item.saver.look();
			// If a conflict has changed since, its decision is void.
			if (
				!isEqual(
					next.conflicts.map((c) => [c.id, c.mine, c.theirs]),
					look.peek()?.conflicts.map((c) => [c.id, c.mine, c.theirs]),
				)
			) {
				const same = (c) =>
					look
						.peek()
						?.conflicts.some(
							(o) =>
								o.id === c.id &&
								isEqual(o.mine, c.mine) &&
								isEqual(o.theirs, c.theirs),
						);

				chosen.value = new Map(
					next.conflicts
						.filter((c) => same(c) && chosen.peek().has(c.id))
						.map((c) => [c.id, chosen.peek().get(c.id)]),
				);
				look.value = next;
			}
		}, LOOK_EVERY);

		if (location.hash === "#merge") document.getElementById("merge")?.scrollIntoView();
		return () => clearInterval(timer);
	}, []);
	if (look.value === null || item.saver.merging === null) return null;
	const { conflicts, taken } = look.value,
		{ by } = item.saver.merging;
	const left = conflicts.filter((c) => !chosen.value.has(c.id)).length;
	const save = () => {
		if (
			!item.saver.resolve(conflicts.map((c) => [c, chosen.value.get(c.id)])) &&
			item.saver.merging !== null
		)
			look.value = item.saver.look();
	};

	return html`<section class="merge" id="merge" aria-labelledby="merge-h"
		tabindex="-1"><div class="head"><h2 id="merge-h">${savedFirst(by)} ${t("mergeTitle")}</h2></div>
		<p class="lead">
		${taken.theirs + taken.mine > 0 && t("mergeTogether", { n: taken.theirs + taken.mine })} ${t(
			"mergeLead",
			{ n: conflicts.length },
		)} ${t("mergeChoose")} <span class="stet">${t("dotted")}
				</span>. ${t("mergeNothingSent")}</p>
		<form class="sheet conflicts" onSubmit=${(e) => {
			e.preventDefault();
			save();
		}}>
			${conflicts.map(
				(conflict, i) => html`<${Conflict} key=${conflict.id} conflict=${conflict} n=${i + 1}
					label=${labelOf(conflict.name)} by=${by} choice=${chosen.value.get(conflict.id)}
				onChoose=${(side) => {
					chosen.value = new Map(chosen.value).set(conflict.id, side);
				}} />`,
			)}
			<footer class="merge-foot">
			<p role="status"><strong>${t("decided", { done: conflicts.length - left, n: conflicts.length })}
			</strong></p>
				<div class="bs">
				<${Button} onClick=${() => keepAsCopy(item)} onError=${tellProblem}>${t("keepAsCopy")}
				<//><${Button} kind="go" type="submit"
				why=${left > 0 ? t("decideAll") : undefined}>${t("stetSave")}<//></div></footer>
		</form></section>`;
}
