import { stetRefresh } from "@stet/astro";
import { defineConfig } from "astro/config";

export default defineConfig({
	integrations: [stetRefresh({ url: process.env.STET_URL, token: process.env.STET_TOKEN })],
	devToolbar: { enabled: false },
});
