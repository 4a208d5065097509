import { queryOptions } from "@tanstack/react-query"
import { addressOf, refused, type CallAnswer } from "@/components/data/call"
import { query, wholeList } from "@/components/data/query"

export type Email = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}">
export type Delivery = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/deliveries">["data"][number]
export type Attempt = Delivery["attempts"][number]
export type EmailEvent = Explanation["events"][number]
export type EmailPage = CallAnswer<"GET /v1/projects/{projectId}/emails">

export type Explanation = CallAnswer<"GET /v1/projects/{projectId}/emails/{emailId}/explanation">

type EmailListQuery = {
  page?: number
  size?: number
  status?: string
  search?: string
  domainId?: string
  topicId?: string
  broadcastId?: string
  tag?: string
  after?: string
  before?: string
}

/** Without empty filters, so that server and browser use the same query key. */
export function emailsQuery(projectId: string, { page = 1, size = 20, ...filters }: EmailListQuery = {}) {
  return query("GET /v1/projects/{projectId}/emails", { params: { projectId }, query: { page, size, ...set(filters) } })
}

/** How many there are of each status. */
export function countsQuery(projectId: string, filters: Omit<EmailListQuery, "page" | "size" | "status">) {
  return query("GET /v1/projects/{projectId}/emails/counts", { params: { projectId }, query: set(filters) })
}

function set<T extends object>(filters: T): Partial<T> {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value)) as Partial<T>
}

export function emailQuery(projectId: string, emailId: string) {
  return query("GET /v1/projects/{projectId}/emails/{emailId}", { params: { projectId, emailId } })
}

/** What came back for it by mail. */
export function returnedMailsQuery(projectId: string, emailId: string) {
  return query("GET /v1/projects/{projectId}/emails/{emailId}/returned-mails", { params: { projectId, emailId } })
}

/** Why it is where it is, with its recipients, attempts and events. */
export function explanationQuery(projectId: string, emailId: string) {
  return query("GET /v1/projects/{projectId}/emails/{emailId}/explanation", { params: { projectId, emailId } })
}

/** All of them, to choose among: the operator can let a project have more than a page. */
export function allDomainsQuery(projectId: string) {
  return wholeList("GET /v1/projects/{projectId}/domains", { params: { projectId } })
}

const rawRoute = "GET /v1/projects/{projectId}/emails/{emailId}/raw"

/** The message as it left, as text, or the sentence that says why there is none. */
type RawMessage = { source: string; missing?: never } | { missing: string; source?: never }

export function rawQuery(projectId: string, emailId: string) {
  const { address } = addressOf(rawRoute, { params: { projectId, emailId } })
  return queryOptions<RawMessage>({
    queryKey: [rawRoute, { params: { projectId, emailId } }],
    // Signed bytes never change once they are there.
    staleTime: ({ state }) => (state.data?.source === undefined ? 2_000 : Infinity),
    queryFn: async ({ signal }) => {
      const response = await fetch(address, { credentials: "same-origin", signal })
      if (response.ok) return { source: await response.text() }
      const problem = await response.json()
      if (problem.code === "email.raw_not_found") return { missing: problem.detail ?? problem.title }
      throw refused(problem)
    },
  })
}

/** Emails as a CSV file, chosen by parameters of the API; the browser takes it as a download while it is being read. */
export function exportAddress(projectId: string, query: Record<string, unknown>): string {
  return addressOf("GET /v1/projects/{projectId}/emails/export", { params: { projectId }, query }).address
}
