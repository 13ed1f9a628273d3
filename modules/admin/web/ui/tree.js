// tree.js - a tree or list that people can reorder: by dragging, by Alt and the arrow keys, or by the menu of a row.
//
//	<${Tree} label="Terms" roots=${roots} nameOf=${(node) => node.label} onOpen=${edit} onMove=${(id, place, next) => ...}
//		actions=${(node) => [{ label: "Delete", onClick: ... }]} after=${(node) => node.count} />
//
// lib/tree.js has the nodes, places and moves. Not part of ui/index.js, so only pages with a tree load it.
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { fold } from "../lib/fold.js";
import { html } from "../lib/html.js";
import { addWords } from "../lib/words.js";
import { landing, moved, rowOf, stepOf, walk, without } from "../lib/tree.js";
import { Icon } from "./icon.js";
import { say } from "./live.js";
import { Menu } from "./menu.js";
import { tellProblem } from "./notice.js";
import en from "./tree.json";

const t = addWords("tree", en);
const ALL_OPEN = 200; // nodes: a larger tree begins with its first level
const DEEPEST = 7; // levels with an indent of their own; style/product.css has as many
const SLACK = 4; // px that a pressed pointer may move before it counts as a drag
const EDGE = 64; // px at the top and bottom of the window within which a drag scrolls

/** @typedef {import("../lib/tree.js").Node} Node */

/**
 * Follows a drag from the handle of a row until the pointer is released. @param {{tree: any, event: PointerEvent,
 * rows: import("../lib/tree.js").Row[], depth: number, isFlat: boolean, show: (line: any) => void, drop: (place: any) => void}} drag
 *   rows: those that do not move; depth: of the moving row
 */
function follow({ tree, event, rows, depth, isFlat, show, drop }) {
	const grip = /** @type {HTMLElement} */ (event.currentTarget),
		row = grip.closest("[data-row]"),
		from = { x: event.clientX, y: event.clientY };
	const isRtl = getComputedStyle(tree).direction === "rtl",
		step = parseFloat(getComputedStyle(tree).getPropertyValue("--step")) || 20;
	/** The positions of the rows in the window. */
	const boxes = () =>
		new Map(
			[...tree.querySelectorAll("[data-row]")].map((row) => [
				row.dataset.row,
				row.firstElementChild.getBoundingClientRect(),
			]),
		);
	let isDragging = false,
		place = null,
		last = event,
		timer;

	const look = () => {
		const at = boxes(),
			top = tree.getBoundingClientRect().top;
		const shown = rows.filter((row) => at.has(row.node.id));
		const count = shown.filter((row) => {
			const box = at.get(row.node.id);
			return box.top + box.height / 2 < last.clientY;
		}).length;
		const over = Math.round(((last.clientX - from.x) * (isRtl ? -1 : 1)) / step);
		const before = shown[count - 1],
			first = shown[0];

		place = landing(shown, count, isFlat ? 0 : depth + over);
		show({
			top: before ? at.get(before.node.id).bottom - top : first ? at.get(first.node.id).top - top : 0,
			depth: Math.min(place.depth, DEEPEST),
		});
	};
	const move = (e) => {
		last = e;
		if (!isDragging && Math.hypot(e.clientX - from.x, e.clientY - from.y) < SLACK) return;
		if (!isDragging) {
			isDragging = true;
			tree.classList.add("dragging");
			row.classList.add("moving");
			timer = setInterval(() => {
				const by = last.clientY < EDGE ? -12 : last.clientY > innerHeight - EDGE ? 12 : 0;

				if (by !== 0) {
					scrollBy(0, by);
					look();
				}
			}, 16);
		}
		look();
	};
	const end = (isDropped) => {
		clearInterval(timer);
		tree.classList.remove("dragging");
		row.classList.remove("moving");
		show(null);
		grip.removeEventListener("pointermove", move);
		grip.removeEventListener("pointerup", up);
		grip.removeEventListener("pointercancel", cancel);
		removeEventListener("keydown", key, true);
		if (isDropped && isDragging && place) drop(place);
	};
	const up = () => end(true),
		cancel = () => end(false);
	const key = (e) => {
		if (e.key !== "Escape") return;
		e.preventDefault();
		e.stopPropagation();
		end(false);
	};

	event.preventDefault();
	grip.setPointerCapture(event.pointerId);
	grip.addEventListener("pointermove", move);
	grip.addEventListener("pointerup", up);
	grip.addEventListener("pointercancel", cancel);
	addEventListener("keydown", key, true);
}

/**
 * The line that shows where a dragged row would land.
 * @param {{at: import("@preact/signals").Signal<{top: number, depth: number} | null>}} props
 */
const Line = ({ at }) =>
	at.value &&
	html`<span class="drop-line"
	style=${{
		insetBlockStart: `${at.value.top}px`,
		marginInlineStart: `calc(var(--step) * ${at.value.depth} * 1px)`,
	}}></span>`;

/**
 * @param {{label: string, roots: Node[], nameOf: (node: any) => string, onOpen: (node: any) => void,
 *   onMove?: (id: string, place: import("../lib/tree.js").Place, next: Node[]) => any, isFlat?: boolean, match?: string,
 *   actions?: (node: any) => any[], sub?: (node: any) => any, after?: (node: any) => any}} props
 *   onMove: stores the move; if it throws, the error is shown and the tree is as before. match: shows only nodes whose
 *   names contain this text, and their ancestors; nodes cannot be moved then. sub, after: further text of a row
 */
export function Tree({
	label,
	roots,
	nameOf,
	onOpen,
	onMove,
	isFlat = false,
	match = "",
	actions = () => [],
	sub,
	after,
}) {
	const root = useRef(/** @type {any} */ (null)),
		id = useId(),
		line = useSignal(/** @type {any} */ (null));
	const now = useRef({ roots, onMove }),
		waiting = useRef(0),
		last = useRef(Promise.resolve());
	const turned = useSignal(/** @type {Set<string>} */ (new Set())),
		wanted = useRef(/** @type {{id: string, part: string} | null} */ (null));
	const text = fold(match.trim()),
		all = walk(roots),
		isLarge = all.length > ALL_OPEN;
	const isOpen = (node) => text !== "" || isLarge === turned.value.has(node.id);
	const mayMove = Boolean(onMove) && text === "";
	now.current = { roots, onMove };
	/** @type {Set<string> | null} */
	const found = text === "" ? null : new Set();

	for (const row of found ? all : [])
		if (fold(nameOf(row.node)).includes(text))
			for (let one = row; one; one = one.parent) found.add(one.node.id);
	const focus = (row, part) =>
		/** @type {HTMLElement | null} */ (
			root.current?.querySelector(`[data-row="${CSS.escape(row)}"] > .tree-row ${part}`)
		)?.focus();

	// After a move the row may be a new element, so focus it again, unless the person has moved the focus
	// elsewhere.
	useLayoutEffect(() => {
		if (wanted.current && document.activeElement === document.body)
			focus(wanted.current.id, wanted.current.part);
	});
	const turn = (node, want) => {
		const next = new Set(turned.value);

		want === isLarge ? next.add(node) : next.delete(node);
		turned.value = next;
	};
	/** Moves a node. placeOf: returns the target place in the tree as it is when the move starts. */
	const put = async (node, placeOf, part) => {
		const place = placeOf(now.current.roots),
			next = place && moved(now.current.roots, node.id, place);

		if (!next) {
			say(t("firstOf", { name: nameOf(node) }));
			return;
		}
		wanted.current = { id: node.id, part };
		for (let row = rowOf(next, node.id).parent; row; row = row.parent) turn(row.node.id, true);
		try {
			await now.current.onMove(node.id, place, next);
			const row = rowOf(next, node.id),
				above = row.parent?.node;

			say(
				t("moved", {
					name: nameOf(node),
					n: row.at + 1,
					of: row.of,
					where: isFlat ? "" : above ? t("below", { name: nameOf(above) }) : t("top"),
				}).trim(),
			);
		} catch (error) {
			tellProblem(error);
		}
		await new Promise((then) => setTimeout(then, 0)); // until the tree is drawn anew
		wanted.current = null;
	};
	// A move waits until the previous one is stored. While a key is held, at most one move waits.
	const queue = (node, placeOf, part) => {
		if (waiting.current > 1) return;
		waiting.current++;
		last.current = last.current
			.then(() => put(node, placeOf, part))
			.catch(tellProblem)
			.finally(() => waiting.current--);
	};
	const step = (node, way, part) =>
		queue(
			node,
			(roots) => (isFlat && (way === "in" || way === "out") ? null : stepOf(roots, node.id, way)),
			part,
		);

	const onKeyDown = (event) => {
		const target = /** @type {HTMLElement} */ (event.target),
			row = /** @type {HTMLElement | null} */ (target.closest("[data-row]")),
			node = row && rowOf(roots, row.dataset.row)?.node;
		const isRtl = getComputedStyle(root.current).direction === "rtl";
		const way = {
			ArrowUp: "up",
			ArrowDown: "down",
			ArrowLeft: isRtl ? "in" : "out",
			ArrowRight: isRtl ? "out" : "in",
		}[event.key];

		if (
			!node ||
			event.defaultPrevented ||
			target.closest("[popover]") ||
			event.ctrlKey ||
			event.metaKey ||
			event.shiftKey
		)
			return;
		if (event.altKey && way && mayMove) {
			event.preventDefault();
			step(node, way, target.matches(".tree-name") ? ".tree-name" : "[aria-haspopup]");
		} else if (!event.altKey && target.matches(".tree-name")) walkTo(event, node, way);
	};
	/** Arrow keys without Alt move the focus between names, and open and close nodes. */
	const walkTo = (event, node, way) => {
		const names = [...root.current.querySelectorAll(".tree-name")],
			at = names.indexOf(event.target),
			has = node.children.length > 0;
		const to =
			{ up: names[at - 1], down: names[at + 1] }[way] ??
			{ Home: names[0], End: names.at(-1) }[event.key];

		if (to) to.focus();
		else if (way === "in" && has && !isOpen(node)) turn(node.id, true);
		else if (way === "in" && has) names[at + 1].focus();
		else if (way === "out" && has && isOpen(node) && text === "") turn(node.id, false);
		else if (way === "out") focus(rowOf(roots, node.id).parent?.node.id ?? "", ".tree-name");
		else return;
		event.preventDefault();
	};
	const grab = (node) => (event) => {
		if (event.button === 0)
			follow({
				tree: root.current,
				event,
				isFlat,
				rows: walk(without(roots, node.id), isOpen),
				depth: rowOf(roots, node.id).depth,
				show: (now) => (line.value = now),
				drop: (place) => {
					focus(node.id, ".tree-name");
					queue(node, () => place, ".tree-name");
				},
			});
	};
	const moves = (node) =>
		["up", "down", ...(isFlat ? [] : ["in", "out"])].map((way) => {
			const place = mayMove && stepOf(roots, node.id, /** @type {any} */ (way)),
				above = way === "in" ? place?.parent : rowOf(roots, node.id)?.parent?.node.id;

			return (
				place && {
					label: t(way, { name: above ? nameOf(rowOf(roots, above).node) : "" }),
					onClick: () => step(node, way, "[aria-haspopup]"),
				}
			);
		});
	const rows = (nodes) =>
		nodes
			.filter((node) => !found || found.has(node.id))
			.map((node) => {
				const has = node.children.length > 0,
					open = has && isOpen(node),
					name = nameOf(node);

				return html`<li key=${node.id} data-row=${node.id}>
			<div class="tree-row">
				${
					mayMove &&
					html`<span class="grip" aria-hidden="true" onPointerDown=${grab(node)}>
					</span>`
				}
				${
					!isFlat &&
					(has
						? html`<button type="button" class="b bare twist"
							aria-expanded=${String(open)}
						aria-label=${t(open ? "hide" : "show", { name })}
						disabled=${text !== ""}
						onClick=${() => turn(node.id, !open)}><${Icon} name="down" /></button>`
						: html`<span class="twist"></span>`)
				}
				<span class="tree-what">
				<button type="button" class="tree-name"
					aria-keyshortcuts=${mayMove ? "Alt+ArrowUp Alt+ArrowDown" : undefined}
					onClick=${() => onOpen(node)}><bdi>${name}</bdi></button>
				${sub && html`<span class="tree-sub">${sub(node)}</span>`}</span>
				${after && html`<span class="tree-after">${after(node)}</span>`}
				<${Menu} label=${t("more", { name })}
					items=${() => [...moves(node), ...actions(node)]}><${Icon} name="more" /><//>
			</div>
			${open && html`<ul role="list">${rows(node.children)}</ul>`}
		</li>`;
			});

	return html`<div class="tree" ref=${root} onKeyDown=${onKeyDown}>
		<p class="help pad"
			id=${id}>${
				text !== ""
					? t(found.size === 0 ? "none" : "filtered")
					: mayMove
						? t(isFlat ? "helpFlat" : "help")
						: ""
			}</p>
		<ul role="list" aria-label=${label} aria-describedby=${id}>${rows(roots)}</ul>
		<${Line} at=${line} />
	</div>`;
}

/** Focuses a row once it is shown, or the page if there is no such row. @param {string | undefined} id */
export const focusRow = (id) =>
	requestAnimationFrame(() =>
		/** @type {HTMLElement} */ (
			(id && document.querySelector(`[data-row="${CSS.escape(id)}"] > .tree-row .tree-name`)) ??
				document.getElementById("main")
		).focus(),
	);

/** The id of the row that has the focus. @returns {string | undefined} */
export const focusedRow = () =>
	/** @type {HTMLElement | null} */ (document.activeElement?.closest("[data-row]"))?.dataset.row;

/** The row to focus after this one is removed. @param {Node[]} roots @param {string} id */
export function neighbour(roots, id) {
	const row = rowOf(roots, id),
		beside = row.parent ? row.parent.node.children : roots;

	return (beside[row.at + 1] ?? beside[row.at - 1] ?? row.parent?.node)?.id;
}
