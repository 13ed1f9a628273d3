// start - the start page: overdue items, the person's drafts, scheduled items, recent changes, pending comments. It
// takes two requests (POST /batch) for each 24 collections.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useSignal } from "@preact/signals";
import { recall } from "../../lib/kept.js";
import { useLoad } from "../../lib/load.js";
import { go, href, match } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { has, manifest, may } from "../../lib/site.js";
import { keepDefinition, titleField } from "../../lib/schema.js";
import { Button, Empty, ItemMark, Loaded, Mark, Menu, Problem, Time } from "../../ui/index.js";
import { StartApprovals, approvalCalls, approvalsOf } from "../approvals/start.js";
import { StartReviews, reviewCalls, reviewsOf } from "../reviews/start.js";
import { pages } from "../table.js";
import { Safe } from "./safe.js";
import en from "./en.json";

const t = addWords("start", en);
const COLLECTIONS = 24,
	ITEMS = 6; // collections per two requests (calls of a batch are limited); items shown per kind
const MEMBERS =
	"slug,status,updatedAt,scheduledAt,unpublishAt,scheduleError,publishedAt,authorId,liveRevisionId,draftRevisionId";

/** The data of each call, in order; null for a call that failed. */
async function batch(calls, signal) {
	if (calls.length === 0) return [];
	const { results } = await api.post("/batch", { calls }, { signal });
	return results.map((one) => (one.ok ? one.data : null));
}

/**
 * Reads the page's items of some collections, and the results of `more`.
 * @param {any[]} seen
 * @param {any[]} more calls
 * @param {AbortSignal} signal
 */
async function loadSome(seen, more, signal) {
	const { user } = manifest.value;
	const definitions = await batch(
		seen.map((c) => ({ op: "manifest_collection", arguments: { collection: c.slug } })),
		signal,
	);
	const asks = seen.flatMap((c, i) => {
		const definition = definitions[i]?.item;
		if (!definition) return [];
		keepDefinition(definition);
		const title = titleField(definition);
		const list = (kind, more) => ({
			kind,
			collection: c,
			title,
			call: {
				op: "content_list",
				arguments: {
					collection: c.slug,
					limit: ITEMS,
					fields: title ? `${MEMBERS},${title.slug}` : MEMBERS,
					...more,
				},
			},
		});

		return [
			c.rights.read === "all" &&
				list("drafts", { authorId: user.id, status: "unscheduled", orderBy: "updatedAt" }),
			c.rights.read === "all" &&
				list("overdue", { status: "overdue", orderBy: "scheduledAt", order: "asc" }),
			c.rights.read === "all" &&
				list("later", { status: "scheduled", orderBy: "scheduledAt", order: "asc" }),
			list("recent", { orderBy: "updatedAt" }),
		].filter(Boolean);
	});
	const answers = await batch([...asks.map((one) => one.call), ...more], signal);

	return {
		items: asks.flatMap((one, i) => (answers[i]?.items ?? []).map((item) => ({ ...one, item }))),
		more: answers.slice(asks.length),
	};
}

/** @param {AbortSignal} signal */
async function load(signal) {
	const seen = manifest.value.collections.filter((c) => !c.hidden && c.rights.read !== "none");
	const hasComments = has("comments") && may("comments:moderate");
	const comments = hasComments ? [{ op: "admin_comment_counts", arguments: {} }] : [];
	const approvals = approvalCalls(),
		before = comments.length + approvals.length;
	const calls = [...comments, ...approvals, ...reviewCalls()],
		first = await loadSome(seen.slice(0, COLLECTIONS), calls, signal),
		all = first.items;

	// Send them one after another: hundreds of collections must not block the server.
	for (let i = COLLECTIONS; i < seen.length; i += COLLECTIONS)
		all.push(...(await loadSome(seen.slice(i, i + COLLECTIONS), [], signal)).items);
	const of = (kind, by, isDown) =>
		all
			.filter((one) => one.kind === kind)
			.sort((a, b) => (isDown ? -1 : 1) * String(a.item[by]).localeCompare(String(b.item[by])));
	const now = new Date().toISOString(),
		later = of("later", "scheduledAt", false);

	return {
		overdue: of("overdue", "scheduledAt", false).slice(0, ITEMS),
		drafts: of("drafts", "updatedAt", true).slice(0, ITEMS),
		later: later.filter((one) => one.item.scheduledAt >= now).slice(0, ITEMS),
		recent: of("recent", "updatedAt", true).slice(0, ITEMS),
		approvals: approvalsOf(first.more.slice(comments.length, before)),
		reviews: reviewsOf(first.more.slice(before)),
		comments: hasComments ? (first.more[0]?.pending ?? 0) : 0,
	};
}

/** The time of an act that failed: of unpublishing, if that is what failed. */
const missedAt = (item) => item.scheduleError?.unpublishAt;

function Items({ name, rows, when = "updatedAt" }) {
	return (
		rows.length > 0 &&
		html`<section class="sheet due-list" aria-labelledby=${`h-${name}`}>
		<h2 id=${`h-${name}`}>${t(name)}</h2>
		<ul role="list">${rows.map(
			({ item, collection, title }) => html`<li key=${item.id}>
			${
				name === "later"
					? html`<${Mark} kind="due">${t("later")}<//>`
					: html`<${ItemMark} item=${item} />`
			}
			<span class="what">
			<a dir="auto"
				href=${href(`/collections/${segment(collection.slug)}/${item.id}`)}>
				${(title && item.data?.[title.slug]) || item.slug || t("untitled")}
				</a> <small>${t("in", { collection: collection.label })}</small>
				${
					item.scheduleError &&
					html`<p class="help" dir="auto">${item.scheduleError.message}</p>`
				}</span>
			<span class="meta"><${Time} at=${missedAt(item) ?? item[when]} /></span>
		</li>`,
		)}</ul></section>`
	);
}

async function begin() {
	const { makeBlog } = await import("./blog.js");

	await go(await makeBlog());
}

/** A blog that failed half-way goes on. */
const HalfBlog = () => html`<div class="note heed"><p>${t("halfBlog")}</p>
	<div class="bs"><${Button} kind="small" onClick=${begin} data-blog>${t("halfBlogGo")}<//></div></div>`;

/** What a new site may begin with: a blog, an import, or a collection of one's own. */
function Doors() {
	const problem = useSignal(/** @type {any} */ (null));
	const door = (name, button) => html`<section class="sheet pad door" aria-labelledby=${`door-${name}`}>
		<h2 id=${`door-${name}`}>${t(`${name}Door`)}</h2><p class="quiet">${t(`${name}DoorText`)}</p>
		<div class="bs">${button}</div></section>`;

	return html`<p class="lead">${t("noCollectionsText")}</p><${Problem} error=${problem.value} />
		<div class="doors-three">
		${door(
			"blog",
			html`<${Button} kind="go" onClick=${() => {
				problem.value = null;
				return begin();
			}} onError=${(error) => (problem.value = error)}
				data-blog>${t("blogDoorGo")}<//>`,
		)}
		${
			match(pages, "/imports").row.may(manifest.value) &&
			door("import", html`<a class="b" href=${href("/imports")}>${t("importDoorGo")}</a>`)
		}
		${door("empty", html`<a class="b" href=${href("/schema")}>${t("emptyDoorGo")}</a>`)}</div>`;
}

/** A button that begins an item; a menu if there are several collections. */
function Write() {
	const all = manifest.value.collections.filter((c) => c.rights.create && !c.hidden),
		to = (c) => href(`/collections/${segment(c.slug)}/new`),
		word = (c) =>
			c.labelSingular ? t("write", { what: c.labelSingular }) : t("writeIn", { what: c.label });

	if (all.length === 0) return null;
	if (all.length === 1) return html`<a class="b go" href=${to(all[0])} data-write>${word(all[0])}</a>`;
	return html`<${Menu} label=${t("writeNew")} kind="go" items=${all.map((c) => ({ label: word(c), href: to(c) }))}
		>${t("writeNew")}<//>`;
}

export default function Start() {
	const data = useLoad(load, []);
	const none = manifest.value.collections.length === 0;
	const isEmpty = (d) =>
		d.overdue.length + d.drafts.length + d.later.length + d.recent.length + d.comments === 0 &&
		d.approvals.length + d.reviews.waiting.length + d.reviews.returned.length === 0;

	return html`<div class="head"><h1>${t(none && may("schema:manage") ? "noCollections" : "title")}</h1>
		<div class="bs"><${Write} /></div></div>
		<${Safe} />
		${!none && may("schema:manage") && recall("blogBegun", false) && html`<${HalfBlog} />`}
		${
			none
				? may("schema:manage")
					? html`<div class="start"><${Doors} /></div>`
					: html`<div class="sheet"><${Empty} title=${t("empty")} /></div>`
				: html`<${Loaded} from=${data}
				empty=${(d) =>
					isEmpty(d) &&
					html`<div
						class="sheet">
						<${Empty} title=${t("empty")}><p class="quiet">${t("emptyText")}</p><//>
						</div>`}>${(d) => html`<div class="start">
				${
					d.comments > 0 &&
					html`<p class="note">
						${
							match(pages, "/comments")
								? html`<a href=${href("/comments")}>
								${t("comments", { n: d.comments })}</a>`
								: t("comments", { n: d.comments })
						}</p>`
				}
				<${StartApprovals} approvals=${d.approvals} />
				<${StartReviews} reviews=${d.reviews} />
				<${Items} name="overdue" rows=${d.overdue} when="scheduledAt" />
				<${Items} name="drafts" rows=${d.drafts} />
				<${Items} name="later" rows=${d.later} when="scheduledAt" />
				<${Items} name="recent" rows=${d.recent} />
			</div>`}<//>`
		}`;
}
