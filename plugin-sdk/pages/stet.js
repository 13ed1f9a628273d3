// stet.js - for pages and field widgets of plugins: exchanges messages with the admin pages around them (see the book,
// "Pages and field widgets"). Copy it into NAME.pages, beside the page:
//
//	<!doctype html>
//	<html lang="en">
//	<head><meta charset="utf-8"><title>Rating</title><link rel="stylesheet" href="stet.css"></head>
//	<body><input type="range" min="1" max="5"><script src="stet.js"></script><script src="rating.js"></script></body>
//	</html>
//
// rating.js:
//
//	const input = document.querySelector("input");
//	stet.start(({ field, value }) => {
//		input.ariaLabel = field.label;
//		input.value = value ?? 1;
//	});
//	stet.onValue((value) => (input.value = value ?? 1));
//	input.addEventListener("input", () => stet.setValue(Number(input.value)));
//
// The admin pages stop a frame that says nothing within five seconds, so call stet.start at once.
globalThis.stet = (() => {
	"use strict";
	const VERSIONS = [1];
	const EACH = 50; // ms between two messages with values or heights, at least
	const AT_ONCE = 4; // concurrent requests; further ones are queued

	const nonce = location.hash.slice(1),
		root = document.documentElement;
	/** @type {MessagePort | null} */
	let port = null;
	let show = null,
		theme = null,
		onValue = () => {},
		onProblem = () => {},
		onTheme = () => {};

	const send = (message) => port?.postMessage(message);

	/** Sends the latest message of a kind, not more often than every EACH ms. */
	function slowly() {
		let latest = null,
			timer = 0,
			last = -EACH;
		const go = () => {
			timer = 0;
			last = performance.now();
			send(latest);
		};

		return (message) => {
			latest = message;
			if (timer === 0) timer = setTimeout(go, Math.max(0, last + EACH - performance.now()));
		};
	}
	const sendValue = slowly(),
		sendHeight = slowly();

	/* ---- look ---- */

	function dress(next) {
		theme = next;
		for (const [name, value] of Object.entries(theme.variables)) root.style.setProperty(name, value);
		root.style.colorScheme = theme.scheme;
		root.dataset.scheme = theme.scheme;
		root.dir = theme.dir;
		onTheme(theme);
	}

	function followHeight() {
		new ResizeObserver(() =>
			sendHeight({ type: "resize", height: root.getBoundingClientRect().height }),
		).observe(root);
	}

	/* ---- requests ---- */

	const waiting = new Map(),
		queue = [];
	let number = 0;

	function nextRequest() {
		while (waiting.size < AT_ONCE && queue.length > 0) {
			const { message, settle } = queue.shift();

			waiting.set(message.id, settle);
			send(message);
		}
	}

	function answered({ id, ok, data, error }) {
		const settle = waiting.get(id);

		waiting.delete(id);
		if (ok) settle?.resolve(data);
		else settle?.reject(Object.assign(new Error(error.message), error));
		nextRequest();
	}

	/** Resolves with `data` of the response; rejects with an Error that has status, code and details. */
	const request = (method, path, body) =>
		new Promise((resolve, reject) => {
			queue.push({
				message: {
					type: "request",
					id: ++number,
					method,
					path,
					...(body === undefined ? {} : { body }),
				},
				settle: { resolve, reject },
			});
			nextRequest();
		});

	/* ---- the talk ---- */

	let begin = null;

	async function run() {
		if (show === null || begin === null || theme === null) return;
		const [run, told] = [show, begin];

		show = null;
		await run(told);
		followHeight();
		send({ type: "ready" });
	}

	function take({ data }) {
		switch (data.type) {
			case "start":
				begin = data;
				return void run();
			case "theme":
				dress(data);
				return void run();
			case "value":
				return onValue(data.value);
			case "problem":
				return onProblem(data.text);
			case "answer":
				return answered(data);
		}
	}

	addEventListener("message", ({ source, data, ports }) => {
		if (source !== parent || port !== null || data?.stet !== "welcome" || data.nonce !== nonce) return;
		[port] = ports;
		port.onmessage = take;
	});
	if (parent !== window) parent.postMessage({ stet: "hello", nonce, versions: VERSIONS }, "*");

	return {
		/**
		 * Calls `run` once, with {kind: "page" | "widget", plugin, name} and, of a page, `query` of its address; of a widget,
		 * `field` {slug, label, type, required, options, validation}, `locale` of the item, and `value`. The theme is set
		 * then. When it has returned, or what it returned has resolved, the frame is shown as ready.
		 */
		start(fn) {
			show = fn;
			void run();
		},
		/** The value was changed elsewhere. */
		onValue: (fn) => (onValue = fn),
		/** The server's validation message for the value; "": the value is valid. */
		onProblem: (fn) => (onProblem = fn),
		/**
		 * The theme has changed: {scheme: "light" | "dark", dir, language, variables}. Styles follow
		 * automatically.
		 */
		onTheme(fn) {
			onTheme = fn;
			if (theme !== null) fn(theme);
		},
		/**
		 * Sets the value of the field, a JSON value; null: no value. It is saved and validated like any other.
		 */
		setValue: (value) => sendValue({ type: "value", value }),
		request,
		get: (path) => request("GET", path),
		post: (path, body = {}) => request("POST", path, body),
		put: (path, body = {}) => request("PUT", path, body),
		patch: (path, body = {}) => request("PATCH", path, body),
		delete: (path) => request("DELETE", path),
		/** Sets the title of the page. */
		title: (text) => send({ type: "title", text }),
		/** Shows a line about a finished action. */
		toast: (text) => send({ type: "toast", text }),
		/** Opens an admin page, "/collections/posts", while somebody works in this one. */
		navigate: (path) => send({ type: "navigate", path }),
	};
})();
