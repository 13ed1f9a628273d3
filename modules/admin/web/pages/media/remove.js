// remove.js - deletes files permanently, after a question that names the items that use them.
import { html } from "../../lib/html.js";
import { api, ApiError, segment } from "../../lib/api.js";
import { allPages } from "../../lib/pages.js";
import { may } from "../../lib/site.js";
import { wordsOf } from "../../lib/words.js";
import { ask, tell, tellProblem } from "../../ui/index.js";

const t = wordsOf("media");
const NAMED = 20;
const UNSEEN = [403, 404]; // this person may not see uses; the module media-usage is off

/**
 * The uses of a file: {items, nextCursor?, coverage}; null if this person may not see them.
 * @param {string} id
 * @param {AbortSignal} [signal]
 */
export const usesOf = (id, signal) =>
	may("content:read_drafts")
		? api
				.get(`/media/${segment(id)}/usage`, { query: { limit: NAMED }, signal, quiet: true })
				.catch((error) => {
					if (error instanceof ApiError && UNSEEN.includes(error.status)) return null;
					throw error;
				})
		: Promise.resolve(null);

export const isKnown = (uses) => uses?.coverage?.status === "complete";
export const nameOfUse = (one) => one.title ?? one.slug ?? one.name ?? one.contentId;

const Named = ({ uses, others = 0 }) => html`<ul
	class="named">${uses.map((one, i) => html`<li key=${i}><bdi>${nameOfUse(one)}</bdi></li>`)}
	${others > 0 && html`<li>${t("others", { n: others })}</li>`}</ul>`;

/** @param {any[]} uses @param {number} total */
const usedText = (uses, total) => html`${t("usedSure", { n: total })}
	<${Named} uses=${uses.slice(0, NAMED)} others=${total - Math.min(uses.length, NAMED)} />`;

/** Deletes a file after a question that names its uses. @returns {Promise<boolean>} true if it was deleted */
export async function removeOne(item) {
	const uses = await usesOf(item.id),
		path = `/media/${segment(item.id)}`,
		title = t("sure", { name: item.filename }),
		yes = t("delete");
	const known = isKnown(uses),
		total =
			(await api.get(path, { query: { includeUsage: 1 } })).item.usage?.count ??
			uses?.items.length ??
			0;
	const text = total > 0 ? usedText(uses.items, total) : t(known ? "unusedSure" : "unusedUnknown");

	if (!(await ask({ title, text, yes, isFinal: true }))) return false;
	try {
		// With ifUnused the server refuses, and lists uses that are newer, or in settings or bylines.
		await api.delete(path, { query: { ifUnused: total === 0 && known ? 1 : undefined } });
	} catch (error) {
		const left = error.details?.uses && [...error.details.uses.content, ...error.details.uses.others];
		if (!left?.length) throw error;
		if (
			!(await ask({
				title,
				text: usedText(left, Math.max(left.length, error.details.uses.count ?? 0)),
				yes,
				isFinal: true,
			}))
		)
			return false;
		await api.delete(path);
	}
	tell(t("deleted", { n: 1 }));
	return true;
}

/** @param {any[]} items with their usage @returns {Promise<boolean>} true if they were deleted */
export async function removeMany(items) {
	const used = items.filter((one) => one.usage?.count > 0);
	const unknown = items.some((one) => one.usage?.count === null || one.usage === undefined);
	const text = [
		used.length > 0 &&
			t("manyUsed", {
				n: used.length,
				names: used
					.slice(0, 5)
					.map((one) => one.filename)
					.join(", "),
			}),
		unknown && t("manyUnknown"),
	]
		.filter(Boolean)
		.join(" ");

	if (
		!(await ask({
			title: t("sureMany", { n: items.length }),
			text: text || undefined,
			yes: t("delete"),
			isFinal: true,
		}))
	)
		return false;
	const { deleted } = await api.post("/media/bulk/delete", { ids: items.map((one) => one.id) });
	tell(t("deleted", { n: deleted }));
	return true;
}

export const loadFolders = (signal) =>
	allPages((cursor) => api.get("/media/folders", { query: { limit: 100, cursor }, signal }));

/** Runs `work` and shows its error. @param {() => any} work */
export async function trying(work) {
	try {
		return await work();
	} catch (error) {
		tellProblem(error);
		return undefined;
	}
}
