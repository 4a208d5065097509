import { createPrivateKey, type KeyObject } from "node:crypto"
import { findSender, dropSigner, nextSigners } from "@/lib/domains/keys/data"
import { pendingStep } from "@/lib/delivery/message/data"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"

/** Domain and parsed DKIM key that a message is sent with. */
export type Signer = {
  domain: string
  mailFromDomain: string
  /** The domain's own host for tracked links, once it answers by https. */
  trackingHost: string | null
  keyId: string
  selector: string
  key: KeyObject
}

/** Cached so briefly that a rotated key or a deleted domain takes effect at once for people. */
const freshMs = 1_000
const signersMax = 1_000

/** Looks signers up by domain, once a second for each; null for a domain that was deleted. */
export function createSigners(): (projectId: string, domainId: string) => Promise<Signer | null> {
  const known = new Map<string, { at: number; signer: Promise<Signer | null> }>()

  return (projectId, domainId) => {
    const cached = known.get(domainId)
    if (cached && performance.now() - cached.at < freshMs) return cached.signer
    const signer = read(projectId, domainId, cached?.signer)
    known.delete(domainId)
    known.set(domainId, { at: performance.now(), signer })
    if (known.size > signersMax) known.delete(known.keys().next().value ?? "")
    signer.catch(() => known.delete(domainId))
    return signer
  }
}

/** Parsing a key costs as much as several signatures, so an unchanged key is reused. */
async function read(projectId: string, domainId: string, earlier?: Promise<Signer | null>): Promise<Signer | null> {
  const [sender, before] = await Promise.all([findSender(projectId, domainId), earlier?.catch(() => null)])
  if (!sender) return null
  const { privateKeyPem, ...rest } = sender
  const key = before?.keyId === sender.keyId ? before.key : createPrivateKey(privateKeyPem)
  return { ...rest, key }
}

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
