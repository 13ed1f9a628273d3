// actions.js - what is done with items, one or many, in one request (POST /batch); and what undoes it.
import { api } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("list");

/** @type {Record<string, {op: string, back?: string}>} */
const ACTIONS = {
	trash: { op: "content_delete", back: "restore" },
	restore: { op: "content_restore", back: "trash" },
	publish: { op: "content_publish_now", back: "unpublish" },
	unpublish: { op: "content_withdraw", back: "publish" },
	duplicate: { op: "content_copy" },
	delete: { op: "content_permanent_delete" },
};
const MOST = 100; // calls of a batch

/** @param {string} collection @param {string} op @param {string[]} ids */
async function run(collection, op, ids) {
	const results = [];

	for (let i = 0; i < ids.length; i += MOST) {
		const calls = ids.slice(i, i + MOST).map((id) => ({ op, arguments: { collection, id } }));
		results.push(...(await api.post("/batch", { calls })).results);
	}
	return { done: ids.filter((_, i) => results[i]?.ok), failed: results.filter((one) => !one.ok) };
}

/**
 * Does it, tells it, offers to undo it.
 * @param {string} name of ACTIONS @param {string} collection @param {string[]} ids @param {() => any} reload
 */
export async function act(name, collection, ids, reload) {
	const { op, back } = ACTIONS[name];

	if (name === "delete" && !(await ask({ title: t("deleteTitle", { n: ids.length }), text: t("deleteText", { n: ids.length }), yes: t("deleteForGood"), isFinal: true })))
		return false;
	try {
		const { done, failed } = await run(collection, op, ids);
		const words = [done.length > 0 || failed.length === 0 ? t(`done_${name}`, { n: done.length }) : "", failed.length > 0 ? t("failed", { n: failed.length, message: failed[0].error.message }) : ""];
		const undo = async () => {
			await run(collection, ACTIONS[back].op, done);
			await reload();
		};

		tell(words.filter(Boolean).join(". "), back && done.length > 0 ? { undo, undone: name === "trash" ? t("undone_trash", { n: done.length }) : undefined } : {});
		await reload();
		return true;
	} catch (error) {
		tellProblem(error);
		return false;
	}
}
