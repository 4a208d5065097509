import { dayIn, midnightOf, utc } from "@/components/data/day-filters"
import type { Read } from "@/components/data/load-error"
import { query } from "@/components/data/query"
import { metricsTimeline } from "@/components/metrics/queries"
import { useQueries } from "@tanstack/react-query"
import { useServerClock } from "@/components/ui/relative-time"
import { dayMs } from "@/lib/platform/time"
import { type Email, emailsQuery } from "@/components/emails/queries"
import { addressWithoutName } from "@/components/emails/address"

/** The last seven whole days and the seven before, so that a partial day never looks like a decline. */
export function weekQuery(projectId: string, timeZone = utc, now = Date.now()) {
  const today = dayIn(timeZone, new Date(now))
  const [from, to] = [midnightOf(today, timeZone, -7), midnightOf(today, timeZone)]
  return query("GET /v1/metrics/summary", { query: { from, to, compare: "previous", projectId } })
}

/** The days of what Metrics shows first. */
export function monthQuery(projectId: string, timeZone = utc) {
  return metricsTimeline(projectId, { window: "30d", from: "", to: "", domain: "", compare: true, timeZone })
}

export function keysQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/api-keys", { params: { projectId } })
}

/** Where email of the project waits, since mail servers are away or have asked us to slow down. */
export function waitingQuery(projectId: string) {
  return query("GET /v1/projects/{projectId}/waiting-destinations", { params: { projectId } })
}

/** What keeps an email from its recipient, or a recipient from wanting it. */
const problemStatuses = ["bounced", "delivery_delayed", "complained", "failed", "suppressed"] as const

const shown = 5
/** A broadcast to many suppressed addresses does not crowd out what bounced. */
const read = [
  { status: problemStatuses.filter((status) => status !== "suppressed").join(","), size: 40 },
  { status: "suppressed", size: 10 },
]
const weekMs = 7 * dayMs

export function problemQueries(projectId: string) {
  return read.map((filter) => emailsQuery(projectId, filter))
}

/** The newest of the last seven days, whatever their status; undefined until all are read, with the read that failed if one did. */
export function useProblems(projectId: string): { problems?: ProjectProblem[]; failed?: Read<unknown> | undefined } {
  const now = useServerClock()
  return useQueries({
    queries: problemQueries(projectId).map((one) => ({ ...one, refetchInterval: 30_000 })),
    combine: (reads) => {
      if (reads.some(({ data }) => !data)) return { failed: reads.find(({ error, data }) => error && !data) }
      const isCut = (status: string) =>
        reads.some(({ data }, at) => read[at]?.status.split(",").includes(status) && data?.page.hasNextPage)
      const problems = problemsOf(
        reads.flatMap(({ data }) => data?.data ?? []),
        now(),
      ).map((problem) => ({ ...problem, orMore: problem.count > 1 && isCut(problem.email.status) }))
      return { problems }
    },
  })
}

/**
 * Emails that one domain refused or holds back for the same reason, or that were suppressed; `email` is the newest. There may be
 * more of them than were read.
 */
type ProjectProblem = { email: Email; domain: string; count: number; orMore: boolean }

type Grouped = Pick<Email, "createdAt" | "status" | "to" | "error">

/** The newest of the last seven days, one for each cause. */
export function problemsOf<T extends Grouped>(emails: T[], now: number): { email: T; domain: string; count: number }[] {
  const causes = new Map<string, { email: T; domain: string; count: number }>()
  const newestFirst = emails
    .filter(({ createdAt }) => now - Date.parse(createdAt) < weekMs)
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
  for (const email of newestFirst) {
    const domain =
      email.status === "suppressed"
        ? ""
        : (addressWithoutName(email.to[0] ?? "")
            .split("@")
            .at(-1) ?? "")
    const cause = JSON.stringify([email.status, domain, email.error])
    const known = causes.get(cause)
    causes.set(cause, known ? { ...known, count: known.count + 1 } : { email, domain, count: 1 })
  }
  return [...causes.values()].slice(0, shown)
}
