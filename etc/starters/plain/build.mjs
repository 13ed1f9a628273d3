// build.mjs - writes the whole site into dist/, as files for any web server: pages.mjs has the pages, config.mjs what you
// decide. Prints what could not be shown as it was meant.
import { createSite, redirectFiles, toldLines } from "@stet/model";
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { options } from "./config.mjs";
import { entryPage, listPage, notFoundPage, previewPage, searchPage } from "./pages.mjs";

const AT_ONCE = 8; // pages that ask the site something

/** The modules and style sheets of pages, by their names in dist/. */
function assets() {
	const { resolve } = createRequire(import.meta.url);
	const read = (name) => fs.readFileSync(resolve(name), "utf8");
	const sheets = ["@stet/render/style.css", "@stet/model/style.css", "./style.css"];

	return [
		["assets/style.css", sheets.map(read).join("\n")],
		["assets/client.js", read("@stet/client")],
		["assets/render.js", read("@stet/render")],
		["assets/browser.js", read("@stet/model/browser")],
	];
}

/** The files of the site by their names. */
async function filesOf(site) {
	const files = new Map(redirectFiles(site.redirects));
	const routes = [...site.routes.values()];
	const publicUrl = options.publicUrl;

	for (let i = 0; i < routes.length; i += AT_ONCE)
		await Promise.all(
			routes.slice(i, i + AT_ONCE).map(async ({ path: where, entry, list, search }) => {
				const page = entry
					? await entryPage(site, entry, options.render.keys)
					: list
						? listPage(site, list)
						: searchPage(site, publicUrl, search);
				files.set(path.join(where.slice(1), "index.html"), page);
			}),
		);
	files.set("search/index.html", searchPage(site, publicUrl, { locale: site.locale, search: "/search/" }));
	files.set("preview/index.html", previewPage(site, publicUrl));
	files.set("404.html", notFoundPage(site));
	files.set("feed.xml", site.feed());
	for (const [name, text] of assets()) files.set(name, text);
	return files;
}

/** Replaces dist/. */
function write(files) {
	const dist = path.resolve("dist");

	fs.rmSync(dist, { recursive: true, force: true });
	if (fs.existsSync("public")) fs.cpSync("public", dist, { recursive: true });
	for (const [name, text] of files) {
		const file = path.join(dist, name);
		if (!file.startsWith(dist + path.sep)) throw new Error(`${name} is not in dist/`);
		fs.mkdirSync(path.dirname(file), { recursive: true });
		fs.writeFileSync(file, text);
	}
}

const began = Date.now();
const site = await createSite(options);
const files = await filesOf(site);
write(files);
for (const line of toldLines(site.told)) console.log(`[told] ${line}`);
console.log(`${files.size} files in dist/, ${Date.now() - began} ms`);
