// layout.tsx - around the pages that every site has.
import type { ReactNode } from "react";
import { Frame } from "../../parts/Frame";

export default function Layout({ children }: { children: ReactNode }) {
	return <Frame>{children}</Frame>;
}
