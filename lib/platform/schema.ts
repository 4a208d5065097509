import { z } from "zod"
import { decodeId, encodeId, idLength, type IdPrefix } from "@/lib/platform/ids"

const timeForm = "Must be an ISO 8601 time with its offset, such as 2026-12-24T18:00:00Z."
/** Longer than any time that somebody writes. */
export const timeCharsMax = 100
const strictTime = z.iso.datetime({ offset: true })

/**
 * A time in a request: an existing date of the years 1 to 9999, with an offset. RFC 3339 in full, with seconds that may be left
 * out and an offset that may lack its colon; decoded to the form that JavaScript reads.
 */
export const timestampText = z
  .codec(z.string(), z.string(), {
    decode: (text, context) => {
      const time = canonicalTime(text)
      if (time && isInYears(time)) return time
      const message = time ? "Must be in the years 1 to 9999 (UTC)." : timeForm
      context.issues.push({ code: "custom", input: text, message })
      return z.NEVER
    },
    encode: (time) => time,
  })
  .meta({ type: "string", format: "date-time" })

function canonicalTime(text: string): string | null {
  if (text.length > timeCharsMax) return null
  const [, day = "", minute = "", second = ":00", fraction = "", offset = ""] =
    /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?:(:\d\d)(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/i.exec(text) ?? []
  if (day === "") return null
  const zone = offset.toUpperCase().replace(/^(.\d\d)(\d\d)$/, "$1:$2")
  // A leap second, which JavaScript does not know, is the second before it.
  const time = `${day}T${minute}${second === ":60" ? ":59" : second}${fraction}${zone}`
  if (!strictTime.safeParse(time).success) return null
  return second === ":60" && !new Date(time).toISOString().includes("T23:59:59") ? null : time
}

/** As written, and in UTC: the database refuses the year 0, and JavaScript writes other years than these in six digits. */
function isInYears(time: string): boolean {
  const year = new Date(time).getUTCFullYear()
  return !time.startsWith("0000") && year >= 1 && year <= 9999
}

/** An instant: ISO 8601 UTC with milliseconds on the wire, a Date within. */
export const timestamp = z
  .codec(timestampText, z.date(), {
    decode: (text) => new Date(text),
    encode: (date) => date.toISOString(),
  })
  .meta({ type: "string", format: "date-time" })

/** A public id on the wire (`dom_…`), a uuid within. */
export function id(prefix: IdPrefix) {
  return z
    .codec(z.string(), z.string(), {
      decode: (text, context) => {
        const uuid = decodeId(prefix, text)
        if (uuid) return uuid
        context.issues.push({ code: "custom", input: text, message: `Must be an id that begins with ${prefix}_.` })
        return z.NEVER
      },
      encode: (uuid) => encodeId(prefix, uuid),
    })
    .meta({
      type: "string",
      examples: [`${prefix}_01k9q3f7c2e8m9v4x6y8z0a1b3`],
      maxLength: idLength(prefix),
    })
}

/** An id that the operation looks up by itself: what is none gets the answer of an id that is unknown. */
export function idText(prefix: IdPrefix) {
  return z.string().meta({ maxLength: idLength(prefix) })
}

/** A number that is taken as its decimal text: none that JavaScript has rounded, or writes with an exponent. */
export const decimalNumber = z
  .number()
  .refine(
    (value) => (Number.isInteger(value) ? Number.isSafeInteger(value) : !String(value).includes("e")),
    "Give it as text: as a number it is not exact.",
  )

/** A whole number of 32 bits. */
export const int32 = z.int32().meta({ format: "int32", minimum: undefined, maximum: undefined })

/** A count that may pass 32 bits. */
export const int64 = z.int().meta({ format: "int64", minimum: undefined, maximum: undefined })

export const double = z.number().meta({ format: "double" })

/** Text that a rule may refuse with a sentence; the document declares its longest form. */
export function ruledText(fault: (text: string) => string | null, maxLength: number) {
  return z
    .string()
    .superRefine((text, context) => {
      const sentence = fault(text)
      if (sentence) context.addIssue({ code: "custom", message: sentence })
    })
    .meta({ maxLength })
}

/** A URL of so many characters at most. They are counted first: the parser takes seconds for a host of some hundred thousand. */
export function urlText(charsMax: number, rules: Parameters<typeof z.url>[0] & object) {
  return z.string().max(charsMax, { abort: true }).check(z.url(rules))
}

/** A query parameter that is `true` or `false`. */
export function trueOrFalse() {
  return z
    .codec(z.enum(["true", "false"]), z.boolean(), {
      decode: (text) => text === "true",
      encode: (value) => (value ? "true" : "false"),
    })
    .meta({ type: "boolean", enum: undefined })
}

/** Turns the null of a row into undefined, which leaves the field out of the resource. */
export function present<T>(value: T | null): T | undefined {
  return value === null ? undefined : value
}

type Issue = Parameters<z.core.$ZodErrorMap>[0]

/** Where more is known of the forms, `addIssues` says them. */
export const unionSentence = "Must have one of the declared forms."

/** Our sentence for an issue whose schema has none of its own: zod's are written for people who use zod. */
function sentenceFor(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined ? "Must be given." : `Must be ${withArticle(issue.expected)}.`
    case "too_big":
      return boundSentence(issue.origin, issue.maximum, issue.inclusive === false ? "less than" : "at most")
    case "too_small":
      if (issue.origin === "string" && issue.minimum === 1) return "Must not be empty."
      return boundSentence(issue.origin, issue.minimum, issue.inclusive === false ? "more than" : "at least")
    case "invalid_value":
      return `Must be ${issue.values.length > 1 ? "one of " : ""}${issue.values.map(String).join(", ")}.`
    case "not_multiple_of":
      return `Must be a multiple of ${issue.divisor}.`
    case "invalid_format":
      return formatSentence(issue)
    case "unrecognized_keys":
      return "Unknown field."
    case "invalid_key":
      return "Has an invalid name."
    case "invalid_union":
      return unionSentence
    default:
      return "Must be valid."
  }
}

const units: Record<string, string> = { string: "characters", array: "items", set: "items", map: "entries" }

function boundSentence(origin: string, bound: unknown, relation: string): string {
  const unit = units[origin]
  const said = bound instanceof Date ? bound.toISOString() : String(bound)
  return unit
    ? `Must have ${relation} ${said} ${said === "1" ? singular(unit) : unit}.`
    : `Must be ${relation} ${said}.`
}

function singular(unit: string): string {
  return unit === "entries" ? "entry" : unit.slice(0, -1)
}

const formats: Record<string, string> = {
  email: "an email address",
  url: "a URL",
  uuid: "a UUID",
  base64: "base64",
  datetime: "an ISO 8601 time with its offset, such as 2026-12-24T18:00:00Z",
  date: "a date, such as 2026-12-24",
  json_string: "JSON",
}

function formatSentence({ format, pattern }: Extract<Issue, { code: "invalid_format" }>): string {
  const known = formats[format]
  if (known) return `Must be ${known}.`
  return pattern ? `Must match ${pattern}.` : "Must have the declared format."
}

const kinds: Record<string, string> = { int: "whole number", record: "object" }

export function withArticle(kind: string): string {
  const said = kinds[kind] ?? kind
  return `${/^[aeiou]/.test(said) ? "an" : "a"} ${said}`
}

z.config({ customError: sentenceFor })

/** An object of JSON, which is no array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
