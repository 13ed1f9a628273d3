// frames.mjs - the files of the plugin pager (t/plugins/pager.c), which a test copies beside the plugin: a page and
// widgets that do what the test tells them.
import fs from "node:fs";
import path from "node:path";

const page = (title, body, script) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="stet.css"></head>
<body>${body}<script src="stet.js"></script><script src="${script}"></script></body>
</html>
`;

const FILES = {
	"desk.html": page(
		"Desk",
		'<h1>At the desk</h1><p id="said"></p><p><a href="other.html">Elsewhere</a> <button>Work</button></p>',
		"desk.js",
	),
	"desk.js": `stet.start((start) => {
		document.querySelector("#said").textContent = start.query.q ?? "";
		globalThis.start = start;
		if (start.query.q === "steal") {
			document.querySelector("button").focus();
			stet.navigate("/media");
			void stet.post("/plugins/pager/echo", { text: "stolen" });
		}
	});
	stet.onTheme((theme) => (globalThis.theme = theme));
	document.querySelector("button").addEventListener("click", () => globalThis.onWork?.());`,
	"other.html": page("Other", "<h1>Another page</h1>", "none.js"),
	"rate.html": page(
		"Rate",
		'<div class="row" role="group" aria-label="Rate"><button value="1">1</button><button value="2">2</button><button value="3">3</button><span class="problem"></span></div>',
		"rate.js",
	),
	"rate.js": `const buttons = document.querySelectorAll("button");
	const show = (value) => buttons.forEach((one) => (one.ariaPressed = String(Number(one.value) === value)));
	buttons.forEach((one) => one.addEventListener("click", () => { show(Number(one.value)); stet.setValue(Number(one.value)); }));
	stet.onValue(show);
	stet.onProblem((text) => (document.querySelector(".problem").textContent = text));
	stet.start((start) => { globalThis.start = start; show(start.value); });`,
	"silent.html": page("Silent", "<p>Nothing is said here.</p>", "none.js"),
};

/**
 * Puts the plugin and its files into a directory of plugins.
 * @param {string} build
 * @param {string} source
 * @param {string} to
 */
export function putPager(build, source, to) {
	const pages = path.join(to, "pager.pages");

	fs.mkdirSync(pages, { recursive: true, mode: 0o755 });
	fs.copyFileSync(path.join(build, "t/plugins/pager/.libs/pager.so"), path.join(to, "pager.so"));
	fs.chmodSync(path.join(to, "pager.so"), 0o644);
	for (const name of ["stet.js", "stet.css"])
		fs.writeFileSync(path.join(pages, name), fs.readFileSync(path.join(source, "plugin-sdk/pages", name)), {
			mode: 0o644,
		});
	for (const [name, text] of Object.entries(FILES))
		fs.writeFileSync(path.join(pages, name), text, { mode: 0o644 });
}
