/* allow.c - what an SVG document may have: names of elements and attributes, and values. */
#include "svg/svg.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Static elements of SVG 1.1 and 2, in the order of strcmp. Not among them are scripts, animations
 * (which may set addresses), foreignObject, links to files (feImage, font-face-uri) and metadata.
 */
static const char *const elements[] = { "circle", "clipPath", "defs", "desc", "ellipse", "feBlend",
	"feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix",
	"feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood",
	"feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feMerge", "feMergeNode",
	"feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight", "feTile",
	"feTurbulence", "filter", "g", "image", "line", "linearGradient", "marker", "mask", "path",
	"pattern", "polygon", "polyline", "radialGradient", "rect", "stop", "svg", "switch",
	"symbol", "text", "textPath", "title", "tspan", "use" };

/* Attributes of these, in the order of strcmp; href is another case. */
static const char *const attributes[] = { "alignment-baseline", "amplitude", "aria-describedby",
	"aria-hidden", "aria-label", "aria-labelledby", "azimuth", "baseFrequency",
	"baseline-shift", "bias", "class", "clip", "clip-path", "clip-rule", "clipPathUnits",
	"color", "color-interpolation", "color-interpolation-filters", "color-rendering", "cx",
	"cy", "d", "diffuseConstant", "direction", "display", "divisor", "dominant-baseline", "dx",
	"dy", "edgeMode", "elevation", "exponent", "fill", "fill-opacity", "fill-rule", "filter",
	"filterUnits", "flood-color", "flood-opacity", "font-family", "font-size",
	"font-size-adjust", "font-stretch", "font-style", "font-variant", "font-weight", "fr", "fx",
	"fy", "gradientTransform", "gradientUnits", "height", "id", "image-rendering", "in", "in2",
	"intercept", "k1", "k2", "k3", "k4", "kernelMatrix", "kernelUnitLength", "lang",
	"lengthAdjust", "letter-spacing", "lighting-color", "limitingConeAngle", "marker-end",
	"marker-mid", "marker-start", "markerHeight", "markerUnits", "markerWidth", "mask",
	"mask-type", "maskContentUnits", "maskUnits", "method", "mix-blend-mode", "mode",
	"numOctaves", "offset", "opacity", "operator", "order", "orient", "overflow", "paint-order",
	"pathLength", "patternContentUnits", "patternTransform", "patternUnits", "pointer-events",
	"points", "pointsAtX", "pointsAtY", "pointsAtZ", "preserveAlpha", "preserveAspectRatio",
	"primitiveUnits", "r", "radius", "refX", "refY", "result", "role", "rotate", "rx", "ry",
	"scale", "seed", "shape-rendering", "side", "slope", "spacing", "specularConstant",
	"specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
	"stop-color", "stop-opacity", "stroke", "stroke-dasharray", "stroke-dashoffset",
	"stroke-linecap", "stroke-linejoin", "stroke-miterlimit", "stroke-opacity", "stroke-width",
	"style", "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY",
	"text-anchor", "text-decoration", "text-rendering", "textLength", "transform",
	"transform-origin", "type", "unicode-bidi", "values", "vector-effect", "version", "viewBox",
	"visibility", "white-space", "width", "word-spacing", "writing-mode", "x", "x1", "x2",
	"xChannelSelector", "y", "y1", "y2", "yChannelSelector", "z" };

static int
compare(const void *key, const void *entry)
{
	return strcmp(key, *(const char *const *)entry);
}

static bool
is_in(const char *const *list, size_t count, const char *name)
{
	return bsearch(name, list, count, sizeof(*list), compare) != NULL;
}

enum svg_element
svg_element(const char *name)
{
	if (strcmp(name, "style") == 0)
		return SVG_STYLE;
	if (strcmp(name, "a") == 0)
		return SVG_OPENED;
	return is_in(elements, COUNT(elements), name) ? SVG_KEPT : SVG_LEFT_OUT;
}

/* ---- values ---- */

/* Functions that load what an address names, besides url(). */
static bool
loads(const char *css)
{
	static const char *const names[] = { "image(", "image-set(", "src(", "expression(",
		"javascript:", "-moz-binding", "behavior" };

	for (size_t i = 0; i < COUNT(names); i++)
		if (strcasestr(css, names[i]) != NULL)
			return true;
	return false;
}

/* Rules for a medium, such as dark screens, contain rules like others. */
static bool
has_other_rules(const char *css)
{
	while ((css = strchr(css, '@')) != NULL) {
		if (strncasecmp(css, "@media", 6) != 0)
			return true;
		css++;
	}
	return false;
}

bool
svg_is_local(const char *css)
{
	if (strchr(css, '\\') != NULL || has_other_rules(css) || loads(css))
		return false;
	while ((css = strcasestr(css, "url(")) != NULL) {
		css += 4;
		css += strspn(css, " \t\r\n");
		css += *css == '"' || *css == '\'';
		if (*css != '#')
			return false;
	}
	return true;
}

/* A picture in the file itself, of a type that cannot run anything. */
static bool
is_picture(const char *value)
{
	static const char *const types[] = { "data:image/png;base64,", "data:image/jpeg;base64,",
		"data:image/gif;base64,", "data:image/webp;base64," };
	static const char digits[] =
	    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= \t\r\n";

	for (size_t i = 0; i < COUNT(types); i++) {
		size_t len = strlen(types[i]);

		if (strncasecmp(value, types[i], len) == 0)
			return value[len + strspn(value + len, digits)] == '\0';
	}
	return false;
}

/* Other elements than these have no use for an address. */
static bool
is_address(const char *element, const char *value)
{
	static const char *const within[] = { "linearGradient", "pattern", "radialGradient",
		"textPath", "use" };

	if (strcmp(element, "image") == 0)
		return is_picture(value);
	return *value == '#' && is_in(within, COUNT(within), element);
}

bool
svg_attribute(const char *element, const char *name, const char *value)
{
	if (strcmp(name, "href") == 0)
		return is_address(element, value);
	return is_in(attributes, COUNT(attributes), name) && svg_is_local(value);
}
