import { checkDomain, type WatchedDomain } from "@/lib/domains/check/check"
import { claimDueDomains, restartForNames, saveCheck } from "@/lib/domains/check/data"
import { domainNames } from "@/lib/domains/records/records"
import { env } from "@/lib/platform/env/env"
import type { Io } from "@/lib/platform/io"
import { log } from "@/lib/platform/log"
import { regionNames } from "@/lib/regions/regions"

/** Checks in parallel; each makes some thirty lookups, most of them in parallel. */
const batchMax = 10

/**
 * Checks every domain that is due and saves the outcomes. A domain whose check throws is due again when its lease ends.
 *
 * @returns how many were due
 */
export async function checkDueDomains(io: Io): Promise<number> {
  await followNames()
  const due = await claimDueDomains(batchMax, io.clock.now())
  await Promise.all(due.map((domain) => check(domain, io)))
  return due.length
}

let followed = ""

/** Names and transports change with a restart: then the domains whose records have other values now are checked at once. */
async function followNames(): Promise<void> {
  const present = regionNames.map((region) => ({ region, ...domainNames(region, env()) }))
  const names = JSON.stringify(present)
  if (followed === names) return
  const count = await restartForNames(present)
  followed = names
  if (count > 0) log.info({ count, present }, "domains are checked for the installation's new names")
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
