// route.ts - the newest items as Atom, a file of the built site.
import { site } from "../../site";

export const dynamic = "force-static";

export const GET = async (): Promise<Response> =>
	new Response((await site()).feed(), { headers: { "Content-Type": "application/atom+xml" } });
