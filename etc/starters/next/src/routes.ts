// routes.ts - the pages of the site by their addresses, as app/[[...path]] is asked for them.
import type { Route } from "@stet/model";
import { site } from "./site";

export interface Asked {
	path?: string[];
}

export const askedOf = (path: string): Asked => ({ path: path.split("/").filter(Boolean) });

export async function routeOf(params: Promise<Asked>): Promise<Route | undefined> {
	const { path = [] } = await params;
	const { routes } = await site();

	return routes.get(`/${path.map((one) => `${decodeURIComponent(one)}/`).join("")}`);
}
