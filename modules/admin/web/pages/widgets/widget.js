// widget.js - the page of one widget.
import { useEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { ApiError, api, segment } from "../../lib/api.js";
import { useLoad } from "../../lib/load.js";
import { go } from "../../lib/router.js";
import { wordsOf } from "../../lib/words.js";
import { crumbs, ownTitle } from "../../shell/open.js";
import { PageForm, useTouched } from "../../ui/form.js";
import { Button, Empty, Field, Loaded, tell, tellProblem } from "../../ui/index.js";
import { Rich, RichField } from "../editor/rich.js";
import { WidgetFields, membersOf, nameOf, sureToTakeOut, t } from "./fields.js";

const wrong = (message) => new ApiError(0, { code: "VALIDATION_ERROR", message, details: { field: "componentProps" } });

/** @param {string} text */
function propsOf(text) {
	let value = null;

	try {
		value = text.trim() === "" ? null : JSON.parse(text);
	} catch (error) {
		throw wrong(t("propsWrong", { message: error.message }));
	}
	if (value !== null && (typeof value !== "object" || Array.isArray(value)))
		throw wrong(t("propsWrong", { message: "{…}" }));
	return value;
}

/** @param {{area: any, widget: any}} props */
function Widget({ area, widget }) {
	const draft = useTouched(),
		props = useSignal(widget.componentProps ? JSON.stringify(widget.componentProps, null, 2) : "");
	const cells = {
		kind: useSignal(widget.type),
		title: useSignal(widget.title ?? ""),
		menu: useSignal(widget.menuName ?? ""),
		component: useSignal(widget.componentId ?? ""),
	};
	const rich = useRef(/** @type {Rich | null} */ (null)),
		now = useSignal(widget),
		path = `/widget-areas/${segment(area.name)}/widgets/${segment(widget.id)}`;

	rich.current ??= new Rich(widget.content ?? [], draft.touch);
	useEffect(() => {
		ownTitle.value = nameOf(now.value);
		crumbs.value = [{ label: wordsOf("pages")("widgets"), path: "/widgets" }];
	}, [now.value]);
	const save = async () => {
		const { value: kind } = cells.kind;
		const more =
			kind === "content"
				? { content: rich.current.value() }
				: kind === "component"
					? { componentProps: propsOf(props.value) }
					: {};

		now.value = await api.put(path, { ...membersOf(cells), ...more });
	};
	const takeOut = async () => {
		if (!(await sureToTakeOut(now.value))) return;
		await api.delete(path);
		draft.saved.value = draft.now.value;
		tell(t("deleted", { name: nameOf(now.value) }));
		await go("/widgets");
	};

	return html`<div
		class="head">
		<div><h1><bdi>${nameOf(now.value)}</bdi></h1><p class="quiet">${t("inArea", { name: area.label })}</p>
		</div>
			<div class="bs">
			<${Button} kind="out" onClick=${takeOut} onError=${tellProblem} data-remove>${t("delete")}<//>
			</div></div>
		<${PageForm} label=${t("form", { name: nameOf(now.value) })} draft=${draft} save=${save}
			yes=${t("save")}
			fields=${["type", "title", "menuName", "componentId", "componentProps", "content"]}>
			${(at) => html`
			<${WidgetFields} ...${cells} at=${at}>
				${
					cells.kind.value === "component" &&
					html`<${Field} label=${t("props")} note="JSON" help=${t("propsHelp")}
						problem=${at("componentProps")}>
						${(p) => html`<textarea class="in mono" rows="5" spellcheck=${false}
							...${p} value=${props.value}
							onInput=${(e) => (props.value = e.currentTarget.value)} />`}
							<//>`
				}
				${
					cells.kind.value === "content" &&
					html`<${RichField} rich=${rich.current} name="content" label=${t("text")}
						problem=${at("content")} />`
				}<//>`}<//>`;
}

export default function WidgetPage({ params }) {
	const one = useLoad((signal) => api.get(`/widget-areas/${segment(params.area)}`, { signal }), [params.area]);
	const found = one.data.value?.widgets.find((w) => w.id === params.widget);

	return html`<${Loaded} from=${one} heading=${t("title")}
		empty=${() =>
			!found &&
			html`<div class="head"><h1>${t("title")}</h1></div>
				<div class="sheet"><${Empty} title=${t("gone")} /></div>`}>
				${(area) => html`<${Widget} key=${found.id} area=${area} widget=${found} />`}<//>`;
}
