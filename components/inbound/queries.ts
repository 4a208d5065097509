import type { CallAnswer } from "@/components/data/call"
import { query, wholeList } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const routes = "GET /v1/projects/{projectId}/inbound-routes"
const route = "GET /v1/projects/{projectId}/inbound-routes/{routeId}"
const emails = "GET /v1/projects/{projectId}/inbound"
const email = "GET /v1/projects/{projectId}/inbound/{inboundId}"

export type InboundRoute = CallAnswer<typeof route>
export type ReceivedEmail = CallAnswer<typeof emails>["data"][number]
export type ReceivedEmailDetail = CallAnswer<typeof email>

/** All that a project can have: 100. */
export const inboundRoutesQuery = (projectId: string) => wholeList(routes, { params: { projectId } })

/** Those of one domain. */
export const domainRoutesQuery = (projectId: string, domainId: string) =>
  query(routes, { params: { projectId }, query: { size: 100, domainId } })

export const inboundRouteQuery = (projectId: string, routeId: string) =>
  query(route, { params: { projectId, routeId } })

export type ReceivedFilters = { route: string; after: string }

/** Without empty filters, so that server and browser use the same query key. */
export const receivedEmailsQuery = (projectId: string, { route: from, after }: ReceivedFilters) =>
  query(emails, {
    params: { projectId },
    query: { size: 20, ...(from && { route: from }), ...(after && { after }) },
  })

/** What answers an email, newest first, at most 20. */
export const repliesQuery = (projectId: string, emailId: string) =>
  query(emails, { params: { projectId }, query: { size: 20, inReplyTo: emailId } })

export const receivedEmailQuery = (projectId: string, inboundId: string) =>
  query(email, { params: { projectId, inboundId } })

export const useCreateRoute = () => useCall("POST /v1/projects/{projectId}/inbound-routes", [routes])
export const useUpdateRoute = () => useCall("PATCH /v1/projects/{projectId}/inbound-routes/{routeId}", [routes, route])
export const useDeleteRoute = () => useCall("DELETE /v1/projects/{projectId}/inbound-routes/{routeId}", [routes])
export const useDeliverAgain = () => useCall("POST /v1/projects/{projectId}/inbound/{inboundId}/deliver", [email])
