// previewpane.js - the preview beside the text: the site in a frame, at three widths. It follows what is typed if the
// page in it speaks the messages of previews (stet-api(7), Previews); otherwise it is loaded again after each save.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { effect, useSignal } from "@preact/signals";
import { html } from "../../lib/html.js";
import { previewAt } from "../../lib/preview.js";
import { manifest } from "../../lib/site.js";
import { shortTime } from "../../lib/time.js";
import { Button, Segments } from "../../ui/index.js";
import { Share } from "../../ui/share.js";
import { t } from "../../editor/words.js";
import { preview } from "./actions.js";

const WIDTHS = [
	["390", "widthPhone"],
	["768", "widthTablet"],
	["1280", "widthDesktop"],
];
const AFTER = 250; // ms after a change until it is shown

/** The values of the item as they stand in the page, saved or not. Its numbers are ordinary ones. */
const draftOf = (item) =>
	JSON.parse(
		JSON.stringify({
			id: item.id,
			collection: item.collection.slug,
			locale: item.locale,
			slug: item.cell(":slug").peek(),
			data: Object.fromEntries(
				item.collection.fields.map(({ slug }) => [
					slug,
					item.texts.get(slug)?.value() ?? item.cell(slug)?.peek() ?? null,
				]),
			),
		}),
	);

/** Puts the cursor where the reader's page was clicked: in a field, and in a text in the block of that key. */
function select(item, { field, key }) {
	const [name, text] =
		[...item.texts].find(([name, one]) => (field === undefined || name === field) && one.reveal?.(key)) ??
		[];

	if (text !== undefined || typeof field !== "string") return;
	const at = document.getElementById(`field-${field}`) ?? document.getElementById(`text-${name ?? field}`);
	at?.scrollIntoView({ block: "center" });
	at?.focus();
}

/** Sends the draft to the page in the frame, now and after each change, and loads other pages again after a save. */
function useFollowing(item, frame, origin, isFollowing) {
	useEffect(() => {
		let timer,
			saved = item.meta.peek();
		const post = () =>
			frame.current?.contentWindow?.postMessage(
				{ type: "stet-preview:draft", version: 1, item: draftOf(item) },
				origin,
			);
		const hear = (event) => {
			if (event.source !== frame.current?.contentWindow) return;
			if (event.origin !== (origin === "*" ? "null" : origin)) return;
			if (event.data?.type === "stet-preview:ready") {
				isFollowing.value = true;
				post();
			} else if (event.data?.type === "stet-preview:select") select(item, event.data);
		};
		const stop = effect(() => {
			void item.changes.value;
			clearTimeout(timer);
			if (isFollowing.value) timer = setTimeout(post, AFTER);
		});
		const stopSaved = effect(() => {
			const now = item.meta.value;

			if (now !== saved && !isFollowing.peek() && frame.current)
				frame.current.src = frame.current.src;
			saved = now;
		});

		addEventListener("message", hear);
		return () => {
			clearTimeout(timer);
			stop();
			stopSaved();
			removeEventListener("message", hear);
		};
	}, []);
}

/** The frame is as wide as the chosen device, and is drawn smaller where the place is narrower. */
function useScale(place, width) {
	const scale = useSignal(1),
		height = useSignal(0);

	useEffect(() => {
		const at = place.current;
		const look = () => {
			const { clientWidth, clientHeight } = at;

			if (clientWidth === 0) return; // it is being removed
			scale.value = Math.min(1, clientWidth / width);
			height.value = clientHeight / scale.value;
		};
		const watch = new ResizeObserver(look);

		look();
		watch.observe(at);
		return () => watch.disconnect();
	}, [width]);
	return { inlineSize: `${width}px`, blockSize: `${height.value}px`, transform: `scale(${scale.value})` };
}

function Site({ item, href, width, isFollowing }) {
	const frame = useRef(/** @type {HTMLIFrameElement | null} */ (null)),
		place = useRef(/** @type {HTMLElement | null} */ (null));
	const { origin } = new URL(href);
	// A page of this origin must not reach these pages, so there it has none of its own; and then it has no address
	// for messages either.
	const isHere = origin === location.origin;
	const style = useScale(place, width);

	useFollowing(item, frame, isHere ? "*" : origin, isFollowing);
	useEffect(() => {
		Object.assign(frame.current.style, style);
	});
	return html`<div class="preview-place" ref=${place}>
		<iframe class="preview-frame" ref=${frame} src=${href} title=${t("preview")} referrerpolicy="no-referrer"
			sandbox=${`allow-scripts allow-forms${isHere ? "" : " allow-same-origin"}`}></iframe></div>`;
}

/** True where there is room for the preview beside the text. */
function useRoom() {
	const media = matchMedia("(min-width: 1100px)"),
		has = useSignal(media.matches);

	useEffect(() => {
		const look = () => {
			has.value = media.matches;
		};
		media.addEventListener("change", look);
		return () => media.removeEventListener("change", look);
	}, []);
	return has.value;
}

/** Gives the focus back to the button that opens the preview. */
function leave() {
	const button = /** @type {HTMLElement | null} */ (document.querySelector("button.preview"));

	(button?.offsetParent ? button : document.getElementById("main"))?.focus();
}

/** Where the preview covers the text, it is a modal dialog, which holds the focus. */
function Over({ onClose, children }) {
	const ref = useRef(/** @type {HTMLDialogElement | null} */ (null));

	useLayoutEffect(() => {
		const dialog = ref.current;

		// It covers the page, unlike other dialogs.
		Object.assign(dialog.style, {
			maxInlineSize: "none",
			maxBlockSize: "none",
			blockSize: "auto",
			margin: 0,
		});
		dialog.showModal();
		dialog.focus();
		return () => {
			dialog.close();
			leave(); // while it was open, nothing else could have the focus
		};
	}, []);
	return html`<dialog class="preview-pane" aria-label=${t("preview")} tabindex="-1" ref=${ref}
		onCancel=${(e) => {
			if (e.target !== ref.current) return;
			e.preventDefault();
			onClose();
		}}>${children}</dialog>`;
}

function Beside({ onClose, children }) {
	const ref = useRef(/** @type {HTMLElement | null} */ (null));

	useEffect(() => ref.current?.focus(), []);
	return html`<aside class="preview-pane" aria-label=${t("preview")} tabindex="-1" ref=${ref}
		onKeyDown=${(e) => {
			if (e.key === "Escape") onClose();
		}}>${children}</aside>`;
}

/**
 * True if the settings have no site, and the server has nothing at this address: no site is connected.
 * @param {string} [href]
 */
function useNoSite(href) {
	const isNone = useSignal(false);

	useEffect(() => {
		isNone.value = false;
		if (!href || manifest.value.siteUrl || new URL(href).origin !== location.origin) return;
		fetch(href, { credentials: "omit" }).then(
			({ status, headers }) => {
				isNone.value = status === 404 && /json/.test(headers.get("content-type") ?? "");
			},
			() => {},
		);
	}, [href]);
	return isNone.value;
}

/** @param {{item: import("./item.js").Item}} props */
export function PreviewPane({ item }) {
	const at = preview.value,
		width = useSignal("768"),
		isFollowing = useSignal(false),
		isSharing = useSignal(false);
	const Pane = useRoom() ? Beside : Over;
	const close = () => {
		preview.value = null;
		leave();
	};

	const { href, isInside } = at === null ? {} : previewAt(at.url, manifest.value.siteUrl),
		isNoSite = useNoSite(href);

	if (at === null) return null;

	return html`<${Pane} onClose=${close}>
		<div class="bs">
		<${Segments} legend=${t("previewWidth")} name="preview-width" value=${width.value}
			options=${WIDTHS.map(([value, name]) => ({ value, label: t(name) }))}
			onChange=${(value) => {
				width.value = value;
			}} />
		<a class="b" href=${href} target="_blank" rel="noopener">${t("openAlone")}</a>
		<${Button} data-share onClick=${() => (isSharing.value = true)}>${t("sharePreview")}<//>
		<${Button} onClick=${close}>${t("close")}<//></div>
		${
			isInside && !isNoSite
				? html`<${Site} key=${href} item=${item} href=${href} width=${Number(width.value)}
					isFollowing=${isFollowing} />`
				: html`<p class="lead" data-no-frame>${t(isNoSite ? "previewNoSite" : "previewElsewhere")}</p>`
		}
		<p class="help">${isInside && !isNoSite && t(isFollowing.value ? "previewFollows" : "previewLoads")}
			${" "}${t("previewUntil", { time: shortTime(new Date(at.expiresAt * 1000).toISOString()) })}</p>
	<//>
	${
		isSharing.value &&
		html`<${Share} path=${item.path} body=${{}}
			onClose=${() => (isSharing.value = false)} />`
	}`;
}
