"use client"

import { useQueries } from "@tanstack/react-query"
import { query } from "@/components/data/query"

/** Statuses of mail that a deletion lets leave, and the one that it lets fail. */
const statuses = ["queued", "sending", "delivery_delayed", "scheduled"] as const

/** What becomes of the mail that was accepted from the domain, with its number once that is known. */
export function PendingMail({ projectId, domainId }: { projectId: string; domainId: string }) {
  const counts = useQueries({
    queries: statuses.map((status) => ({
      ...query("GET /v1/projects/{projectId}/emails", {
        params: { projectId },
        query: { domainId, status, page: 1, size: 1 },
      }),
      staleTime: 0,
    })),
  }).map(({ data }) => data?.page.total)
  const scheduled = counts[3]
  const leaving = counts.slice(0, 3)
  const known = leaving.flatMap((count) => (count === undefined ? [] : [count]))
  const sum = known.length === leaving.length ? known.reduce((total, count) => total + count, 0) : undefined
  return (
    <p className="mt-2">
      {sum === undefined ? "Mail" : sum === 0 ? "No mail" : <b>{messages(sum)}</b>}
      {sum === 0 ? " is waiting to leave." : leavingWords(sum)}{" "}
      {scheduled === 0 ? "None is scheduled." : scheduledWords(scheduled)}
    </p>
  )
}

function leavingWords(count: number | undefined): string {
  const verb = count === undefined || count === 1 ? "leaves" : "leave"
  return ` already accepted still ${verb}, including retries, and the DKIM key is destroyed after the last. Keep the DNS records until then.`
}

function scheduledWords(count: number | undefined) {
  if (count === undefined) return "Scheduled email fails when it is due."
  return (
    <>
      <b>{count === 1 ? "1 scheduled message" : `${counted(count)} scheduled messages`}</b>{" "}
      {count === 1 ? "fails when it is due." : "fail when they are due."}
    </>
  )
}

function messages(count: number): string {
  return count === 1 ? "1 message" : `${counted(count)} messages`
}

/** The list counts to 10,000 where it is filtered. */
function counted(count: number): string {
  return count >= 10_000 ? "10,000 or more" : count.toLocaleString("en-US")
}
