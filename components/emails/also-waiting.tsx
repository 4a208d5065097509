import { useOpenedAt } from "@/components/ui/relative-time"
import { useQuery } from "@tanstack/react-query"
import { ArrowRight } from "lucide-react"
import type { CallAnswer } from "@/components/data/call"
import { countsQuery, type Explanation } from "@/components/emails/queries"
import { ButtonLink } from "@/components/ui/button"
import type { EmailStatus } from "@/lib/emails/message-rules"
import { formatNumber } from "@/lib/platform/format"
import { hourMs } from "@/lib/platform/time"

type AlsoWaitingProps = {
  projectId: string
  status: EmailStatus
  recipient: Explanation["recipients"][number]
  from: string
}

const refreshMs = 30_000

/** How many other emails wait for the same reason, as the way to them; nothing if there are none. */
export function AlsoWaiting({ projectId, status, recipient, from }: AlsoWaitingProps) {
  const openedAt = useOpenedAt()
  const cause = sameCauseOf(recipient, from)
  const counts = useQuery({
    ...countsQuery(projectId, cause ? countedOf(cause, openedAt) : {}),
    enabled: cause !== null,
    refetchInterval: refreshMs,
  }).data
  const words = cause && counts && waitingWords(counts, status, cause)
  if (!words) return null
  return (
    <ButtonLink href={waitingHref(projectId, cause)} className="max-w-full">
      <span className="truncate" title={words}>
        {words}
      </span>
      <ArrowRight />
    </ButtonLink>
  )
}

// Which emails those are

/** The filters of the list that show the emails which wait for the same reason. */
export type SameCause = { statuses: readonly EmailStatus[]; domain?: string }

/** Between two attempts; some may be in their first one. */
const tried = ["sending", "delivery_delayed"] as const

/** Null where the list cannot show them. */
export function sameCauseOf(recipient: Explanation["recipients"][number], from: string): SameCause | null {
  if (recipient.attempts.at(-1)?.outcome === "region_fault") return { statuses: ["queued", ...tried] }
  const domain = recipient.address.slice(recipient.address.lastIndexOf("@") + 1).toLowerCase()
  // A search finds senders too, and here would find all that they sent.
  return from.toLowerCase().includes(`@${domain}`) ? null : { statuses: tried, domain }
}

function searchOf({ domain }: SameCause): { search?: string } {
  return domain === undefined ? {} : { search: `@${domain}` }
}

/** Then an email is given up. */
const waitHoursMax = 72

/**
 * Which emails are counted. Older ones have ended, except some that were scheduled. A count ends after 1,000 emails of any
 * status, so that without this bound that of a frequent domain would rarely be complete.
 */
export function countedOf(cause: SameCause, now: number): { search?: string; after: string } {
  const hour = Math.floor(now / hourMs) - waitHoursMax
  return { ...searchOf(cause), after: new Date(hour * hourMs).toISOString() }
}

/** The list with the emails that wait for the same reason. */
export function waitingHref(projectId: string, cause: SameCause): string {
  const filters = new URLSearchParams({ status: cause.statuses.join(), ...searchOf(cause) })
  return `/projects/${projectId}/emails?${filters}`
}

type Counts = CallAnswer<"GET /v1/projects/{projectId}/emails/counts">

/** "8 more waiting for acme.example"; null where no other email waits. */
export function waitingWords(counts: Counts, own: EmailStatus, { statuses, domain }: SameCause): string | null {
  const all = counts.statuses.reduce((sum, { status, count }) => (statuses.includes(status) ? sum + count : sum), 0)
  const others = all - (statuses.includes(own) ? 1 : 0)
  if (others <= 0) return null
  const place = domain === undefined ? "" : ` for ${domain}`
  return `${formatNumber(others)}${counts.complete ? "" : "+"} more waiting${place}`
}
