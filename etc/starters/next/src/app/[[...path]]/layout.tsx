// layout.tsx - around items and lists: the language and the menu are those of the page.
import type { ReactNode } from "react";
import { Frame } from "../../parts/Frame";
import { type Asked, routeOf } from "../../routes";

export default async function Layout({ params, children }: { params: Promise<Asked>; children: ReactNode }) {
	const route = await routeOf(params);

	return (
		<Frame path={route?.path} locale={route?.entry?.item.locale ?? (route?.list ?? route?.search)?.locale}>
			{children}
		</Frame>
	);
}
