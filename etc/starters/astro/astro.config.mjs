// astro.config.mjs - where the site will be, for feeds and canonical links; SITE_URL names it.
import { defineConfig } from "astro/config";

export default defineConfig({
	site: process.env.SITE_URL ?? "http://localhost:4321",
	output: "static",
	trailingSlash: "ignore",
	devToolbar: { enabled: false },
	telemetry: false,
});
