// bar.js - the bar of the editor: breadcrumbs, saving status, preview, and the publish button.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { has, manifest, may } from "../../lib/site.js";
import { clock, formatter } from "../../lib/words.js";
import { Button, Icon, Mark, say } from "../../ui/index.js";
import { Where } from "../../shell/where.js";
import { t } from "../../editor/words.js";
import { savedFirst } from "./who.js";
import { actions, mayCopy, mayDelete, mayEdit, mayPublish, toggleFocus, waitsForPublication } from "./actions.js";

const SHOW_AFTER = 150; // ms: shorter waits are not shown
const loud = ["offline", "signed-out", "conflict", "refused", "forbidden", "gone"];

function ago(at) {
	const seconds = Math.round((Date.now() - at) / 1000);

	if (seconds < 3) return t("justNow");
	return formatter("RelativeTimeFormat", { style: "narrow" }).format(
		seconds < 60 ? -seconds : -Math.round(seconds / 60),
		seconds < 60 ? "second" : "minute",
	);
}

/** "Saved", with the time since. A timer renders only this text again. */
function Saved({ at }) {
	const tick = useSignal(0);

	useEffect(() => {
		const timer = setInterval(() => {
			tick.value++;
		}, 5000);

		return () => clearInterval(timer);
	}, []);
	return html`<span class="stet">${t("saved")}
		</span> ${tick.value >= 0 && at && html`<span class="num">${ago(at)}</span>`}`;
}

/** "Saving", shown only after SHOW_AFTER. */
function Saving() {
	const isLong = useSignal(false);

	useEffect(() => {
		const timer = setTimeout(() => {
			isLong.value = true;
		}, SHOW_AFTER);

		return () => clearTimeout(timer);
	}, []);
	return isLong.value
		? html`<span class="wait"></span> ${t("saving")}`
		: html`<span class="quiet">${t("typing")}
		</span>`;
}

function said(item, state) {
	switch (state.name) {
		case "saved":
			if (!mayEdit(item)) return null;
			return item.isNew
				? html`<${Mark} kind="draft">${t("newDraft")}
			<//>`
				: html`<${Saved} at=${state.at} />`;
		case "typing":
			return html`<span class="quiet">${t(item.saver.isHeldBack ? "keptTill" : "typing")}</span>`;
		case "saving":
			return html`<${Saving} />`;
		case "offline":
			return html`<${Mark}
			kind="draft">
			${
				state.message
					? t("keptWhy", { message: state.message })
					: t("offlineSince", { time: clock().format(state.since) })
			}<//>`;
		case "signed-out":
			return html`<${Mark} kind="bad">${t("signedOut")}
			<//> <a href=${`/_cms/signin?next=${encodeURIComponent(location.pathname)}`} target="_blank"
			rel="noopener">${t("signIn")}</a>`;
		case "conflict":
			return html`<${Mark} kind="changed">${savedFirst(state.by)}
			<//> <a href="#merge">${t("merge")}</a>`;
		case "gone":
			return html`<${Mark} kind="bad">${t("gone")}<//>`;
		case "forbidden":
			return html`<${Mark} kind="bad">${t("forbidden")}<//>`;
		default:
			return html`<${Mark}
			kind="bad">${
				state.message && !state.problems?.length
					? t("keptWhy", { message: state.message })
					: t(item.isNew ? "keptNew" : "keptSome")
			}<//>`;
	}
}

/** The saving status. Screen readers announce when a problem begins and when it ends. */
function SavingLine({ item }) {
	const state = item.state.value,
		was = useSignal("saved");

	useEffect(() => {
		const isLoud = loud.includes(state.name);

		if (isLoud && was.peek() !== state.name)
			say(document.getElementById("saved")?.textContent ?? "", {
				isUrgent: state.name === "conflict",
			});
		else if (state.name === "saved" && loud.includes(was.peek())) say(t("saved"));
		if (isLoud || state.name === "saved") was.value = state.name;
	}, [state.name]);
	return html`<p class="saved" id="saved">${said(item, state)}</p>`;
}

/** The one solid button: publishes the item as it is typed, or stores a new one. */
function Publish({ item }) {
	const meta = item.meta.value,
		isLive = meta.status === "published",
		state = item.state.value.name;
	const isNothing = isLive && !waitsForPublication(item) && state === "saved";

	if (item.isByHand && item.isNew)
		return html`<${Button} kind="small go" class="store"
			why=${state === "saved" ? t("storeWhy") : undefined}
			onClick=${() => actions.save(item)}>${t("store")}<//>`;
	if (!mayPublish(item)) return null;
	return html`<${Button} kind="small go" class="publish" why=${isNothing ? t("nothingToPublish") : undefined}
		onClick=${() => actions.publish(item)}>${isLive ? t("publishChanges") : t("publish")}<//>`;
}

export function Bar({ item }) {
	const { collection } = item,
		meta = item.meta.value,
		title = item.layout.title ? item.cell(item.layout.title.slug).value : meta.slug;
	const id = "more-ways";
	const close = (run) => () => {
		/** @type {any} */ (document.getElementById(id)).hidePopover();
		return run(item);
	};
	const isLive = meta.status === "published" || Boolean(meta.scheduledAt);

	return html`<header class="top act">
		<button class="b bare square menu" popovertarget="side" aria-label=${t("menu")}><${Icon} name="menu" />
		</button>
		<${Where} above=${[{ label: collection.label, path: `/collections/${collection.slug}` }]}
			now=${title || t("untitled")} />
		<${SavingLine} item=${item} />
		<span id="beside"></span>
		<a class="b small to-panel" href="#about">${t("about")}</a>
		${
			!item.isNew &&
			html`<${Button} kind="small" class="preview"
				onClick=${() => actions.preview(item)}>${t("preview")}<//>`
		}
		<span class="split"><${Publish} item=${item} />
			<button type="button" class="b small ${mayPublish(item) ? "go" : ""}" popovertarget=${id}
				aria-label=${t("moreWays")}><${Icon} name="down" /></button></span>
		<div class="pop menu-pop" id=${id} popover>
			${
				!item.isNew &&
				html`<button type="button" class="b bare wide only-narrow"
					onClick=${close(actions.preview)}>${t("preview")}</button>`
			}
			${
				mayEdit(item) &&
				html`<button type="button" class="b bare wide"
					onClick=${close(actions.save)}>${t("saveNow")}</button>`
			}
			${
				mayPublish(item) &&
				collection.supports.includes("scheduling") &&
				html`<button type="button" class="b bare wide"
					onClick=${close(actions.toSchedule)}>${t("publishAt")}</button>`
			}
			${
				isLive &&
				mayPublish(item) &&
				html`<button type="button" class="b bare wide"
					onClick=${close(actions.unpublish)}>${t("takeOffline")}</button>`
			}
			${
				!item.isNew &&
				mayEdit(item) &&
				has("releases") &&
				may("releases:manage") &&
				html`<button type="button" class="b bare wide"
					onClick=${close(actions.release)}>${t("toRelease")}</button>`
			}
			${
				!item.isNew &&
				mayCopy(item) &&
				html`<button type="button" class="b bare wide"
					onClick=${close(actions.duplicate)}>${t("copyAsDraft")}</button>`
			}
			<button type="button" class="b bare wide" onClick=${close(toggleFocus)}>${t("focusMode")}</button>
			<button type="button" class="b bare wide" onClick=${close(actions.keys)}>${t("keys")}</button>
			${
				!item.isNew &&
				mayDelete(item) &&
				html`<button type="button" class="b bare wide out"
					onClick=${close(actions.trash)}>${t("toTrash")}</button>`
			}
		</div>
	</header>`;
}

/** The name of the signed-in person. */
export const myName = () => manifest.value.user.name ?? t("you");
