/** Elements of SVG Tiny PS that draw, group or describe; scripts, animations, links, pictures and foreign content are none. */
export const elements = new Set([
  ...["svg", "title", "desc", "defs", "g", "use", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon"],
  ...["text", "tspan", "linearGradient", "radialGradient", "stop", "solidColor"],
])

/** Attributes that any of them may have. */
const general = [
  ...[
    "id",
    "class",
    "role",
    "transform",
    "color",
    "color-rendering",
    "display",
    "visibility",
    "opacity",
    "vector-effect",
  ],
  ...[
    "fill",
    "fill-opacity",
    "fill-rule",
    "shape-rendering",
    "solid-color",
    "solid-opacity",
    "stop-color",
    "stop-opacity",
  ],
  ...["stroke", "stroke-dasharray", "stroke-dashoffset", "stroke-linecap", "stroke-linejoin", "stroke-miterlimit"],
  ...["stroke-opacity", "stroke-width", "text-anchor", "text-rendering", "font-family", "font-size", "font-style"],
  ...["font-weight", "viewport-fill", "viewport-fill-opacity", "xml:space", "xml:lang"],
]

/** Geometry, by element. */
const own: Record<string, readonly string[]> = {
  svg: ["xmlns", "xmlns:xlink", "version", "baseProfile", "viewBox", "width", "height", "preserveAspectRatio"],
  use: ["x", "y", "href", "xlink:href"],
  path: ["d", "pathLength"],
  rect: ["x", "y", "width", "height", "rx", "ry"],
  circle: ["cx", "cy", "r"],
  ellipse: ["cx", "cy", "rx", "ry"],
  line: ["x1", "y1", "x2", "y2"],
  polyline: ["points"],
  polygon: ["points"],
  text: ["x", "y", "rotate"],
  tspan: ["x", "y"],
  linearGradient: ["x1", "y1", "x2", "y2", "gradientUnits"],
  radialGradient: ["cx", "cy", "r", "gradientUnits"],
  stop: ["offset"],
}

const generalNames = new Set(general)

export function mayHave(element: string, attribute: string): boolean {
  return generalNames.has(attribute) || (own[element]?.includes(attribute) ?? false)
}

const namespaces: Record<string, string> = {
  xmlns: "http://www.w3.org/2000/svg",
  "xmlns:xlink": "http://www.w3.org/1999/xlink",
}

/** What is wrong with the value of an allowed attribute; null where nothing is. */
export function attributeFault(attribute: string, value: string): string | null {
  const namespace = namespaces[attribute]
  if (namespace !== undefined) return value === namespace ? null : `must be ${namespace}.`
  if (attribute === "href" || attribute === "xlink:href")
    return /^#[\w.-]{1,100}$/.test(value) ? null : "must refer to an element of this file, such as #mark."
  if (value.includes(":")) return "must not contain a colon."
  if (/[\\@]|\/\*/.test(value)) return "must be a plain value."
  if (/url/i.test(value) && !/^url\(#[\w.-]{1,100}\)$/.test(value))
    return "must refer to an element of this file, such as url(#sky)."
  return null
}
