// beside.js - the part of the editor for working with others, which is loaded when it is shown.
import { has, may } from "../../lib/site.js";
import { later } from "../../editor/later.js";

/** True for people who may read drafts, of items that are stored. @param {any} item */
export const isShared = (item) => item.meta.value.id !== undefined && has("reviews") && may("reviews:read");
export const Together = later(() => import("./together/index.js"), "Together");
