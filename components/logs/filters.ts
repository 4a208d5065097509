import { createParser, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server"

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
  after: parseAsString.withDefault(""),
}

export type RequestFilters = inferParserType<typeof requestFilters>

export const auditFilters = {
  action: parseAsString.withDefault(""),
  target: parseAsString.withDefault(""),
  project: parseAsStringLiteral(["this"]),
  after: parseAsString.withDefault(""),
}

export type AuditFilters = inferParserType<typeof auditFilters>
