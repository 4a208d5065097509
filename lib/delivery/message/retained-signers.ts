import { pendingStep } from "@/lib/delivery/message/data"
import { dropSigner, nextSigners } from "@/lib/domains/keys/data"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"

/** Destroys the key of a deleted domain once all mail accepted before the deletion has ended. Never rejects. */
export function runRetainedSigners(signal: AbortSignal, intervalMs = 30_000): Promise<void> {
  let behind: string | undefined
  return runRepeatedly({
    name: "retained signers",
    intervalMs,
    // Its mail may end on another machine.
    restMs: intervalMs,
    signal,
    async round() {
      const { more, next } = await retainedSignersRound(behind)
      behind = next
      return more
    },
  })
}

/** One bounded step for some of the retained keys; `more` if another can follow at once, `next` is where it continues. */
export async function retainedSignersRound(behind?: string): Promise<{ more: boolean; next: string | undefined }> {
  const { signers, next } = await nextSigners(behind)
  let more = next !== undefined
  for (const signer of signers) {
    const { pending, read } = await pendingStep(signer)
    if (pending) continue
    if (read) more = true
    else if (await dropSigner(signer)) {
      log.info({ domainId: signer.domainId }, "the key of a deleted domain was destroyed: its last mail has ended")
    }
  }
  return { more, next }
}
