import type { Io } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { lookAt, type WatchedDomain } from "@/lib/domains/check/check"
import { claimDueDomains, saveCheck } from "@/lib/domains/check/check-store"

/** Looks at once: each asks some thirty questions, most of them in parallel. */
const batchMax = 10

/**
 * Looks at every domain that is due now and keeps the outcomes; answers how many there were. A domain whose look breaks
 * comes back when its lease ends.
 */
export async function checkDueDomains(io: Io): Promise<number> {
  const due = await claimDueDomains(batchMax)
  await Promise.all(due.map((domain) => check(domain, io)))
  return due.length
}

async function check(domain: WatchedDomain, io: Io): Promise<void> {
  try {
    const outcome = await lookAt(domain, io, false)
    const kept = await saveCheck(domain, outcome)
    if (kept && outcome.status !== domain.status) {
      log.info(
        { domainId: domain.id, domain: domain.name, from: domain.status, to: outcome.status },
        "a domain changed its status",
      )
    }
  } catch (error) {
    log.error({ err: error, domainId: domain.id }, "a look at a domain's records broke")
  }
}
