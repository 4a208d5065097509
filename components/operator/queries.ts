import type { CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"

export type OperatorMailSummary = CallAnswer<"GET /v1/operator/mails">["data"][number]
export type OperatorMailDetail = CallAnswer<"GET /v1/operator/mails/{mailId}">

export function operatorMailsQuery(page = 1) {
  return query("GET /v1/operator/mails", { query: { page, size: 20 } })
}

export function operatorMailQuery(mailId: string) {
  return query("GET /v1/operator/mails/{mailId}", { params: { mailId } })
}

export const operatorRegionsRoute = "GET /v1/operator/regions"

export type OperatorRegion = CallAnswer<typeof operatorRegionsRoute>["data"][number]

export type RelayTestAnswer = CallAnswer<"POST /v1/operator/relay-tests">

export type HeaderReadingAnswer = CallAnswer<"POST /v1/operator/header-readings">

export const setupRoute = "GET /v1/operator/setup-checks"

export type SetupReportWire = CallAnswer<typeof setupRoute>
export type SetupRowWire = SetupReportWire["rows"][number]

export function setupQuery() {
  return query(setupRoute, {})
}

export function operatorRegionsQuery() {
  return query(operatorRegionsRoute, {})
}

export const destinationsRoute = "GET /v1/operator/destinations"
export const destinationRoute = "GET /v1/operator/destinations/{destinationId}"

export type Destination = CallAnswer<typeof destinationsRoute>["data"][number]
export type DestinationDetail = CallAnswer<typeof destinationRoute>

export function destinationsQuery(page = 1) {
  return query(destinationsRoute, { query: { page, size: 20 } })
}

export function destinationQuery(destinationId: string) {
  return query(destinationRoute, { params: { destinationId } })
}

/** Bounces have an empty return path. */
export function senderName(from: string): string {
  return from === "" ? "Mail server" : from
}

export const egressAddressesRoute = "GET /v1/operator/egress-addresses"
export const projectPoolsRoute = "GET /v1/operator/project-pools"

export type EgressAddressWire = CallAnswer<typeof egressAddressesRoute>["data"][number]
export type ProjectPoolWire = CallAnswer<typeof projectPoolsRoute>["data"][number]

export function egressAddressesQuery() {
  return query(egressAddressesRoute, {})
}

export function projectPoolsQuery() {
  return query(projectPoolsRoute, {})
}

export const operatorNoticesRoute = "GET /v1/operator/notices"

export function operatorNoticesQuery() {
  return query(operatorNoticesRoute, {})
}
