import type { Io } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { checkDomain, type WatchedDomain } from "@/lib/domains/check/check"
import { claimDueDomains, saveCheck } from "@/lib/domains/check/check-store"

/** Checks in parallel; each makes some thirty lookups, most of them in parallel. */
const batchMax = 10

/**
 * Checks every domain that is due and saves the outcomes. A domain whose check throws is due again when its lease ends.
 *
 * @returns how many were due
 */
export async function checkDueDomains(io: Io): Promise<number> {
  const due = await claimDueDomains(batchMax)
  await Promise.all(due.map((domain) => check(domain, io)))
  return due.length
}

async function check(domain: WatchedDomain, io: Io): Promise<void> {
  try {
    const outcome = await checkDomain(domain, io, false)
    const kept = await saveCheck(domain, outcome)
    if (kept && outcome.status !== domain.status) {
      log.info(
        { domainId: domain.id, domain: domain.name, from: domain.status, to: outcome.status },
        "a domain changed its status",
      )
    }
  } catch (error) {
    log.error({ err: error, domainId: domain.id }, "a domain check failed")
  }
}
