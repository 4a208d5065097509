import { z } from "zod"

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
