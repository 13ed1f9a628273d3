// actions.js - the actions on an item as a whole. Each first saves the typed changes.
import { signal } from "@preact/signals";
import { liveAt } from "../../lib/address.js";
import { api, ApiError, segment } from "../../lib/api.js";
import { keep, recall } from "../../lib/kept.js";
import { go, href } from "../../lib/router.js";
import { collection as collectionOf, manifest, reaches } from "../../lib/site.js";
import { isHelpOpen } from "../../shell/help.js";
import { ask, tell, tellProblem } from "../../ui/index.js";
import { t } from "../../editor/words.js";

/** The open preview. */
export const preview = signal(/** @type {{url: string, expiresAt: number} | null} */ (null));

/** Focus mode is remembered for each person of this browser. */
const focusName = () => `focus.${manifest.value.user.id}`;
export const isFocused = signal(false);
/** It hides the preview, which may be a modal dialog: that is closed. @param {boolean} isOn */
function setFocus(isOn) {
	isFocused.value = isOn;
	if (isOn) preview.value = null;
}
export const beginFocus = () => setFocus(recall(focusName(), false));
export function toggleFocus() {
	setFocus(!isFocused.value);
	keep(focusName(), isFocused.value || undefined);
}

/** @param {"edit" | "publish" | "delete"} what */
const mayDo = (what) => (item) => {
	const right = collectionOf(item.collection.slug)?.rights[what] ?? "none",
		{ authorId } = item.meta.value;

	return authorId === undefined ? right !== "none" : reaches(right, authorId);
};
export const mayPublish = mayDo("publish"),
	mayDelete = mayDo("delete");
/** @param {any} item */
export const mayCopy = (item) => collectionOf(item.collection.slug)?.rights.create === true;
/** A new item may be edited by anybody who may create items. @param {any} item */
export const mayEdit = (item) =>
	item.meta.value.id === undefined ? mayCopy(item) && !item.isSent.value : mayDo("edit")(item);

/** True if the site shows values that differ from the draft. */
export const waitsForPublication = (item) => {
	const { status, draftRevisionId, liveRevisionId } = item.meta.value;

	return status !== "published" || Boolean(draftRevisionId && draftRevisionId !== liveRevisionId);
};

/** Saves the item. If something cannot be saved, shows why and returns false. */
export async function saved(item) {
	if (await item.flush()) return true;
	const { name, message, problems } = item.saver.state;

	if (name === "conflict") location.hash = "merge";
	else
		tellProblem(
			new ApiError(0, {
				message:
					(!problems?.length && message) ||
					t({ offline: "notNowOffline", "signed-out": "signedOut" }[name] ?? "notNow"),
			}),
		);
	document.getElementById("wrong")?.focus();
	return false;
}

/** Runs an operation on the saved item. Shows the issues that it reports at their fields. */
export async function run(item, name, more, done, method = "post") {
	if (!(await saved(item))) return;
	try {
		const answer = await item.run(name, more, method);

		done?.(answer);
	} catch (error) {
		if (error.details?.currentRev !== undefined) {
			await item.saver.reconcile();
			await item.saver.save();
			if (item.saver.merging === null) tellProblem(error);
		} else if (item.problems.peek().length > 0)
			requestAnimationFrame(() => document.getElementById("wrong")?.focus());
		else tellProblem(error);
	}
}

/** The link to a published item as readers see it. */
export function liveLink(item) {
	const { href: at, isPage } = liveAt(item.collection, item.meta.peek());

	return { href: at, label: t(isPage ? "onSite" : "overApi") };
}

/** Opens a page and shows a notice there. The shell removes notices when a page opens, so the notice comes later. */
export async function goAndTell(path, text, more) {
	await go(path);
	await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50)));
	tell(text, more);
}

/** Sets times again that an action has removed. */
async function againAt(item, scheduledAt, unpublishAt) {
	const times = { ...(scheduledAt && { scheduledAt }), ...(unpublishAt && { unpublishAt }) };

	if (Object.keys(times).length > 0) await item.run("/schedule", times);
}

export const actions = {
	async save(item) {
		if (!item.saver.isHeldBack || item.isSent.peek()) return item.flush();
		if (
			item.saver.isClean ||
			!(await ask({ title: t("storeTitle"), text: t("storeText"), yes: t("store") }))
		)
			return false;
		item.saver.allow();
		if (!(await saved(item))) return false;
		tell(t("stored"));
		// The button is gone.
		requestAnimationFrame(
			() =>
				document.activeElement === document.body &&
				document.getElementById("main")?.focus({ preventScroll: true }),
		);
		return true;
	},
	publish: (item) => run(item, "/publish", {}, () => tell(t("isLive"), { link: liveLink(item) })),

	async unpublish(item) {
		if (!(await saved(item))) return;
		const { status, scheduledAt, unpublishAt } = item.meta.peek(),
			isScheduled = status === "scheduled" && Date.parse(scheduledAt) > Date.now();
		// Undo must not publish values that readers never saw: an unpublished draft, or changes since (_rev).
		const leadsBack = isScheduled || (!waitsForPublication(item) && !scheduledAt);

		await run(item, "/unpublish", {}, ({ _rev }) =>
			tell(
				t("isOffline"),
				leadsBack
					? {
							undo: async () => {
								if (!isScheduled) await item.run("/publish", { _rev });
								await againAt(
									item,
									isScheduled ? scheduledAt : null,
									unpublishAt,
								);
							},
						}
					: {},
			),
		);
	},

	/** The panel says when it goes live. */
	schedule: (item, scheduledAt, done) => run(item, "/schedule", { scheduledAt }, done),

	/**
	 * Cancels the schedule. The API leaves the status "scheduled" of an item that is not live (it is a draft without a
	 * time), so such an item is made a draft.
	 */
	unschedule(item) {
		const { status, scheduledAt, unpublishAt } = item.meta.peek(),
			isLive = status === "published";
		const done = () => tell(t("unscheduled"), { undo: () => againAt(item, scheduledAt, unpublishAt) });

		return run(item, isLive ? "/schedule" : "/unpublish", {}, done, isLive ? "delete" : "post");
	},

	async release(item) {
		if (await saved(item))
			(await import("../releases/add.js")).addToRelease(item.collection.slug, [item.meta.peek().id]);
	},

	toSchedule: async (item) => (await import("./scheduleat.js")).openSchedule(item),

	async discard(item) {
		if (
			!(await ask({
				title: t("discardTitle"),
				text: t("discardText"),
				yes: t("discardYes"),
				isFinal: true,
			}))
		)
			return;
		try {
			// Finish saving first. If discarding is then refused, no input is lost.
			await item.flush();
			item.reset(await api.post(`${item.path}/discard-draft`, { _rev: item.saver.rev }));
			tell(t("discarded"));
		} catch (error) {
			tellProblem(error);
		}
	},

	async duplicate(item) {
		if (!(await saved(item))) return;
		try {
			const { item: copy } = await api.post(`${item.path}/duplicate`);

			await goAndTell(`/collections/${item.collection.slug}/${copy.id}`, t("copied"));
		} catch (error) {
			tellProblem(error);
		}
	},

	async trash(item) {
		const { path, collection, id } = item;

		try {
			const { mayTrash } = await import("../../ui/used.js");

			if (!(await mayTrash(collection.slug, [id]))) return;
			await item.flush();
			await api.delete(path);
			item.isGone = true;
			await goAndTell(`/collections/${collection.slug}`, t("trashed"), {
				undo: async () => {
					await api.post(`${path}/restore`);
					await go(`/collections/${collection.slug}/${id}`);
				},
			});
		} catch (error) {
			tellProblem(error);
		}
	},

	async preview(item) {
		if (!(await saved(item))) return;
		try {
			preview.value = await api.post(`${item.path}/preview-url`, {});
		} catch (error) {
			tellProblem(error);
		}
	},

	keys() {
		isHelpOpen.value = true;
	},

	/** Opens the editor for a translation: a new item of the same translation group. */
	translate: (item, locale) => go(`/collections/${item.collection.slug}/new`, { query: { locale, of: item.id } }),
};

export const compareHref = (item, query) =>
	href(`/collections/${segment(item.collection.slug)}/${segment(item.id)}/compare`, query);
