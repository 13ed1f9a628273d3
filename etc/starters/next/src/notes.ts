// notes.ts - what a build leaves for finish.mjs: what it could not show, and old addresses. Pages are made in several
// processes, so it is in files.
import fs from "node:fs";
import type { Redirect, Tell } from "@stet/model";

const isBuild = process.env.NODE_ENV === "production";
const ROOM = ".next";

/** Says what is not shown as it was meant: at the end of a build, and at once while developing. */
export const tell: Tell = (what, where) => {
	if (isBuild) fs.appendFileSync(`${ROOM}/told.jsonl`, `${JSON.stringify([what, where])}\n`);
	else console.warn(`[told] ${what}: ${where}`);
};

export function keepRedirects(redirects: Redirect[]): void {
	if (isBuild) fs.writeFileSync(`${ROOM}/redirects.json`, JSON.stringify(redirects));
}
