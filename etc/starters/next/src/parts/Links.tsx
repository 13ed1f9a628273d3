// Links.tsx - items of a menu; those with others in them open.
import type { Link } from "@stet/model";

interface Props {
	links: Link[];
	path: string;
	isInside?: boolean;
}

export function Links({ links, path, isInside }: Props) {
	const anchor = (one: Link) => (
		<a href={one.href} aria-current={one.href === path ? "page" : undefined}>
			{one.label}
		</a>
	);

	return links.map((one, i) => (
		<li key={`${i} ${one.href}`}>
			{one.inside.length === 0 ? (
				anchor(one)
			) : isInside ? (
				<>
					{one.href ? anchor(one) : one.label}
					<ul>
						<Links links={one.inside} path={path} isInside />
					</ul>
				</>
			) : (
				<details name="menu">
					<summary>{one.label}</summary>
					<ul>
						{one.href && <li>{anchor(one)}</li>}
						<Links links={one.inside} path={path} isInside />
					</ul>
				</details>
			)}
		</li>
	));
}
