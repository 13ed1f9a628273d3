// start.js - requests for approval on the start page: those that the person may decide on.
import { segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { href } from "../../lib/router.js";
import { has, may } from "../../lib/site.js";
import { Mark, Time } from "../../ui/index.js";
import { opWord, t, titleOf, whoOf } from "./words.js";

const ITEMS = 6;

/** The calls of a batch that approvalsOf() reads. */
export const approvalCalls = () =>
	has("reviews") && may("reviews:ask") ? [{ op: "approval_list", arguments: { limit: ITEMS } }] : [];

/** @param {any[]} answers the results of these calls @returns {any[]} */
export const approvalsOf = (answers) =>
	answers.flatMap((one) => one?.items ?? []).filter((one) => one.may.decide);

/** @param {{approvals: any[]}} props */
export const StartApprovals = ({ approvals }) =>
	approvals.length > 0 &&
	html`<section class="sheet due-list" aria-labelledby="h-approvals" data-approvals>
		<h2 id="h-approvals">${t("mine")}</h2>
		<ul role="list">${approvals.map(
			(one) => html`<li key=${one.id}>
			<${Mark} kind="due">${t("open")}<//>
			<span class="what"><a dir="auto" href=${href(`/approvals/${segment(one.id)}`)}>
				${opWord(one)}${titleOf(one) !== null && `: ${titleOf(one)}`}</a>
				<p class="help" dir="auto">${whoOf(one)}</p></span>
			<span class="meta"><${Time} at=${one.createdAt} /></span></li>`,
		)}</ul></section>`;
