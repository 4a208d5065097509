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
 * Parses one JSON text (RFC 8259, UTF-8) more strictly than JSON.parse: duplicate names in an object and nesting deeper
 * than 64 are refused, because parsers disagree on what they mean.
 * @throws JsonInvalid, requestTooLarge for more names and values than `partsMax`
 */
export function parseJson(bytes: Uint8Array, partsMax = partsMaxDefault): unknown {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new JsonInvalid("The body is not UTF-8.")
  }
  refuseDepthRepeatsAndCount(text, partsMax)
  try {
    return JSON.parse(text)
  } catch {
    throw new JsonInvalid("The body is not valid JSON.")
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

/** Before anything is made of the text. A value is counted where it opens, or by the comma that follows it. */
function refuseDepthRepeatsAndCount(text: string, partsMax: number) {
  const levels: Level[] = []
  let parts = 0
  const count = () => {
    parts += 1
    if (parts <= partsMax) return
    throw requestTooLarge(`A body may hold ${partsMax.toLocaleString("en")} names and values. Send several requests.`)
  }
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at)
    const level = levels[levels.length - 1]
    if (character === quote) {
      const end = stringEnd(text, at)
      if (level?.names && level.expectName) {
        count()
        noteName(level, text.slice(at, end + 1))
      }
      at = end
    } else if (character === openObject || character === openArray) {
      count()
      if (levels.length === depthMax) throw new JsonInvalid(`The body is nested deeper than ${depthMax} levels.`)
      levels.push({ names: character === openObject ? new Set() : null, expectName: character === openObject })
    } else if (character === closeObject || character === closeArray) {
      levels.pop()
    } else if (character === comma) {
      count()
      if (level) level.expectName = level.names !== null
    }
  }
}

function noteName(level: Level, quoted: string) {
  level.expectName = false
  const name = nameOf(quoted)
  if (level.names?.has(name)) throw new JsonInvalid(`The name ${quoted.slice(0, 80)} appears twice in one object.`)
  level.names?.add(name)
}

function nameOf(quoted: string): string {
  if (!quoted.includes("\\")) return quoted.slice(1, -1)
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
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes++
    if (slashes % 2 === 0) return at
  }
}

const quote = 34
const comma = 44
const openArray = 91
const backslash = 92
const closeArray = 93
const openObject = 123
const closeObject = 125
