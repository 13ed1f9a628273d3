// widgets - the widget areas of the site, each with its widgets in their order.
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ApiError, api, request, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { nameFrom } from "../../lib/names.js";
import { go } from "../../lib/router.js";
import { FormDialog } from "../../ui/form.js";
import { Button, Empty, Field, Icon, Loaded, Menu, TextField, ask, tell, tellProblem } from "../../ui/index.js";
import { Tree, focusRow, neighbour } from "../../ui/tree.js";
import { WidgetFields, membersOf, nameOf, sureToTakeOut, t } from "./fields.js";

const pathOf = (area) => `/widget-areas/${segment(area.name)}`;

function MakeArea({ onClose, onSaved }) {
	const label = useSignal(""),
		name = useSignal(/** @type {string | null} */ (null)),
		description = useSignal("");
	const shown = name.value ?? nameFrom(label.value, "-", 63);
	const save = async () => {
		const made = await api.post("/widget-areas", {
			name: shown,
			label: label.value,
			description: description.value || null,
		});

		tell(t("made", { name: made.label }));
		await onSaved();
	};

	return html`<${FormDialog} title=${t("make")} lead=${t("about")} yes=${t("make")} save=${save}
		onClose=${onClose} fields=${["label", "name", "description"]}>${(at) => html`
		<${TextField} label=${t("label")} required autofocus maxlength="200" dir="auto" value=${label.value}
			onInput=${(v) => (label.value = v)} problem=${at("label")} />
		<${TextField} label=${t("name")} help=${t("nameHelp")} class="mono half" required maxlength="63"
			spellcheck=${false} value=${shown} onInput=${(v) => (name.value = v)} problem=${at("name")} />
		<${Field} label=${t("description")}
			problem=${at("description")}>
			${(props) => html`<textarea class="in" rows="2" maxlength="2000" dir="auto" ...${props}
				value=${description.value}
				onInput=${(e) => (description.value = e.currentTarget.value)} />`}<//>`}<//>`;
}

function AddWidget({ area, onClose, onSaved }) {
	const cells = {
		kind: useSignal("content"),
		title: useSignal(""),
		menu: useSignal(""),
		component: useSignal(""),
	};
	const save = async () => {
		const made = await api.post(`${pathOf(area)}/widgets`, {
			...membersOf(cells),
			...(cells.kind.value === "content" ? { content: [] } : {}),
		});

		tell(t("made", { name: nameOf(made) }));
		await onSaved(made);
	};

	return html`<${FormDialog} title=${t("add")} yes=${t("addThis")} save=${save} onClose=${onClose}
		fields=${["type", "title", "menuName", "componentId"]}>
		${(at) => html`<${WidgetFields} ...${cells} at=${at} />`}<//>`;
}

/** A short description of the widget's content. */
function Sub({ widget }) {
	const words =
		widget.type === "menu"
			? widget.menuName
			: widget.type === "component"
				? widget.componentId
				: (widget.content ?? [])
						.flatMap((block) => (block.children ?? []).map((one) => one.text ?? ""))
						.join(" ")
						.slice(0, 80);

	return html`${widget.title && `${t(widget.type)} · `}<bdi>${words}</bdi>`;
}

/**
 * Stores the new order at once, if the area still has the widgets that are shown.
 * @param {string} path @param {any[]} shown @param {any[]} next
 */
async function store(path, shown, next) {
	const { data, response } = await request("GET", path);

	if (JSON.stringify(data.widgets) !== JSON.stringify(shown.map(({ children, ...one }) => one)))
		throw new ApiError(412, { code: "PRECONDITION_FAILED", message: String(t("changed")) });
	await api.put(
		path,
		{ widgets: next.map(({ id }) => ({ id })) },
		{ headers: { "If-Match": response.headers.get("etag") } },
	);
}

/** @param {{area: any, areas: any}} props areas: of useLoad */
function Area({ area, areas }) {
	const isAdding = useSignal(false),
		path = pathOf(area),
		roots = area.widgets.map((one) => ({ ...one, children: [] }));
	const edit = (widget) => go(`/widgets/${segment(area.name)}/${segment(widget.id)}`);
	const onMove = async (id, place, next) => {
		areas.data.value = {
			items: areas.data.value.items.map((one) =>
				one.name === area.name ? { ...one, widgets: next } : one,
			),
		};
		try {
			await store(path, area.widgets, next);
		} catch (error) {
			await areas.reload();
			throw error;
		}
	};
	const trying = async (isSure, work) => {
		try {
			if (await isSure) await work();
		} catch (error) {
			tellProblem(error);
		}
	};
	const takeOut = (widget) =>
		trying(sureToTakeOut(widget), async () => {
			const beside = neighbour(roots, widget.id);

			await api.delete(`${path}/widgets/${segment(widget.id)}`);
			tell(t("deleted", { name: nameOf(widget) }));
			await areas.reload();
			focusRow(beside);
		});
	const remove = () =>
		trying(
			ask({
				title: t("sure", { name: area.label }),
				text: t("sureText", { n: area.widgets.length }),
				yes: t("deleteArea"),
				isFinal: true,
			}),
			async () => {
				await api.delete(path);
				tell(t("deletedArea", { name: area.label }));
				await areas.reload();
				document.getElementById("main").focus();
			},
		);
	const actions = (widget) => [
		{ label: t("edit"), onClick: () => edit(widget) },
		{ label: t("delete"), isOut: true, onClick: () => takeOut(widget) },
	];

	return html`<section class="sheet area" aria-label=${area.label} data-area=${area.name}>
		<div class="head pad">
		<div><h2><bdi>${area.label}</bdi></h2>
		<p class="quiet"><code><bdi>${area.name}</bdi></code>
		${area.description && html` · <bdi>${area.description}</bdi>`}</p></div>
			<div class="bs">
			<${Button} kind="small" onClick=${() => (isAdding.value = true)} data-add>${t("add")}<//>
			<${Menu} label=${t("more", { name: area.label })}
				items=${[{ label: t("deleteArea"), isOut: true, onClick: remove }]}>
				<${Icon} name="more" /><//></div></div>
		${
			roots.length === 0
				? html`<p class="pad quiet">${t("empty")}</p>`
				: html`<${Tree} label=${t("widgets", { name: area.label })} roots=${roots} isFlat
				nameOf=${nameOf} onOpen=${edit} onMove=${onMove} actions=${actions}
				sub=${(widget) => html`<${Sub} widget=${widget} />`} />`
		}
		${
			isAdding.value &&
			html`<${AddWidget} area=${area} onClose=${() => (isAdding.value = false)}
				onSaved=${(made) => (made.type === "content" ? edit(made) : areas.reload())} />`
		}
	</section>`;
}

export default function Widgets() {
	const areas = useLoad((signal) => api.get("/widget-areas", { signal }), []),
		isMaking = useSignal(false);

	return html`<div
		class="head"><h1>${t("title")}</h1>
		<${Button} kind="go" onClick=${() => (isMaking.value = true)} data-make>${t("make")}<//></div>
		<${Loaded} from=${areas}
			empty=${(data) =>
				data.items.length === 0 &&
				html`<div
					class="sheet"><${Empty} title=${t("none")}><p class="quiet">${t("about")}</p>
					<//></div>`}>${(data) => html`
			<div class="blocks">
			${data.items.map((one) => html`<${Area} key=${one.name} area=${one} areas=${areas} />`)}</div>`}
			<//>
		${
			isMaking.value &&
			html`<${MakeArea} onClose=${() => (isMaking.value = false)} onSaved=${areas.reload} />`
		}`;
}
