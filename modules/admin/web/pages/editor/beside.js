// beside.js - parts of the panel that are loaded when they are shown: working with others, and old addresses.
import { has, may } from "../../lib/site.js";
import { later } from "../../editor/later.js";

/** True for people who may read drafts, of items that are stored. @param {any} item */
export const isShared = (item) => item.meta.value.id !== undefined && has("reviews") && may("reviews:read");
export const Addresses = later(() => import("./addresses/index.js"), "Addresses");
export const Together = later(() => import("./together/index.js"), "Together");
