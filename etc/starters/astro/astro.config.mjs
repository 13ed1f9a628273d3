// astro.config.mjs - where the site will be, for feeds and canonical links (SITE_URL names it); and what the build tells
// at its end (src/told.ts).
import { defineConfig } from "astro/config";
import { loadEnv } from "vite";

// Astro reads .env for pages, but not for this file.
const { SITE_URL } = loadEnv(process.env.NODE_ENV ?? "", process.cwd(), "SITE_");

const told = {
	name: "told",
	hooks: {
		"astro:build:done": ({ logger }) => {
			const all = [...(globalThis.stetTold ?? [])].sort((a, b) => b[1].size - a[1].size);

			for (const [what, where] of all) {
				const [first] = where;
				logger.warn(
					`${what}: ${where.size === 1 ? first : `${where.size} times, first in ${first}`}`,
				);
			}
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
