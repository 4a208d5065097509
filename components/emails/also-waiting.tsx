import { useQuery } from "@tanstack/react-query"
import { ArrowRight } from "lucide-react"
import { useState } from "react"
import { countsQuery } from "@/components/emails/queries"
import { countedOf, sameCauseOf, waitingHref, waitingWords } from "@/components/emails/same-cause"
import type { Explanation } from "@/components/emails/types"
import { ButtonLink } from "@/components/ui/button"
import type { EmailStatus } from "@/lib/emails/message-rules"

type AlsoWaitingProps = {
  projectId: string
  status: EmailStatus
  recipient: Explanation["recipients"][number]
  from: string
}

const refreshMs = 30_000

/** How many other emails wait for the same reason, as the way to them; nothing if there are none. */
export function AlsoWaiting({ projectId, status, recipient, from }: AlsoWaitingProps) {
  const [openedAt] = useState(() => Date.now())
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
