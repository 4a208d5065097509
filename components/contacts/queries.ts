import { infiniteQueryOptions, keepPreviousData, type QueryClient } from "@tanstack/react-query"
import { call, type CallAnswer } from "@/components/data/call"
import { query } from "@/components/data/query"
import { useCall } from "@/components/data/use-call"

const listRoute = "GET /v1/projects/{projectId}/contacts"
const one = "GET /v1/projects/{projectId}/contacts/{contactId}"
const activity = "GET /v1/projects/{projectId}/contacts/{contactId}/activity"
const topics = "GET /v1/projects/{projectId}/contacts/{contactId}/topics"
const segment = "GET /v1/projects/{projectId}/segments"
const suppressions = "GET /v1/projects/{projectId}/suppressions"

export type Contact = CallAnswer<typeof one>
export type ContactPage = CallAnswer<typeof listRoute>
export type Activity = CallAnswer<typeof activity>[number]

export type ContactSuppression = CallAnswer<typeof suppressions>["data"][number]

type ListQuery = { search?: string; unsubscribed?: string; segmentId?: string; topicId?: string }

/** The first page. Empty filters are omitted, so that server and browser use the same query key. */
export function contactsQuery(projectId: string, filters: ListQuery = {}) {
  const set = Object.fromEntries(Object.entries(filters).filter(([, value]) => value))
  return query(listRoute, { params: { projectId }, query: { size: 50, ...set } })
}

/** The list read on by its cursors, from the beginning that the server may have brought along. */
export function endlessContacts(client: QueryClient, projectId: string, filters: ListQuery) {
  const { queryKey: beginning } = contactsQuery(projectId, filters)
  const [, input] = beginning
  return infiniteQueryOptions({
    queryKey: [...beginning, "endless"] as const,
    queryFn: ({ pageParam, signal }): Promise<ContactPage> =>
      call(listRoute, { ...input, query: { ...input.query, ...(pageParam ? { after: pageParam } : {}) } }, signal),
    initialPageParam: "",
    getNextPageParam: ({ cursor }: ContactPage) => cursor?.nextCursor ?? undefined,
    initialData: () => {
      const page = client.getQueryData<ContactPage>(beginning)
      return page && { pages: [page], pageParams: [""] }
    },
    initialDataUpdatedAt: () => client.getQueryState(beginning)?.dataUpdatedAt,
    placeholderData: keepPreviousData,
    // A long scroll keeps its pages; a change made here refetches them.
    refetchOnWindowFocus: false,
  })
}

export const contactQuery = (projectId: string, contactId: string) => query(one, { params: { projectId, contactId } })

export const activityQuery = (projectId: string, contactId: string) =>
  query(activity, { params: { projectId, contactId } })

export const topicStatesQuery = (projectId: string, contactId: string) =>
  query(topics, { params: { projectId, contactId } })

export const scoreQuery = (projectId: string, contactId: string) =>
  query("GET /v1/projects/{projectId}/contacts/{contactId}/engagement", { params: { projectId, contactId } })

export const validationQuery = (projectId: string, contactId: string) =>
  query("GET /v1/projects/{projectId}/contacts/{contactId}/email-validation", { params: { projectId, contactId } })

/** The suppression of one address: a page of one, or of none. */
export const suppressionQuery = (projectId: string, email: string) =>
  query(suppressions, { params: { projectId }, query: { email, size: 1 } })

export const useCreateContact = () => useCall("POST /v1/projects/{projectId}/contacts", [listRoute])

export const useUpdateContact = () =>
  useCall("PATCH /v1/projects/{projectId}/contacts/{contactId}", [listRoute, one, activity, suppressions])

export const useDeleteContact = () => useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}", [listRoute])

export const useAddToSegment = () =>
  useCall("POST /v1/projects/{projectId}/contacts/{contactId}/segments", [listRoute, one, activity, segment])

export const useRemoveFromSegment = () =>
  useCall("DELETE /v1/projects/{projectId}/contacts/{contactId}/segments/{segmentId}", [
    listRoute,
    one,
    activity,
    segment,
  ])

export const useSetTopics = () =>
  useCall("PATCH /v1/projects/{projectId}/contacts/{contactId}/topics", [one, activity, topics])

export const useRefreshScore = () =>
  useCall("POST /v1/projects/{projectId}/contacts/{contactId}/engagement/refresh", [
    "GET /v1/projects/{projectId}/contacts/{contactId}/engagement",
  ])
