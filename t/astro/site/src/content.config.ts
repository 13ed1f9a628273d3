import { stetCollections, stetLoader } from "@stet/astro";
import { defineCollection } from "astro:content";

declare const process: { env: Record<string, string | undefined> }; // the types of Node may be missing
const site = { url: process.env.STET_URL ?? "", token: process.env.STET_TOKEN ?? "" };

export const collections = {
	...(await stetCollections({ ...site, collections: { posts: false } })),
	posts: defineCollection({
		loader: stetLoader({ ...site, collection: "posts", include: { terms: true }, render: { top: 2 } }),
	}),
};
