// built.mjs - the files that a starter has written.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";

export class Built {
	constructor(dist) {
		this.dist = dist;
	}

	has(name) {
		return fs.existsSync(path.join(this.dist, name));
	}

	read(name) {
		return fs.readFileSync(path.join(this.dist, name), "utf8");
	}

	files(...endings) {
		return fs
			.readdirSync(this.dist, { recursive: true })
			.filter((name) => endings.some((one) => name.endsWith(one)));
	}

	pages() {
		return this.files(".html");
	}

	/** Each link inside the site must lead to a page or file of it, and each fragment to an anchor that exists. */
	assertLinks() {
		const broken = [];
		let count = 0;

		for (const name of this.pages()) {
			const html = this.read(name);
			for (const [, to] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
				const href = to.replaceAll("&amp;", "&");
				if (/^#(fn|main)/.test(href) && !html.includes(` id="${href.slice(1)}"`))
					broken.push(`${name}: ${href}`);
				if (!/^\/(?!\/)/.test(href)) continue;
				const file = decodeURIComponent(href.split(/[?#]/)[0]);
				const isFile = path.extname(file) && !file.endsWith("/");
				count++;
				if (!this.has(isFile ? file : path.join(file, "index.html")))
					broken.push(`${name}: ${href}`);
			}
		}
		assert.deepEqual(broken, []);
		return count;
	}
}
