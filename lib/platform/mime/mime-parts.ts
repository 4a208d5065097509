import { decodeHTMLStrict } from "entities"
import { decodeWords } from "postal-mime"

/** A part of a message (RFC 2045): its header, its body as it was sent, and the parts in it. */
export type MimePart = {
  /** In lower case; `text/plain` where the part does not say. */
  type: string
  /** Of Content-Type, by lower-case name. */
  params: Map<string, string>
  header: MimeHeader
  body: Buffer
  /** Those of a multipart; of an attached message, that message. */
  parts: MimePart[]
}

/** Limits for messages of strangers. What is beyond them is not read; nothing is refused. */
const headerBytesMax = 256 * 1024
/** Of all parts together. */
const headerBytesInAll = 512 * 1024
const fieldsMax = 1_000
const valueCharsMax = 16 * 1024
const depthMax = 12
const partsMax = 200
/** Lines that begin like a boundary, in all parts together. */
const boundaryLinesMax = 5_000
const encodedMessageBytesMax = 2 * 2 ** 20

type Budget = { headerBytes: number; parts: number; boundaryLines: number }

/**
 * The parts of a message. The work is bounded whatever the bytes are: at most 12 levels and 200 parts, and bodies are views of
 * `raw`, decoded by who reads them. postal-mime decodes every part, and its time grows with the square of the lines.
 */
export function mimePartsOf(raw: Uint8Array): MimePart {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)
  return partOf(bytes, 0, { headerBytes: headerBytesInAll, parts: partsMax, boundaryLines: boundaryLinesMax })
}

/** All parts, this one first, but not those inside attached messages. */
export function partsOf(part: MimePart): MimePart[] {
  return [part, ...(isMessage(part.type) ? [] : part.parts.flatMap(partsOf))]
}

/** Whether a part of this type holds a message or its header (RFC 2046, 3462, 6533). */
export function isMessage(type: string): boolean {
  return /^(?:message\/(?:rfc822|global)(?:-headers)?|text\/rfc822-headers|message\/news)$/.test(type)
}

/** The fields of a header (RFC 5322), unfolded, by lower-case name. */
export class MimeHeader {
  readonly #fields: readonly (readonly [string, string])[]

  constructor(fields: readonly (readonly [string, string])[]) {
    this.#fields = fields
  }

  /** The first field with this lower-case name, empty if there is none. */
  get(name: string): string {
    return this.#fields.find(([one]) => one === name)?.[1] ?? ""
  }

  all(name: string): string[] {
    return this.#fields.filter(([one]) => one === name).map(([, value]) => value)
  }

  has(name: string): boolean {
    return this.#fields.some(([one]) => one === name)
  }

  get size(): number {
    return this.#fields.length
  }

  /** Lower-case names and values, in their order. */
  get fields(): readonly (readonly [string, string])[] {
    return this.#fields
  }
}

/** The fields in a text: a header, or a block of a report that is written like one. */
export function headerOf(text: string): MimeHeader {
  const fields: [string, string][] = []
  for (const line of text.split("\n", 4 * fieldsMax)) {
    const last = fields.at(-1)
    if (/^[ \t]/.test(line) && last) {
      if (last[1].length < valueCharsMax) last[1] = `${last[1]} ${line.trim()}`.slice(0, valueCharsMax).trim()
      continue
    }
    const name = /^([!-9;-~]{1,100})[ \t]{0,9}:/.exec(line)
    if (name?.[1] === undefined) continue
    if (fields.length === fieldsMax) break
    fields.push([name[1].toLowerCase(), line.slice(name[0].length, name[0].length + valueCharsMax).trim()])
  }
  return new MimeHeader(fields)
}

function partOf(bytes: Buffer, depth: number, budget: Budget): MimePart {
  const end = headerEnd(bytes)
  const header = headerOf(utf8Of(bytes.subarray(0, Math.min(end.header, Math.max(budget.headerBytes, 0)))))
  budget.headerBytes -= end.header
  budget.parts -= 1
  const { type, params } = contentTypeOf(header.get("content-type"))
  const part: MimePart = { type, params, header, body: bytes.subarray(end.body), parts: [] }
  if (depth === depthMax) return part
  if (type.startsWith("multipart/")) {
    for (const section of sectionsOf(part.body, params.get("boundary") ?? "", budget)) {
      if (budget.parts <= 0) break
      part.parts.push(partOf(section, depth + 1, budget))
    }
  } else if (isMessage(type) && budget.parts > 0) {
    const isPlain = !/base64|quoted-printable/i.test(header.get("content-transfer-encoding"))
    part.parts.push(partOf(isPlain ? part.body : bodyOf(part, encodedMessageBytesMax), depth + 1, budget))
  }
  return part
}

/** Where the header ends and where the body begins. A header without an end has no body. */
function headerEnd(bytes: Buffer): { header: number; body: number } {
  if (bytes[0] === 0x0a) return { header: 0, body: 1 }
  if (bytes[0] === 0x0d && bytes[1] === 0x0a) return { header: 0, body: 2 }
  const start = bytes.subarray(0, headerBytesMax)
  const [lf, crlf] = [start.indexOf("\n\n"), start.indexOf("\n\r\n")]
  if (lf >= 0 && (crlf < 0 || lf < crlf)) return { header: lf + 1, body: lf + 2 }
  if (crlf >= 0) return { header: crlf + 1, body: crlf + 3 }
  return { header: start.length, body: bytes.length }
}

/** What stands between the boundary lines of a multipart (RFC 2046 section 5.1.1). One that is cut short ends with the bytes. */
function sectionsOf(body: Buffer, boundary: string, budget: Budget): Buffer[] {
  if (boundary === "" || boundary.length > 200) return []
  const mark = Buffer.from(`--${boundary}`, "latin1")
  const next = (from: number) => body.indexOf(`\n--${boundary}`, from, "latin1") + 1
  const sections: Buffer[] = []
  let open: number | null = null
  let at = body.subarray(0, mark.length).equals(mark) ? 0 : next(0) || null
  while (at !== null && budget.boundaryLines > 0 && sections.length < partsMax) {
    budget.boundaryLines -= 1
    const after = at + mark.length
    const rest = /^(--)?[ \t]*\r?(?:\n|$)/.exec(body.toString("latin1", after, after + 100))
    if (rest) {
      if (open !== null) sections.push(withoutReturn(body.subarray(open, Math.max(at - 1, open))))
      if (rest[1]) return sections
      open = after + rest[0].length
    }
    at = next(after) || null
  }
  if (open !== null) sections.push(body.subarray(open))
  return sections
}

function withoutReturn(bytes: Buffer): Buffer {
  return bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes
}

/** The decoded body, of which at most so many bytes are decoded. */
export function bodyOf(part: MimePart, bytesMax: number): Buffer {
  const encoding = part.header.get("content-transfer-encoding").toLowerCase()
  if (encoding.includes("base64"))
    // Lines of 76 characters and two of line end hold 57 bytes.
    return Buffer.from(part.body.toString("latin1", 0, Math.ceil((bytesMax * 78) / 57) + 4), "base64").subarray(
      0,
      bytesMax,
    )
  if (encoding.includes("quoted-printable")) return unquoted(part.body.subarray(0, 2 * bytesMax)).subarray(0, bytesMax)
  return part.body.subarray(0, bytesMax)
}

/** The text of a part in its character set, with plain line feeds; HTML without its tags. */
export function textOf(part: MimePart, bytesMax: number): string {
  const text = decoded(bodyOf(part, bytesMax), part.params.get("charset")).replace(/\r\n?/g, "\n")
  return part.type === "text/html" ? plainOf(text) : text
}

/** What quoted-printable octets say (RFC 2045 section 6.7), in one pass: an expression takes seconds for an attachment of 25 MB. */
function unquoted(bytes: Buffer): Buffer {
  const octets = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let at = 0
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    at += 1
    const next = byte === 0x3d ? (bytes[at] ?? 0) : 0
    const lineEnd = next === 0x0d || next === 0x0a || next === 0x20 || next === 0x09 ? softBreakEnd(bytes, at) : -1
    if (lineEnd >= 0) {
      at = lineEnd
      continue
    }
    const octet = next >= 0x30 && next <= 0x66 ? quotedOctet(bytes, at) : -1
    if (octet >= 0) at += 2
    octets[length] = octet >= 0 ? octet : byte
    length += 1
  }
  return octets.subarray(0, length)
}

const blanksMax = 99

/** Where the next line begins, if this one ends here but for blanks; else -1. */
function softBreakEnd(bytes: Buffer, from: number): number {
  let at = from
  while (at < from + blanksMax && (bytes[at] === 0x20 || bytes[at] === 0x09)) at += 1
  if (bytes[at] === 0x0d) at += 1
  return bytes[at] === 0x0a ? at + 1 : -1
}

/** What two hexadecimal digits stand for; -1 where there are none. */
function quotedOctet(bytes: Buffer, at: number): number {
  const high = hexDigit(bytes[at])
  const low = high < 0 ? -1 : hexDigit(bytes[at + 1])
  return low < 0 ? -1 : 16 * high + low
}

function hexDigit(octet = 0): number {
  if (octet >= 0x30 && octet <= 0x39) return octet - 0x30
  const lower = octet | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

function decoded(bytes: Buffer, charset = "utf-8"): string {
  try {
    if (!/^(?:us-ascii|utf-8)$/i.test(charset)) return new TextDecoder(charset.slice(0, 40)).decode(bytes)
  } catch {
    // An unknown character set is read as if none were given.
  }
  return utf8Of(bytes)
}

/** UTF-8 where it is, else Latin-1. */
function utf8Of(bytes: Buffer): string {
  const text = bytes.toString("utf8")
  return text.includes("\ufffd") ? bytes.toString("latin1") : text
}

function plainOf(html: string): string {
  const text = withoutHidden(html)
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d|p|div|tr|li|pre|\/pre)\b[^<>]{0,500}>/gi, "\n")
    .replace(/<[/!?a-z][^<>]{0,2000}>/gi, "")
  return decodeHTMLStrict(text).replace(/[\u00a0\u2002\u2003\u2009]/g, " ")
}

/** Of elements and comments that show nothing, what is in them; one without an end hides nothing. */
function withoutHidden(html: string): string {
  const starts = /<(?:(style|script|title)\b|!--)/gi
  const endless = new Set<string>()
  let text = ""
  let from = 0
  for (let start = starts.exec(html); start; start = starts.exec(html)) {
    const name = start[1]?.toLowerCase() ?? ""
    if (endless.has(name)) continue
    const end = name === "" ? /-->/g : new RegExp(`</${name}\\b[^<>]{0,500}>`, "gi")
    end.lastIndex = starts.lastIndex
    if (!end.exec(html)) endless.add(name)
    else {
      text += html.slice(from, start.index)
      from = starts.lastIndex = end.lastIndex
    }
  }
  return text + html.slice(from)
}

/** Type and parameters (RFC 2045 section 5.1). */
function contentTypeOf(value: string): { type: string; params: Map<string, string> } {
  return {
    type: /^[\w!#$&.+^-]{1,80}\/[\w!#$&.+^-]{1,80}/.exec(value)?.[0].toLowerCase() ?? "text/plain",
    params: paramsOf(value),
  }
}

/** A piece of a value in the forms of RFC 2231. */
type ParamPiece = { at: number; text: string; isEncoded: boolean }

/**
 * The parameters of a field such as Content-Type, by lower-case name. What RFC 2231 encodes or cuts into pieces is put together, and
 * comes before a plain value of the same name, which is there for readers that do not know it.
 */
function paramsOf(value: string): Map<string, string> {
  const params = new Map<string, string>()
  const extended = new Map<string, ParamPiece[]>()
  const pattern =
    /;\s{0,20}([\w.-]{1,60})(?:\*(\d{0,2})(\*?))?\s{0,20}=\s{0,20}(?:"((?:[^"\\]|\\.){0,1000})"|([^\s;"]{1,1000}))/g
  for (const [, name = "", place, star, quoted, bare = ""] of value.slice(0, 4_000).matchAll(pattern)) {
    const key = name.toLowerCase()
    const text = quoted?.replace(/\\(.)/g, "$1") ?? bare
    if (place === undefined) params.set(key, params.get(key) ?? text)
    else {
      const pieces = extended.get(key) ?? []
      pieces.push({ at: Number(place), text, isEncoded: place === "" || star === "*" })
      extended.set(key, pieces)
    }
  }
  for (const [key, pieces] of extended) params.set(key, joined(pieces))
  return params
}

/** RFC 2231 sections 3 and 4; a character may be cut between two pieces. */
function joined(pieces: ParamPiece[]): string {
  const [first, ...others] = pieces.toSorted((one, other) => one.at - other.at)
  if (!first) return ""
  const [before = "", charset = "utf-8"] = (first.isEncoded && /^([\w.:-]{0,40})'[\w-]{0,40}'/.exec(first.text)) || []
  const all = [{ ...first, text: first.text.slice(before.length) }, ...others]
  return decoded(Buffer.concat(all.map(octetsOf)), charset || "utf-8")
}

function octetsOf({ text, isEncoded }: ParamPiece): Buffer {
  if (!isEncoded) return Buffer.from(text)
  const octets = text.split(/%([0-9a-f]{2})/i).map((part, at) => Buffer.from(part, at % 2 === 1 ? "hex" : "utf8"))
  return Buffer.concat(octets)
}

export type AttachedPart = { filename: string | null; type: string; part: MimePart }

/** The leaves of a message, which may be the message itself, and the messages attached to it, with their file names. */
export function attachmentsOf(message: MimePart): AttachedPart[] {
  return partsOf(message)
    .filter(({ parts, type }) => isMessage(type) || (parts.length === 0 && !type.startsWith("multipart/")))
    .map((part) => ({ filename: filenameOf(part), type: part.type, part }))
}

/** Of Content-Disposition, else of Content-Type. Mail programs name few of the messages that they attach. */
function filenameOf({ header, params, type }: MimePart): string | null {
  const name = paramsOf(header.get("content-disposition")).get("filename") ?? params.get("name")
  return (name && plainWords(name).replace(/\p{Cc}/gu, " ")) || (isMessage(type) ? "message.eml" : null)
}

/** Encoded words (RFC 2047) as text. */
export function plainWords(text: string): string {
  try {
    return decodeWords(text)
  } catch {
    return text
  }
}
