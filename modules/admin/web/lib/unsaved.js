// unsaved.js - warns before unsaved input is lost, and before overwriting what somebody else has saved.
import { useEffect, useRef } from "preact/hooks";
import { ask } from "../ui/dialog.js";
import { beforeLeaving } from "./router.js";
import { wordsOf } from "./words.js";

const t = wordsOf("shared");

/** Asks before the page is left while isDirty() is true. @param {() => boolean} isDirty */
export function useUnsaved(isDirty) {
	const last = useRef(isDirty);

	last.current = isDirty;
	useEffect(() => {
		const unload = (e) => {
			if (last.current()) e.preventDefault();
		};
		const stay = beforeLeaving(
			() =>
				!last.current() ||
				ask({
					title: t("leaveTitle"),
					text: t("leaveText"),
					yes: t("leaveYes"),
					no: t("leaveNo"),
					isFinal: true,
				}),
		);

		addEventListener("beforeunload", unload);
		return () => {
			stay();
			removeEventListener("beforeunload", unload);
		};
	}, []);
}

/**
 * For records without _rev: if somebody else has saved the record since it was read, asks whether to overwrite it.
 * @param {() => Promise<{updatedAt: string}>} get @param {string} readAt updatedAt when it was read @returns {Promise<boolean>} go on
 */
export async function mayWriteOver(get, readAt) {
	const { updatedAt } = await get();

	return (
		updatedAt === readAt ||
		ask({ title: t("meanwhile"), text: t("meanwhileText"), yes: t("meanwhileOver"), isFinal: true })
	);
}
