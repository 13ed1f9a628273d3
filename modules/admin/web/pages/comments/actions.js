// actions.js - changes the status of one or many comments in one request, with Undo; or deletes comments.
import { api } from "../../lib/api.js";
import { wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("comments");
export const STATUSES = ["pending", "approved", "spam", "trash"];

/** @param {string[]} ids @param {string} status */
async function put(ids, status) {
	const { results } = await api.post("/batch", {
		calls: [{ op: "comment_moderate", arguments: { ids, status } }],
		atomic: true,
	});

	return results[0].data.affected;
}

/**
 * Changes the status, then shows a notice with Undo.
 * @param {string[]} ids
 * @param {string} from
 * @param {string} to
 * @param {() => any} reload
 */
export async function moderate(ids, from, to, reload) {
	try {
		const n = await put(ids, to);
		const undo = async () => {
			await put(ids, from);
			await reload();
		};

		tell(t(`done_${to}`, { n }), { undo });
		await reload();
		return true;
	} catch (error) {
		tellProblem(error);
		return false;
	}
}

/** @param {string[]} ids @param {() => any} reload */
export async function remove(ids, reload) {
	if (
		!(await ask({
			title: t("deleteTitle", { n: ids.length }),
			text: t("deleteText"),
			yes: t("delete"),
			isFinal: true,
		}))
	)
		return false;
	try {
		const { affected } = await api.post("/admin/comments/bulk", { ids, action: "delete" });

		tell(t("done_delete", { n: affected }));
		await reload();
		return true;
	} catch (error) {
		tellProblem(error);
		return false;
	}
}
