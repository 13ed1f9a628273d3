// refresh.ts - an integration of Astro: while "astro dev" runs, changes of the site are shown as they happen.
import { ExpiredError } from "@stet/client";
import type { AstroIntegration } from "astro";
import { NAME } from "./loader.js";
import { said, type SiteOptions, siteOf } from "./site.js";

const SOON = 200; // milliseconds, in which more changes of one edit come
const LATER = 5000;

interface Setup {
	refreshContent?: (options: { loaders: string[] }) => Promise<void>;
	logger: { warn(text: string): void };
}

export function stetRefresh(options: SiteOptions): AstroIntegration {
	const site = siteOf(options);
	let stop: AbortController | undefined;

	async function follow({ refreshContent, logger }: Setup, signal: AbortSignal): Promise<void> {
		let last = "";
		const warn = (error: unknown) => {
			const text = error instanceof Error ? error.message : String(error);
			if (text !== last) logger.warn(text);
			last = text;
		};
		let soon: NodeTimer | undefined;
		const refresh = () => {
			if (soon) clearTimeout(soon);
			soon = setTimeout(() => refreshContent?.({ loaders: [NAME] }).catch(warn), SOON);
		};

		while (!signal.aborted) {
			try {
				for await (const _ of site.client.changes({ signal })) refresh();
			} catch (error) {
				if (error instanceof ExpiredError) refresh();
				else {
					await Promise.reject(error).catch(said(site)).catch(warn);
					await new Promise((resolve) => setTimeout(resolve, LATER));
				}
			}
		}
		if (soon) clearTimeout(soon);
	}

	return {
		name: `${NAME}/refresh`,
		hooks: {
			"astro:server:setup": (setup: Setup) => {
				stop?.abort();
				stop = new AbortController();
				void follow(setup, stop.signal);
			},
			"astro:server:done": () => stop?.abort(),
		},
	};
}

type NodeTimer = ReturnType<typeof setTimeout>;
