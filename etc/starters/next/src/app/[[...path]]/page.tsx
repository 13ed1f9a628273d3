// page.tsx - every page of the site but the fixed ones: items, lists, terms, searches.
import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { entryHead, fixedHead, listHead } from "../../head";
import { keepRedirects } from "../../notes";
import { EntryPage } from "../../parts/EntryPage";
import { ListPage } from "../../parts/ListPage";
import { SearchPage } from "../../parts/SearchPage";
import { type Asked, askedOf, routeOf } from "../../routes";
import { site } from "../../site";

export const dynamicParams = false; // there are no other pages

interface Props {
	params: Promise<Asked>;
}

export async function generateStaticParams(): Promise<Asked[]> {
	const { routes, redirects } = await site();

	keepRedirects(redirects);
	return [...routes.keys()].map(askedOf);
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
	const route = await routeOf(params);

	if (!route) return fixedHead("notFound");
	if (route.search) return fixedHead("search", route.search.locale);
	return route.entry ? entryHead(route.entry) : listHead(route.list);
}

export default async function Page({ params }: Props) {
	const route = await routeOf(params);

	if (!route) notFound();
	if (route.search) return <SearchPage locale={route.search.locale} />;
	return route.entry ? <EntryPage entry={route.entry} /> : <ListPage list={route.list} />;
}
