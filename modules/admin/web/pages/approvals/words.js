// words.js - the texts of requests for approval, on their pages and on the start page.
import { addWords, hasWord } from "../../lib/words.js";
import { collection } from "../../lib/site.js";
import en from "./en.json";

export const t = addWords("approvals", en);

/** What is asked for, in words. @param {{op: string, title: string}} one */
export const opWord = ({ op, title }) => (hasWord("approvals", `op_${op}`) ? t(`op_${op}`) : title);

/** The item that it is about, or null. */
export const titleOf = ({ item, contentId }) =>
	contentId === null ? null : item?.title || item?.slug || t("untitled");

/** Who asks: the program, and the person it acts for. */
export const whoOf = ({ client, askedByName: name }) => (client ? t("by", { client, name }) : name);

/** Where the item is. @param {{collection: string}} one */
export const placeOf = (one) => t("in", { collection: collection(one.collection)?.label ?? one.collection });
