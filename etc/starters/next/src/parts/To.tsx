// To.tsx - a link to a page of the site, which is fetched when it is clicked, and not before.
import NextLink from "next/link";
import type { ReactNode } from "react";

interface Props {
	to: string;
	rel?: string;
	className?: string;
	children: ReactNode;
}

export const To = ({ to, ...rest }: Props) => <NextLink href={encodeURI(to)} prefetch={false} {...rest} />;
