import { XMLParser, XMLValidator } from "fast-xml-parser"
import { gunzipSync } from "node:zlib"
import type { Dns } from "@/lib/platform/dns/dns"
import { download } from "@/lib/platform/outbound/request"
import { resolveBy, TargetRefused, judgeUrl, outboundGuard } from "@/lib/platform/outbound/target"

// Requesting a logo

/** Bytes of the SVG, unpacked. */
const logoBytesMax = 32 * 1024

type LogoVerdict = { ok: true; svg: string; warnings: string[] } | { ok: false; reason: string }

const timeoutMs = 5_000
const headers = {
  "user-agent": "Mailroom-BIMI/1.0",
  accept: "image/svg+xml",
  "accept-encoding": "identity",
}

/** Requests the logo and judges it. Receivers follow no redirects, and neither does this. Never rejects. */
export async function fetchLogo(url: string, dns: Dns): Promise<LogoVerdict> {
  const guard = outboundGuard()
  const target = judgeUrl(url, guard)
  if (!target.ok) return target
  try {
    const response = await download({
      ...{ target, guard, resolve: resolveBy(dns), headers, timeoutMs },
      signal: AbortSignal.timeout(timeoutMs),
      bytesMax: logoBytesMax,
    })
    if (response.status >= 300 && response.status < 400)
      return refuse("The server redirects. Give the address to which it redirects.")
    if (response.status !== 200) return refuse(`The server answered ${response.status}.`)
    if (!response.body) return refuse("The logo is larger than 32 KiB.")
    return judgeLogo(unpacked(response.body))
  } catch (error) {
    return refuse(reasonOf(error))
  }
}

/** Some servers send SVG packed (`.svgz`), whatever they are asked for. */
function unpacked(body: Buffer): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body
  try {
    return gunzipSync(body, { maxOutputLength: logoBytesMax })
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE")
      throw new Refused("The logo is larger than 32 KiB unpacked.")
    throw new Refused("The gzip data of the logo is damaged.")
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TargetRefused || error instanceof Refused) return error.message
  const { code, name } = error as NodeJS.ErrnoException
  if (name === "TimeoutError" || name === "AbortError")
    return `The server did not answer within ${timeoutMs / 1_000} seconds.`
  return `The server could not be reached${code ? ` (${code})` : ""}.`
}

function refuse(reason: string): { ok: false; reason: string } {
  return { ok: false, reason }
}

// Judging it

/** Thrown within this file: what is not allowed. */
class Refused extends Error {}

type Element = { name: string; attributes: Map<string, string>; children: Element[]; text: string }

const attributesKey = ":@"

const parser = new XMLParser({
  preserveOrder: true,
  processEntities: false,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: true,
  maxNestedTags: 64,
})

/**
 * Whether a file is a logo by the rules of BIMI: SVG Tiny PS, square, with a title, and with nothing that runs, moves or
 * refers to anything outside. Only what is listed is allowed, and nothing is repaired.
 */
export function judgeLogo(bytes: Uint8Array): LogoVerdict {
  try {
    const svg = decoded(bytes)
    const root = rootOf(svg)
    checkTree(root, 0)
    checkUses(root)
    checkRoot(root)
    return { ok: true, svg, warnings: warningsOf(root) }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, reason: error.message }
    throw error
  }
}

function decoded(bytes: Uint8Array): string {
  if (bytes.length > logoBytesMax) throw new Refused("The logo is larger than 32 KiB unpacked.")
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new Refused("The logo is not UTF-8.")
  }
  if (/[^\P{Cc}\t\n\r]/u.test(text)) throw new Refused("The logo has control characters.")
  return text
}

const tags = /<\/?[a-zA-Z]+(?:\s+[a-zA-Z][\w:-]*\s{0,9}=\s{0,9}(?:"[^"<>]*"|'[^'<>]*'))*\s*\/?>/g

const declared =
  /^\s*<\?xml\s{1,9}version=["']1\.0["'](?:\s{1,9}encoding=["']([\w-]{1,40})["'])?(?:\s{1,9}standalone=["'](?:yes|no)["'])?\s{0,9}\?>/

/** What several parsers could read in different ways is refused before any of them reads it. */
function rootOf(svg: string): Element {
  const declaration = declared.exec(svg)
  const body = svg.slice(declaration?.[0].length ?? 0)
  const encoding = declaration?.[1]
  if (encoding && encoding.toLowerCase() !== "utf-8")
    throw new Refused(`The logo is declared as ${encoding}, not UTF-8.`)
  if (/<!doctype/i.test(body)) throw new Refused("The logo has a DOCTYPE, which is not allowed.")
  if (/<!\[CDATA\[/i.test(body)) throw new Refused("The logo has a CDATA section, which is not allowed.")
  if (body.includes("<?")) throw new Refused("The logo has a processing instruction, which is not allowed.")
  const entity = /&(?!(?:amp|lt|gt|quot|apos);)[^;\s]{0,20};?/.exec(body)?.[0]
  if (entity) throw new Refused(`The logo has the entity ${entity}. Write the character itself.`)
  const written = body.replace(/<!--(?:[^-]|-(?!-))*-->/g, "")
  if (!/^\s*<svg[\s>]/.test(written)) throw new Refused("The file is not an SVG image.")
  if (/[<>]/.test(written.replace(tags, ""))) throw new Refused("The logo is not well-formed XML.")
  if (XMLValidator.validate(written) !== true) throw new Refused("The logo is not well-formed XML.")
  let roots: Element[]
  try {
    roots = elementsOf(parser.parse(written) as unknown[])
  } catch {
    throw new Refused("The logo is not well-formed XML, or nested too deeply.")
  }
  const [root] = roots
  if (!root || roots.length > 1 || root.name !== "svg") throw new Refused("The file is not an SVG image.")
  return root
}

/** The tree as the parser returns it with `preserveOrder`: each node has one key beside that of its attributes. */
function elementsOf(nodes: unknown[]): Element[] {
  return nodes.flatMap((node) => {
    const { [attributesKey]: attributes = {}, ...rest } = node as Record<string, unknown>
    const [[name, content] = ["#text", ""]] = Object.entries(rest)
    if (name === "#text") return []
    const children = content as unknown[]
    const text = children.flatMap((child) =>
      "#text" in (child as object) ? [String((child as { "#text": unknown })["#text"])] : [],
    )
    const given = new Map(Object.entries(attributes as Record<string, string>))
    return [{ name, attributes: given, children: elementsOf(children), text: text.join(" ").trim() }]
  })
}

const texts = new Set(["title", "desc", "text", "tspan"])

function checkTree(element: Element, depth: number) {
  const { name, attributes, children, text } = element
  if (!elements.has(name)) throw new Refused(`The element <${name}> is not allowed in SVG Tiny PS.`)
  if (name === "svg" && depth > 0) throw new Refused("The element <svg> is allowed at the top only.")
  if (text !== "" && !texts.has(name)) throw new Refused(`The element <${name}> has text in it.`)
  if ((name === "title" || name === "desc") && children.length) throw new Refused(`<${name}> must hold text alone.`)
  for (const [attribute, value] of attributes) {
    if (!mayHave(name, attribute))
      throw new Refused(`The attribute ${attribute} of <${name}> is not allowed in SVG Tiny PS.`)
    const fault = attributeFault(attribute, value)
    if (fault) throw new Refused(`The attribute ${attribute} of <${name}> ${fault}`)
  }
  for (const child of children) checkTree(child, depth + 1)
}

/** Uses of uses would multiply a small file into an endless drawing. */
function checkUses(root: Element) {
  const elements = all(root)
  const byId = new Map(elements.map((element) => [element.attributes.get("id"), element]))
  const leading = new Set<Element>()
  addLeading(root, leading)
  for (const use of elements.filter(({ name }) => name === "use")) {
    const target = (use.attributes.get("xlink:href") ?? use.attributes.get("href") ?? "").slice(1)
    const used = byId.get(target)
    if (!used) throw new Refused(`A <use> refers to #${target}, which is not in the file.`)
    if (used.name === "svg" || leading.has(used)) throw new Refused("A <use> must not lead to another <use>.")
  }
}

/** Adds each element that is a <use> or holds one: found in one pass, since a small file may use a large group a thousand times. */
function addLeading(element: Element, leading: Set<Element>) {
  for (const child of element.children) addLeading(child, leading)
  if (element.name === "use" || element.children.some((child) => leading.has(child))) leading.add(element)
}

function all(element: Element): Element[] {
  return [element, ...element.children.flatMap(all)]
}

function checkRoot({ attributes, children }: Element) {
  if (attributes.get("xmlns") === undefined) throw new Refused('<svg> needs xmlns="http://www.w3.org/2000/svg".')
  if (attributes.get("version") !== "1.2") throw new Refused('<svg> needs version="1.2".')
  if (attributes.get("baseProfile") !== "tiny-ps") throw new Refused('<svg> needs baseProfile="tiny-ps".')
  const [title] = children
  if (title?.name !== "title" || title.text === "")
    throw new Refused("The first element in <svg> must be a <title> with the name of the company.")
  const box = /^\s*(-?[\d.]{1,20})[\s,]+(-?[\d.]{1,20})[\s,]+([\d.]{1,20})[\s,]+([\d.]{1,20})\s*$/.exec(
    attributes.get("viewBox") ?? "",
  )
  if (!box) throw new Refused('<svg> needs a viewBox, such as viewBox="0 0 512 512".')
  const [width, height] = [Number(box[3]), Number(box[4])]
  if (!(width > 0) || width !== height)
    throw new Refused(`The logo must be square; its viewBox is ${box[3]} by ${box[4]}.`)
  const [shownWidth, shownHeight] = [attributes.get("width"), attributes.get("height")]
  if (shownWidth !== shownHeight) throw new Refused("The logo must be square; its width and height differ.")
  if (/%/.test(shownWidth ?? "")) throw new Refused("The width of <svg> must not be relative.")
}

const titleCharsMax = 65

function warningsOf(root: Element): string[] {
  const title = root.children[0]?.text ?? ""
  const painted = root.children.find(({ name }) => !["title", "desc", "defs"].includes(name))
  const isSolid =
    root.attributes.has("viewport-fill") ||
    (painted !== undefined &&
      ["rect", "circle", "path"].includes(painted.name) &&
      painted.attributes.get("fill") !== "none")
  return [
    ...(title.length > titleCharsMax ? [`The title is longer than ${titleCharsMax} characters.`] : []),
    ...(isSolid ? [] : ["The logo seems to have no solid background. Mail programs show it on light and on dark."]),
  ]
}

// What SVG Tiny PS allows

/** Elements of SVG Tiny PS that draw, group or describe; scripts, animations, links, pictures and foreign content are none. */
const elements = new Set([
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

function mayHave(element: string, attribute: string): boolean {
  return generalNames.has(attribute) || (own[element]?.includes(attribute) ?? false)
}

const namespaces: Record<string, string> = {
  xmlns: "http://www.w3.org/2000/svg",
  "xmlns:xlink": "http://www.w3.org/1999/xlink",
}

/** What is wrong with the value of an allowed attribute; null where nothing is. */
function attributeFault(attribute: string, value: string): string | null {
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
