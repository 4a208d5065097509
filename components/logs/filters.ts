import { createParser, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server"
import { parseAsDay } from "@/components/data/day-filters"

export const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const
export const statusGroups = ["2xx", "4xx", "5xx"] as const

/** A status such as 404, or its hundred. */
const status = createParser({
  parse: (text) => (/^[1-5](?:xx|\d{2})$/.test(text) ? text : null),
  serialize: (text) => text,
})

export const requestFilters = {
  key: parseAsString.withDefault(""),
  method: parseAsStringLiteral(methods),
  route: parseAsString.withDefault(""),
  status,
  /** Id of what the request made. */
  made: parseAsString.withDefault(""),
  /** First day, of the zone in which times are written. */
  since: parseAsDay.withDefault(""),
  /** Last day, itself included. */
  until: parseAsDay.withDefault(""),
  after: parseAsString.withDefault(""),
}

export type RequestFilters = inferParserType<typeof requestFilters>

export const auditFilters = {
  action: parseAsString.withDefault(""),
  target: parseAsString.withDefault(""),
  project: parseAsStringLiteral(["this"]),
  since: parseAsDay.withDefault(""),
  until: parseAsDay.withDefault(""),
  after: parseAsString.withDefault(""),
}

export type AuditFilters = inferParserType<typeof auditFilters>

/** What was typed into the field over the log: the id of a request, of what a request made, or a part of the route. */
export function searchOf(text: string): { request: string } | Pick<RequestFilters, "route" | "made"> {
  const [id, prefix] = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(text) ?? []
  if (id && prefix === "req") return { request: id }
  return id ? { route: "", made: id } : { route: text, made: "" }
}
