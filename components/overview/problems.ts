import { useQueries } from "@tanstack/react-query"
import { emailsQuery } from "@/components/emails/queries"
import type { Email } from "@/components/emails/types"

/** What keeps an email from its recipient, or a recipient from wanting it. */
export const problemStatuses = ["bounced", "delivery_delayed", "complained", "failed", "suppressed"] as const

const shown = 5
const weekMs = 7 * 86_400_000

export function problemQueries(projectId: string) {
  return problemStatuses.map((status) => emailsQuery(projectId, { status, size: shown }))
}

/** The newest of the last seven days, whatever their status; undefined until all are read. */
export function useProblems(projectId: string): Email[] | undefined {
  return useQueries({
    queries: problemQueries(projectId).map((one) => ({ ...one, refetchInterval: 30_000 })),
    combine: (reads) => {
      if (reads.some(({ data }) => !data)) return undefined
      return newest(
        reads.flatMap(({ data }) => data?.data ?? []),
        Date.now(),
      )
    },
  })
}

export function newest<T extends { createdAt: string }>(emails: T[], now: number): T[] {
  return emails
    .filter(({ createdAt }) => now - Date.parse(createdAt) < weekMs)
    .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt))
    .slice(0, shown)
}
