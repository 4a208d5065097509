import { query } from "@/components/api/query"
import type { CallAnswer } from "@/components/api/route"
import { useCall } from "@/components/api/use-call"

const LIST = "GET /v1/projects/{projectId}/contacts"
const ONE = "GET /v1/projects/{projectId}/contacts/{contactId}"
const ACTIVITY = "GET /v1/projects/{projectId}/contacts/{contactId}/activity"
const TOPICS = "GET /v1/projects/{projectId}/contacts/{contactId}/topics"
const SEGMENT = "GET /v1/projects/{projectId}/segments"

export type Contact = CallAnswer<typeof ONE>
export type ContactPage = CallAnswer<typeof LIST>
export type Activity = CallAnswer<typeof ACTIVITY>[number]

type ListQuery = { page?: number; size?: number; search?: string; unsubscribed?: string; segmentId?: string; topicId?: string }

/** Empty filters are left out, so that server and browser name the same read alike. */
export function contactsQuery(projectId: string, { page = 1, size = 20, ...filters }: ListQuery = {}) {
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  return query(LIST, { params: { projectId }, query: { page, size, ...set } })
}

export const contactQuery = (projectId: string, contactId: string) => query(ONE, { params: { projectId, contactId } })

export const activityQuery = (projectId: string, contactId: string) => query(ACTIVITY, { params: { projectId, contactId } })

export const topicStatesQuery = (projectId: string, contactId: string) => query(TOPICS, { params: { projectId, contactId } })

export const scoreQuery = (projectId: string, contactId: string) =>
  query("GET /v1/projects/{projectId}/contacts/{contactId}/engagement", { params: { projectId, contactId } })

export const validationQuery = (projectId: string, contactId: string) =>
  query("GET /v1/projects/{projectId}/contacts/{contactId}/email-validation", { params: { projectId, contactId } })

/** The names to choose among; a project with more than 100 finds the rest on their own pages. */
export const segmentsQuery = (projectId: string) => query(SEGMENT, { params: { projectId }, query: { size: 100 } })

export const topicsQuery = (projectId: string) => query("GET /v1/projects/{projectId}/topics", { params: { projectId }, query: { size: 100 } })

export const propertiesQuery = (projectId: string) =>
  query("GET /v1/projects/{projectId}/contact-properties", { params: { projectId }, query: { size: 100 } })

/** The newest suppression whose address holds this one's text: the page picks its own. */
export const suppressionQuery = (projectId: string, email: string) =>
  query("GET /v1/projects/{projectId}/suppressions", { params: { projectId }, query: { search: email, size: 100 } })

const SUPPRESSIONS = "GET /v1/projects/{projectId}/suppressions"

export const useCreateContact = () => useCall("POST /v1/projects/{projectId}/contacts", [LIST])

export const useUpdateContact = () =>
  useCall("PATCH /v1/projects/{projectId}/contacts/{contactId}", [LIST, ONE, ACTIVITY, SUPPRESSIONS])

export const useDeleteContact = () => useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}", [LIST])

export const useAddToSegment = () => useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", [LIST, ONE, ACTIVITY, SEGMENT])

export const useRemoveFromSegment = () =>
  useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", [LIST, ONE, ACTIVITY, SEGMENT])

export const useSetTopics = () => useCall("PATCH /v1/projects/{projectId}/contacts/{contactId}/topics", [ONE, ACTIVITY, TOPICS])

export const useRefreshScore = () =>
  useCall("POST /v1/projects/{projectId}/contacts/{contactId}/engagement/refresh", [
    "GET /v1/projects/{projectId}/contacts/{contactId}/engagement",
  ])
