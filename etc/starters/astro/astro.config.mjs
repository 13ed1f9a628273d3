// astro.config.mjs - where the site will be, for feeds and canonical links (SITE_URL names it); what the build tells
// at its end, and files for old addresses of imported items.
import fs from "node:fs";
import { redirectFiles, toldLines } from "@stet/model";
import { defineConfig } from "astro/config";
import { loadEnv } from "vite";

// Astro reads .env for pages, but not for this file.
const { SITE_URL } = loadEnv(process.env.NODE_ENV ?? "", process.cwd(), "SITE_");

const told = {
	name: "told",
	hooks: {
		"astro:build:done": async ({ dir, logger }) => {
			const site = await globalThis.stetSite; // src/site.ts
			if (!site) return;

			for (const [name, text] of redirectFiles(site.redirects)) {
				const file = new URL(encodeURI(name), dir);
				fs.mkdirSync(new URL(".", file), { recursive: true });
				fs.writeFileSync(file, text);
			}
			for (const line of toldLines(site.told)) logger.warn(line);
		},
	},
};

export default defineConfig({
	site: SITE_URL ?? "http://localhost:4321",
	output: "static",
	trailingSlash: "ignore",
	devToolbar: { enabled: false },
	telemetry: false,
	integrations: [told],
});
