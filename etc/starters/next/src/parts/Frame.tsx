// Frame.tsx - what is around every page: title, navigation, footer.
import "@stet/render/style.css";
import "@stet/model/style.css";
import "../style.css";
import { directionOf, phrasesOf } from "@stet/model";
import type { ReactNode } from "react";
import { site } from "../site";
import { Links } from "./Links";
import { To } from "./To";

interface Props {
	locale?: string | undefined;
	/** The address of the page, which its menu marks. */
	path?: string | undefined;
	children: ReactNode;
}

export async function Frame({ locale: given, path = "", children }: Props) {
	const the = await site();
	const { siteTitle: name, logo } = the.settings;
	const locale = given ?? the.locale;
	const t = phrasesOf(locale);
	const language = the.languages.find((one) => one.locale === locale) ?? { path: "/", search: "/search/" };

	return (
		<html lang={locale} dir={directionOf(locale)}>
			<body>
				<a className="skip" href="#main" lang={t.lang}>
					{t.skip}
				</a>
				<header className="site-head">
					<To className="site-name" to={language.path}>
						{logo?.url ? (
							<img src={the.mediaUrl(logo)} alt={logo.alt || name} />
						) : (
							name
						)}
					</To>
					<nav aria-label={t.mainMenu}>
						<ul key={path}>
							<Links links={the.menu("menu", locale)} path={path} />
							<li>
								<a href={language.search}>{t.search}</a>
							</li>
						</ul>
					</nav>
				</header>
				<main id="main">{children}</main>
				<footer className="site-foot">
					<nav aria-label={t.footerMenu}>
						<ul>
							<Links links={the.menu("footer", locale)} path={path} />
							{the.languages.length > 1 &&
								the.languages.map((one) => (
									<li key={one.locale}>
										<a
											href={one.path}
											lang={one.locale}
											hrefLang={one.locale}
										>
											{one.name}
										</a>
									</li>
								))}
							<li>
								<a href="/feed.xml">{t.feed}</a>
							</li>
						</ul>
					</nav>
					<span>{name}</span>
				</footer>
			</body>
		</html>
	);
}
