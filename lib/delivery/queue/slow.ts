import { markSending } from "@/lib/delivery/queue/claim-sql"
import { gather } from "@/lib/delivery/queue/batch-writes"
import { log } from "@/lib/platform/log"

/** Most hand-offs are over before anyone could look: a row that says "sending" would be written for nothing. */
const slowMs = 500

/** Says of an email that it is being sent once that takes longer; the result ends the watch. */
export function warnIfSlow(emailId: string): () => void {
  const timer = setTimeout(() => void tell(emailId), slowMs)
  return () => clearTimeout(timer)
}

/** What is not told now, the outcome tells. */
async function tell(emailId: string): Promise<void> {
  await tellWithOthers(emailId).catch((error: unknown) => log.debug({ err: error, emailId }, "an email stays queued"))
}

const tellWithOthers = gather(
  async (emailIds: string[]) => {
    await markSending(emailIds)
    return emailIds
  },
  { most: 200 },
)
