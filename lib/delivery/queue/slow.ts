import { markSending } from "@/lib/emails/content/data"
import { batchWrites } from "@/lib/platform/jobs/batch-writes"
import { log } from "@/lib/platform/log"

/** Most attempts end sooner than this, so writing the status `sending` for each would be wasted. */
const slowMs = 500

/** Marks an email as being sent once that takes long; call the result when the attempt has ended. */
export function markSendingIfSlow(emailId: string): () => void {
  const timer = setTimeout(() => void mark(emailId), slowMs)
  return () => clearTimeout(timer)
}

/** A failure is ignored: the outcome sets the status anyway. */
async function mark(emailId: string): Promise<void> {
  await markBatched(emailId).catch((error: unknown) => log.debug({ err: error, emailId }, "an email stays queued"))
}

const markBatched = batchWrites(
  async (emailIds: string[]) => {
    await markSending(emailIds)
    return emailIds
  },
  { max: 200 },
)
