// problem.js - shows an error with the server's message, and a button to retry.
import { html } from "../lib/html.js";
import { wordsOf } from "../lib/words.js";
import { ApiError } from "../lib/api.js";
import { Button } from "./button.js";

const t = wordsOf("shared");

/** What browsers say of a module that is not there: the server has newer pages. */
const NO_MODULE = /dynamically imported module|importing a module script/i;

/** An error in words. @param {any} error */
export function explain(error) {
	if (NO_MODULE.test(error?.message)) return t("newPages");
	if (!(error instanceof ApiError)) return t("fault", { message: error?.message ?? String(error) });
	if (error.code === "OFFLINE") return t("offline");
	if (error.code === "RATE_LIMITED" && error.retryAfter > 0) return t("rateLimited", { n: error.retryAfter });
	return error.message || t("notUnderstood", { status: error.status });
}

/**
 * An error, shown beside or above the part that failed. Lists issues of members, except those in `shown`: their fields
 * show them.
 * @param {{error: any, onRetry?: () => any, shown?: string[]}} props
 */
export function Problem({ error, onRetry, shown = [] }) {
	if (!error) return null;
	const issues = error instanceof ApiError ? error.issues.filter((one) => !shown.includes(one.path)) : [];

	return html`<div class="note wrong" role="alert"><div>
		<p>${explain(error)}</p>
		${
			issues.length > 0 &&
			html`<ul>
				${issues.map(
					(one) => html`<li>${one.path !== "" && html`<code>${one.path}</code> `}
					${one.message}</li>`,
				)}</ul>`
		}
	</div>${onRetry && html`<${Button} kind="small" onClick=${onRetry}>${t("again")}<//>`}</div>`;
}
