import { setImmediate } from "node:timers/promises"
import { formatNumber } from "@/lib/platform/format"
import { cutDetail } from "@/lib/platform/http/problem"
import { requestTooLarge } from "@/lib/platform/http/problems"
import { pointerOf, type Faults, type ValuePath } from "@/lib/platform/http/faults"

const depthMax = 64
/** Names and values of a body together: parsing and checking more would keep every other request of the process waiting. */
const partsMaxDefault = 200_000

/** A body that is not JSON that we accept; `detail` is a sentence for the caller. */
export class JsonInvalid extends Error {
  constructor(readonly detail: string) {
    super(detail)
    this.name = "JsonInvalid"
  }
}

/**
 * Parses one JSON text (RFC 8259, UTF-8, possibly after a byte order mark) more strictly than JSON.parse: duplicate names in an
 * object and nesting deeper than 64 are refused, because parsers disagree on what they mean.
 * @throws JsonInvalid, requestTooLarge for more names and values than `partsMax`
 */
export function parseJson(bytes: Uint8Array, partsMax = partsMaxDefault): unknown {
  const text = textOf(bytes, partsMax)
  refuseMalformed(text)
  return valueOf(text)
}

/** The same for megabytes: each pass over them is a turn of its own, and others of this process come in between. */
export async function parseLargeJson(bytes: Uint8Array, partsMax = partsMaxDefault): Promise<unknown> {
  const text = textOf(bytes, partsMax)
  await setImmediate()
  refuseMalformed(text)
  await setImmediate()
  return valueOf(text)
}

function textOf(bytes: Uint8Array, partsMax: number): string {
  refuseCount(bytes, partsMax)
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    throw new JsonInvalid("The body is not UTF-8.")
  }
  if (/^[ \t\r\n]*$/.test(text)) throw new JsonInvalid("The body is empty. Send a JSON object.")
  return text
}

function refuseMalformed(text: string) {
  try {
    refuseDepthAndRepeats(text)
  } catch (error) {
    throw error instanceof JsonInvalid && error.detail === notJson ? syntaxError(text) : error
  }
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw syntaxError(text)
  }
}

function syntaxError(text: string): JsonInvalid {
  const at = syntaxErrorAt(text)
  const where = at < text.length ? `at offset ${at}` : `at its end, offset ${at}`
  return new JsonInvalid(`The body is not valid JSON: the syntax error is ${where}.`)
}

const notJson = "The body is not valid JSON."

const space = /[ \t\r\n]*/y
const scalar = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?(?![0-9])|true|false|null/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

/** Where the token at `at` ends, or null. */
function endOf(token: RegExp, text: string, at: number): number | null {
  token.lastIndex = at
  return token.test(text) ? token.lastIndex : null
}

function endOfString(text: string, start: number): number | null {
  if (text[start] !== '"') return null
  for (let at = start + 1; at < text.length;) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    const next = code === backslash ? endOf(escape, text, at) : code < 0x20 ? null : at + 1
    if (next === null) return null
    at = next
  }
  return null
}

/** The offset, in UTF-16 units, of the first token that does not fit. JavaScript tells it only of some texts. */
function syntaxErrorAt(text: string): number {
  let at = 0
  const take = (end: number | null) => {
    at = end ?? at
    return end !== null
  }
  const open: ("{" | "[")[] = []
  let expected: "value" | "first" | "name" | "more" = "value"
  for (;;) {
    take(endOf(space, text, at))
    const character = text[at]
    const inside = open.at(-1)
    if (expected === "more") {
      if (!inside) return at
      if (character === (inside === "{" ? "}" : "]")) open.pop()
      else if (character === ",") expected = inside === "{" ? "name" : "value"
      else return at
      at++
    } else if (expected === "first" && character === (inside === "{" ? "}" : "]")) {
      open.pop()
      expected = "more"
      at++
    } else if (inside === "{" && expected !== "value") {
      if (!take(endOfString(text, at))) return at
      take(endOf(space, text, at))
      if (text[at] !== ":") return at
      expected = "value"
      at++
    } else if (character === "{" || character === "[") {
      open.push(character)
      expected = "first"
      at++
    } else if (take(endOfString(text, at)) || take(endOf(scalar, text, at))) {
      expected = "more"
    } else {
      return at
    }
  }
}

/** Text that the database cannot store or a parser would misread: NUL, lone surrogates and the name `__proto__`. */
export function addTextFaults(value: unknown, faults: Faults, path: ValuePath = "") {
  if (typeof value === "string") {
    const sentence = textFault(value)
    if (sentence) faults.add(pointerOf(path), sentence)
  } else if (Array.isArray(value)) {
    for (let index = 0; index < value.length && !faults.full; index++) {
      if (mayHoldText(value[index])) addTextFaults(value[index], faults, { parent: path, name: index })
    }
  } else if (typeof value === "object" && value !== null) {
    for (const name of Object.keys(value)) {
      if (faults.full) return
      const sentence = name === "__proto__" ? "Unknown field." : textFault(name)
      if (sentence) faults.add(pointerOf({ parent: path, name }), sentence)
      const item = (value as Record<string, unknown>)[name]
      if (mayHoldText(item)) addTextFaults(item, faults, { parent: path, name })
    }
  }
}

function mayHoldText(value: unknown): boolean {
  return typeof value === "string" ? textFault(value) !== null : typeof value === "object" && value !== null
}

function textFault(text: string): string | null {
  if (text.includes("\0")) return "Must not contain the character U+0000."
  return text.isWellFormed() ? null : "Must not contain a lone surrogate."
}

type Level = { names: Set<string> | null; expectName: boolean }

/**
 * Before anything is made of the bytes, which takes a few milliseconds where there are too many: a name is counted by its colon,
 * a value where it opens, or by the comma that follows it.
 */
function refuseCount(bytes: Uint8Array, partsMax: number) {
  let parts = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === quote) at = stringEndIn(bytes, at)
    else if (byte === comma || byte === colon || byte === openObject || byte === openArray) {
      parts += 1
      if (parts > partsMax)
        throw requestTooLarge(`A body may hold ${formatNumber(partsMax)} names and values. Send several requests.`)
    }
  }
}

/** Found at once in a text without escaped quotes, else byte by byte. */
function stringEndIn(bytes: Uint8Array, start: number): number {
  const first = bytes.indexOf(quote, start + 1)
  if (first < 0) return bytes.length
  if (bytes[first - 1] !== backslash) return first
  let at = start + 1
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

function refuseDepthAndRepeats(text: string) {
  const levels: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    const level = levels[levels.length - 1]
    if (character === quote) {
      const end = stringEnd(text, at)
      if (level?.names && level.expectName) noteName(level, text.slice(at, end + 1))
      at = end
    } else if (character === openObject || character === openArray) {
      if (levels.length === depthMax) throw new JsonInvalid(`The body is nested deeper than ${depthMax} levels.`)
      levels.push({ names: character === openObject ? new Set() : null, expectName: character === openObject })
    } else if (character === closeObject || character === closeArray) {
      levels.pop()
    } else if (character === comma && level) {
      level.expectName = level.names !== null
    }
  }
}

function noteName(level: Level, quoted: string) {
  level.expectName = false
  const name = nameOf(quoted)
  if (level.names?.has(name)) throw new JsonInvalid(`The name ${cutDetail(quoted, 80)} appears twice in one object.`)
  level.names?.add(name)
}

function nameOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1)
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw new JsonInvalid(notJson)
  }
}

/** Index of the quote that ends the string opened at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) throw new JsonInvalid(notJson)
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}

const quote = 34
const comma = 44
const colon = 58
const openArray = 91
const backslash = 92
const closeArray = 93
const openObject = 123
const closeObject = 125
