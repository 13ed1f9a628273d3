// astro.config.mjs - where the site will be, for feeds and canonical links; SITE_URL names it.
import { defineConfig } from "astro/config";
import { loadEnv } from "vite";

// Astro reads .env for pages, but not for this file.
const { SITE_URL } = loadEnv(process.env.NODE_ENV ?? "", process.cwd(), "SITE_");

export default defineConfig({
	site: SITE_URL ?? "http://localhost:4321",
	output: "static",
	trailingSlash: "ignore",
	devToolbar: { enabled: false },
	telemetry: false,
});
