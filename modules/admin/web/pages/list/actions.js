// actions.js - actions on one or many items in one request (POST /batch), with Undo.
import { api, ApiError } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";
import { mayTrash } from "../../ui/used.js";

const t = wordsOf("list");

const MOST = 100; // calls of a batch

/** @typedef {{op: string, arguments?: object}} Call collection and id are added */

/** @param {any} item */
const isLive = (item) => item.status === "published";
/** True if the item is scheduled for a future time. An overdue time cannot be set again. @param {any} item */
const isScheduled = (item) =>
	item.status === "scheduled" && Boolean(item.scheduledAt) && Date.parse(item.scheduledAt) > Date.now();
/** Is there a draft that readers do not see? @param {any} item */
const hasChanges = (item) => Boolean(item.draftRevisionId && item.draftRevisionId !== item.liveRevisionId);
/** @param {any} item @returns {Call} */
const scheduleAgain = (item) => ({ op: "content_schedule", arguments: { scheduledAt: item.scheduledAt } });

/**
 * `fits`: true for items that the action applies to; absent: all. `back`: the calls that undo it for an item; null: it
 * cannot be undone. Undo publishes only items that were live, and only with the values that were live.
 * @type {Record<string, {op: string, fits?: (item: any) => boolean, back?: (item: any) => Call[] | null}>}
 */
export const ACTIONS = {
	trash: { op: "content_delete", back: () => [{ op: "content_restore" }] },
	restore: { op: "content_restore", back: () => [{ op: "content_delete" }] },
	publish: {
		op: "content_publish_now",
		fits: (item) => !isLive(item) || hasChanges(item),
		back: (item) =>
			isLive(item)
				? null
				: [{ op: "content_withdraw" }, ...(isScheduled(item) ? [scheduleAgain(item)] : [])],
	},
	unpublish: {
		op: "content_withdraw",
		fits: (item) => isLive(item) || (item.status === "scheduled" && Boolean(item.scheduledAt)),
		back: (item) =>
			!isLive(item)
				? isScheduled(item)
					? [scheduleAgain(item)]
					: null
				: hasChanges(item) || item.scheduledAt
					? null
					: [{ op: "content_publish_now" }],
	},
	duplicate: { op: "content_copy" },
	delete: { op: "content_permanent_delete" },
};

/** @param {string} collection @param {(Call & {id: string})[]} all @returns {Promise<any[]>} a result for each */
async function run(collection, all) {
	const results = [];

	for (let i = 0; i < all.length; i += MOST) {
		const calls = all
			.slice(i, i + MOST)
			.map((one) => ({ op: one.op, arguments: { collection, id: one.id, ...one.arguments } }));
		results.push(...(await api.post("/batch", { calls })).results);
	}
	return results;
}

/** @param {any[]} failed */
const refused = (failed) => t("failed", { n: failed.length, message: failed[0].error.message });

/**
 * Runs an action and shows a notice, with Undo if all items can be restored.
 * @param {string} name of ACTIONS @param {string} collection @param {any[]} chosen items as the list has them @param {() => any} reload
 */
export async function act(name, collection, chosen, reload) {
	const { op, fits, back } = ACTIONS[name],
		items = fits ? chosen.filter(fits) : chosen;

	if (
		name === "trash" &&
		!(await mayTrash(
			collection,
			items.map((one) => one.id),
		))
	)
		return false;
	if (
		name === "delete" &&
		!(await ask({
			title: t("deleteTitle", { n: items.length }),
			text: t("deleteText", { n: items.length }),
			yes: t("deleteForGood"),
			isFinal: true,
		}))
	)
		return false;
	try {
		const results = await run(
				collection,
				items.map(({ id }) => ({ op, id })),
			),
			failed = results.filter((one) => !one.ok);
		const done = items.filter((_, i) => results[i]?.ok),
			ways = done.map((item) => back?.(item) ?? null);
		const words = [
			done.length > 0 || failed.length === 0 ? t(`done_${name}`, { n: done.length }) : "",
			failed.length > 0 ? refused(failed) : "",
		];
		const undo = async () => {
			const not = (
				await run(
					collection,
					done.flatMap(({ id }, i) => ways[i].map((call) => ({ ...call, id }))),
				)
			).filter((one) => !one.ok);

			await reload();
			if (not.length > 0) throw new ApiError(409, { message: refused(not) });
		};

		tell(
			words.filter(Boolean).join(". "),
			done.length > 0 && !ways.includes(null)
				? { undo, undone: name === "trash" ? t("undone_trash", { n: done.length }) : undefined }
				: {},
		);
		await reload();
		return true;
	} catch (error) {
		tellProblem(error);
		return false;
	}
}
