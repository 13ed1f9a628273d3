// Html.tsx - an element with HTML that @stet/render has made, which is safe to show.
interface Props {
	html: string;
	className?: string;
	as?: "div" | "dd";
}

export const Html = ({ html, className, as: Tag = "div" }: Props) => (
	<Tag className={className} dangerouslySetInnerHTML={{ __html: html }} />
);
