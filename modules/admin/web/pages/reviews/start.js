// start.js - requests for review on the start page: those that wait for the person, and those that came back.
import { segment } from "../../lib/api.js";
import { html } from "../../lib/html.js";
import { href } from "../../lib/router.js";
import { collection, has, may } from "../../lib/site.js";
import { Mark, Time } from "../../ui/index.js";
import { t } from "./words.js";

const ITEMS = 6;

/** The calls of a batch that reviewsOf() reads. */
export const reviewCalls = () =>
	has("reviews") && may("reviews:read")
		? [
				may("reviews:decide") && { op: "review_list", arguments: { limit: ITEMS } },
				{ op: "review_list", arguments: { for: "asked", state: "returned", limit: ITEMS } },
			].filter(Boolean)
		: [];

/** @param {any[]} answers the results of these calls @returns {{waiting: any[], returned: any[]}} */
export function reviewsOf(answers) {
	const all = answers.flatMap((one) => one?.items ?? []).filter((one) => one.item !== null);

	return {
		waiting: all.filter((one) => one.review.state === "open"),
		returned: all.filter((one) => one.review.state === "returned"),
	};
}

function Requests({ name, rows }) {
	return (
		rows.length > 0 &&
		html`<section class="sheet due-list" aria-labelledby=${`h-${name}`} data-reviews=${name}>
		<h2 id=${`h-${name}`}>${t(name)}</h2>
		<ul role="list">${rows.map(
			({ item, collection: slug, review }) => html`<li key=${item.id}>
			<${Mark} kind=${review.state === "open" ? "due" : "changed"}>${t(review.state)}<//>
			<span class="what"><a dir="auto" href=${href(`/collections/${segment(slug)}/${item.id}`)}>
				${item.title || item.slug || t("untitled")}</a>
				${" "}<small>${t("in", { collection: collection(slug)?.label ?? slug })}</small>
				<p class="help" dir="auto">${
					review.state === "open"
						? t("asker", { name: review.askedByName })
						: review.answer
				}</p></span>
			<span class="meta"><${Time} at=${review.decidedAt ?? review.createdAt} /></span></li>`,
		)}</ul></section>`
	);
}

/** @param {{reviews: {waiting: any[], returned: any[]}}} props */
export const StartReviews = ({ reviews }) => html`<${Requests} name="waitingForYou" rows=${reviews.waiting} />
	<${Requests} name="returnedToYou" rows=${reviews.returned} />`;
