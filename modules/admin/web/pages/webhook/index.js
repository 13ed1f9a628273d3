// webhook - one target: its state; buttons to test, change and delete it; its deliveries.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ApiError, api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go } from "../../lib/router.js";
import { addWords } from "../../lib/words.js";
import { collection } from "../../lib/site.js";
import { Button, Icon, Loaded, Menu, Once, Time, ask, tell, tellProblem } from "../../ui/index.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { Form, eventWord } from "../webhooks/form.js";
import { Queue } from "../webhooks/queue.js";
import { TargetMark } from "../webhooks/state.js";
import webhooks from "../webhooks/en.json";
import { Deliveries } from "./deliveries.js";
import en from "./en.json";

const t = addWords("webhook", en),
	tw = addWords("webhooks", webhooks);

function About({ one }) {
	return html`<section class="sheet block"
		aria-labelledby="about-h">
		<div class="head"><h2 id="about-h">${t("about")}</h2><${TargetMark} one=${one} /></div>
		${one.disabledReason && html`<p class="note wrong">${t("stopped", { reason: one.disabledReason })}</p>`}
		<dl class="facts">
			${
				one.description &&
				html`<div><dt>${tw("description")}</dt><dd><bdi>${one.description}</bdi></dd></div>`
			}
			<div><dt>${tw("events")}</dt>
			<dd>${
				one.events.length === 0
					? tw("everything")
					: one.events.map(
							(name) => html`<span class="tag" key=${name}>${eventWord(name)}
					</span> `,
						)
			}</dd></div>
			<div><dt>${tw("collections")}</dt>
			<dd>${
				one.collections.length === 0
					? t("allCollections")
					: one.collections.map(
							(slug) => html`<span class="tag"
					key=${slug}><bdi>${collection(slug)?.label ?? slug}</bdi></span> `,
						)
			}</dd></div>
			<div><dt>${tw("lastSuccess")}</dt><dd><${Time} at=${one.lastSuccessAt} empty=${tw("never")} />
			</dd></div>
			${
				one.lastFailureAt &&
				html`<div><dt>${t("lastFailure")}</dt><dd><${Time} at=${one.lastFailureAt} /></dd>
					</div>`
			}
			${
				one.nextAttemptAt &&
				html`<div><dt>${t("nextAttempt")}</dt><dd><${Time} at=${one.nextAttemptAt} /></dd>
					</div>`
			}
		</dl></section>`;
}

export default function Webhook({ params, query }) {
	const path = `/admin/webhooks/${segment(params.id)}`;
	const target = useLoad((signal) => api.get(path, { signal }), [path]),
		one = target.data.value?.item;
	const isChanging = useSignal(false),
		secret = useSignal(""),
		changes = useSignal(0);
	const reload = async () => {
		changes.value++;
		await target.reload();
	};

	useEffect(() => {
		ownTitle.value = one?.url ?? "";
		crumbs.value = [{ label: tw("title"), path: "/webhooks" }];
	}, [one]);
	const attempt = async (work) => {
		try {
			await work();
		} catch (error) {
			tellProblem(error);
		}
	};
	const test = () =>
		attempt(async () => {
			const { item } = await api.post(`${path}/test`, {});

			if (item.state === "delivered") tell(t("answered", { status: item.status, ms: item.duration }));
			else
				tellProblem(
					new ApiError(0, {
						message: t("refused", { reason: item.error ?? String(item.status) }),
					}),
				);
			await reload();
		});
	const change = async (body) => {
		await api.put(path, body);
		isChanging.value = false;
		tell(t("changed"));
		await reload();
	};
	const rotate = async () => {
		if (await ask({ title: t("rotateSure"), text: t("rotateText"), yes: t("rotate"), isFinal: true }))
			await attempt(async () => {
				secret.value = (await api.post(`${path}/rotate`, {})).secret;
			});
	};
	const remove = async () => {
		if (
			await ask({
				title: t("deleteSure", { url: one.url }),
				text: t("deleteText"),
				yes: t("delete"),
				isFinal: true,
			})
		)
			await attempt(async () => {
				await api.delete(path);
				await go("/webhooks", { replace: true });
				tell(t("deleted", { url: one.url }));
			});
	};

	return html`<div class="head"><h1 class="long"><bdi>${one?.url ?? t("title")}</bdi></h1>${
		one &&
		html`
			<${Button} onClick=${test} data-test>${t("test")}<//>
			<${Button} onClick=${() => (isChanging.value = true)} data-change>${t("change")}<//>
			<${Menu} label=${t("more")}
				items=${[
					{ label: t("rotate"), onClick: rotate },
					{ label: t("delete"), isOut: true, onClick: remove },
				]}><${Icon} name="more" />
					<//>`
	}</div>
		${
			secret.value &&
			html`<${Once} title=${tw("secretOf", { url: one.url })} text=${tw("secretOnce")}
				secret=${secret.value} onClose=${() => (secret.value = "")} data-secret />`
		}
		<${Loaded} from=${target}>
		${({ item }) => html`<div
			class="blocks wide-blocks"><${About} one=${item} />
			<${Queue} targets=${[item]} onChange=${reload} />
			<${Deliveries} path=${path} state=${query.state} cursor=${query.cursor}
				delivery=${query.delivery} changes=${changes.value} onChange=${reload} /></div>`}<//>
		${
			isChanging.value &&
			html`<${Form} title=${t("save")} one=${one} onClose=${() => (isChanging.value = false)}
				onSend=${change} />`
		}`;
}
