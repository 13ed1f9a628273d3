// astro.config.mjs - where the site will be, for feeds and canonical links (SITE_URL names it); and what the build tells
// at its end.
import { toldLines } from "@stet/model";
import { defineConfig } from "astro/config";
import { loadEnv } from "vite";

// Astro reads .env for pages, but not for this file.
const { SITE_URL } = loadEnv(process.env.NODE_ENV ?? "", process.cwd(), "SITE_");

const told = {
	name: "told",
	hooks: {
		"astro:build:done": async ({ logger }) => {
			for (const line of toldLines((await globalThis.stetSite)?.told ?? new Map())) logger.warn(line);
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
