import { createParser, parseAsString, parseAsStringLiteral, type inferParserType } from "nuqs/server"
import { parseAsDay, midnightOf } from "@/components/data/day-filters"
import { query } from "@/components/data/query"
import type { CallAnswer } from "@/components/data/call"

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

type RequestFilters = inferParserType<typeof requestFilters>

export const auditFilters = {
  action: parseAsString.withDefault(""),
  target: parseAsString.withDefault(""),
  project: parseAsStringLiteral(["this"]),
  since: parseAsDay.withDefault(""),
  until: parseAsDay.withDefault(""),
  after: parseAsString.withDefault(""),
}

type AuditFilters = inferParserType<typeof auditFilters>

/** What was typed into the field over the log: the id of a request, of what a request made, or a part of the route. */
export function searchOf(text: string): { request: string } | Pick<RequestFilters, "route" | "made"> {
  const [id, prefix] = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(text) ?? []
  if (id && prefix === "req") return { request: id }
  return id ? { route: "", made: id } : { route: text, made: "" }
}

const pageSize = 50

export type AuditPage = CallAnswer<"GET /v1/projects/{projectId}/audit-entries">

/** Both ends of the window of the API belong to it. */
function windowOf({ since, until }: Pick<RequestFilters, "since" | "until">, timeZone: string) {
  const end = until && midnightOf(until, timeZone, 1)
  return {
    ...(since && { from: midnightOf(since, timeZone) }),
    ...(end && { to: new Date(Date.parse(end) - 1).toISOString() }),
  }
}

export const requestQuery = (projectId: string, requestId: string) =>
  query("GET /v1/projects/{projectId}/requests/{requestId}", { params: { projectId, requestId } })

export function requestsQuery(
  projectId: string,
  { key, method, route, status, made, since, until, after }: RequestFilters,
  timeZone: string,
) {
  return query("GET /v1/projects/{projectId}/requests", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(key && { key }),
      ...(method && { method }),
      ...(route && { route }),
      ...(status && { status }),
      ...(made && { made }),
      ...windowOf({ since, until }, timeZone),
      ...(after && { after }),
    },
  })
}

export function auditQuery(
  projectId: string,
  { action, target, project, since, until, after }: AuditFilters,
  timeZone: string,
) {
  return query("GET /v1/projects/{projectId}/audit-entries", {
    params: { projectId },
    query: {
      size: pageSize,
      ...(/^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/.test(action) && { action }),
      ...(target && { target }),
      ...(project && { project }),
      ...windowOf({ since, until }, timeZone),
      ...(after && { after }),
    },
  })
}
