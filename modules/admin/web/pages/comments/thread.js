// thread.js - one comment with its parent, its replies and its author; and buttons to moderate it.
import { html } from "../../lib/html.js";
import { api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { href } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { Button, Dialog, Loaded, Mark, Time } from "../../ui/index.js";
import { STATUSES, moderate } from "./actions.js";
import { pathOf, titlesOf } from "./items.js";

const t = wordsOf("comments");
const MARKS = { pending: "due", approved: "live", spam: "bad", trash: "gone" };

/** The comment with its thread. Threads of unpublished items cannot be read: then the replies are unknown. */
async function load(id, signal) {
	const one = await api.get(`/admin/comments/${segment(id)}`, { signal });
	const [parent, answers, titles] = await Promise.all([
		one.parentId ? api.get(`/admin/comments/${segment(one.parentId)}`, { signal }).catch(() => null) : null,
		api
			.get(`/comments/${segment(one.collection)}/${segment(one.contentId)}`, {
				query: { parentId: one.parentId ?? one.id, limit: 100 },
				signal,
			})
			.catch(() => null),
		titlesOf([one]).catch(() => new Map()),
	]);

	return {
		one,
		parent,
		answers: answers?.items.filter((other) => other.id !== one.id) ?? [],
		hasMore: Boolean(answers?.nextCursor),
		title: titles.get(one.contentId),
	};
}

const Other = ({ one }) => html`<li
	class="reply"><p class="sub"><strong><bdi>${one.authorName}</bdi></strong> · <${Time} at=${one.createdAt} /></p>
	<p class="said whole" dir="auto">${one.body}</p></li>`;

const Fact = ({ name, children }) => html`<div><dt>${t(name)}</dt><dd>${children}</dd></div>`;

function Body({ data }) {
	const { one, parent, answers, hasMore, title } = data;

	return html`
		<p class="lead">${t("onItem")} <a href=${href(pathOf(one))} dir="auto">${title ?? one.contentId}</a></p>
		${
			parent &&
			html`<section
			aria-labelledby="answers-to"><h3 id="answers-to">${t("answersTo")}</h3>
			<ul role="list"><${Other} one=${parent} /></ul></section>`
		}
		<div class="said-one"><p><${Mark} kind=${MARKS[one.status]}>${t(one.status)}<//></p>
		<p class="said whole" dir="auto" data-body>${one.body}</p></div>
		<dl class="facts">
			<${Fact} name="by"><bdi>${one.authorName}</bdi>${one.authorUserId && html` (${t("isUser")})`}
			<//>
			${one.authorEmail && html`<${Fact} name="email"><bdi>${one.authorEmail}</bdi><//>`}
			<${Fact} name="written"><${Time} at=${one.createdAt} /><//>
			${one.reason && html`<${Fact} name="why"><bdi>${one.reason}</bdi><//>`}
			${one.userAgent && html`<${Fact} name="agent"><bdi>${one.userAgent}</bdi><//>`}
		</dl>
		${
			answers.length > 0 &&
			html`<section
				aria-labelledby="answers-h">
				<h3 id="answers-h">${t(one.parentId ? "others" : "answers", { n: answers.length })}</h3>
			<ul role="list"
				class="replies">
				${answers.map((other) => html`<${Other} key=${other.id} one=${other} />`)}</ul>
				${hasMore && html`<p class="help">${t("moreAnswers")}</p>`}</section>`
		}`;
}

/** @param {{id: string, onClose: () => any, onDone: () => any}} props */
export function Thread({ id, onClose, onDone }) {
	const thread = useLoad((signal) => load(id, signal), [id]);
	const one = thread.data.value?.one;
	const act = async (to) => {
		if (await moderate([id], one.status, to, onDone)) await onClose();
	};

	return html`<${Dialog} title=${one ? t("titleOf", { name: one.authorName }) : t("comment")} onClose=${onClose}
		class="wide-dialog" actions=${html`
		<${Button} onClick=${onClose}>${t("close")}<//>
		${
			one &&
			STATUSES.filter((to) => to !== one.status && to !== "pending")
				.reverse()
				.map(
					(to) => html`<${Button} key=${to}
				kind=${to === "approved" ? "go" : to === "trash" ? "out" : ""} onClick=${() => act(to)}
				data-to=${to}>${t(`do_${to}`)}<//>`,
				)
		}`}>
		<${Loaded} from=${thread}>${(data) => html`<${Body} data=${data} />`}<//>
	<//>`;
}
