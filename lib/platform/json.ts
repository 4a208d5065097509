import type { FieldProblem } from "@/lib/platform/problem"

const DEPTH_MAX = 64

/** A body that is no JSON we accept; `detail` is a sentence for the caller. */
export class JsonInvalid extends Error {
  constructor(readonly detail: string) {
    super(detail)
    this.name = "JsonInvalid"
  }
}

/**
 * Parses one JSON text (RFC 8259, UTF-8) more strictly than JSON.parse: a name that stands twice in an object and a
 * nesting deeper than 64 are refused, since readers disagree on what they mean.
 * @throws JsonInvalid
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonInvalid("The body is not UTF-8.")
  }
  refuseDepthAndRepeats(text)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonInvalid("The body is not valid JSON.")
  }
}

/** Text that a database cannot keep or a reader would misread: NUL and lone surrogates, with their pointers. */
export function textFaults(value: unknown, pointer = ""): FieldProblem[] {
  if (typeof value === "string") {
    if (value.includes("\0")) return [{ pointer, detail: "Must not contain the character U+0000." }]
    return value.isWellFormed() ? [] : [{ pointer, detail: "Must not contain a lone surrogate." }]
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => textFaults(item, `${pointer}/${index}`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => {
    const at = `${pointer}/${escapePointer(name)}`
    const named = name === "__proto__" ? [{ pointer: at, detail: "Unknown field." }] : textFaults(name, at)
    return [...named, ...textFaults(item, at)]
  })
}

/** A name as it stands in a JSON Pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1")
}

type Level = { names: Set<string> | null; expectName: boolean }

function refuseDepthAndRepeats(text: string) {
  const levels: Level[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    const level = levels[levels.length - 1]
    if (character === QUOTE) {
      const end = stringEnd(text, at)
      if (level?.names && level.expectName) noteName(level, text.slice(at, end + 1))
      at = end
    } else if (character === OPEN_OBJECT || character === OPEN_ARRAY) {
      if (levels.length === DEPTH_MAX) throw new JsonInvalid(`The body is nested deeper than ${DEPTH_MAX} levels.`)
      levels.push({ names: character === OPEN_OBJECT ? new Set() : null, expectName: character === OPEN_OBJECT })
    } else if (character === CLOSE_OBJECT || character === CLOSE_ARRAY) {
      levels.pop()
    } else if (character === COMMA && level?.names) {
      level.expectName = true
    }
  }
}

function noteName(level: Level, quoted: string) {
  level.expectName = false
  const name = nameOf(quoted)
  if (level.names?.has(name)) throw new JsonInvalid(`The name ${quoted.slice(0, 80)} stands twice in one object.`)
  level.names?.add(name)
}

function nameOf(quoted: string): string {
  try {
    return String(JSON.parse(quoted))
  } catch {
    throw new JsonInvalid("The body is not valid JSON.")
  }
}

/** Index of the quote that ends the string opened at `start`. */
function stringEnd(text: string, start: number): number {
  let at = start
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) throw new JsonInvalid("The body is not valid JSON.")
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
  }
}

const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125
