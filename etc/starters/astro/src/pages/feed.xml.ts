// feed.xml.ts - the newest items as Atom.
import type { APIRoute } from "astro";
import { site } from "../site.js";

export const GET: APIRoute = async () =>
	new Response((await site()).feed(), { headers: { "Content-Type": "application/atom+xml" } });
