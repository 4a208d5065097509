import { openSesClient, type SesClient } from "@/lib/delivery/ses/client"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { regionNames } from "@/lib/regions/regions"
import { regionSettings, type SesTarget } from "@/lib/regions/settings"
import {
  claimSesRemovals,
  endSesRemoval,
  putOffSesRemoval,
  type SesRemoval,
} from "@/lib/suppressions/ses-removals-store"

/** SES answers about one such call a second. */
const atOnceMax = 1
const leaseSeconds = 120
/** After 10, 20, 40 seconds and so on; given up after about three hours. */
const waitSeconds = { first: 10, most: 3_600 }
const attemptsMax = 12
const intervalMs = 1_000

/** Takes addresses off the suppression lists of accounts at Amazon SES that projects allow again, until the signal aborts. Never rejects. */
export async function runSesRemovals(signal: AbortSignal): Promise<void> {
  if (regionNames.every((region) => targetOf(region) === undefined)) return
  await runRepeatedly({
    name: "removals at SES",
    intervalMs,
    signal,
    round: async () => ((await removeDue(signal)) > 0 ? "soon" : false),
  })
}

/** Answers how many were tried. */
export async function removeDue(signal?: AbortSignal): Promise<number> {
  const due = await claimSesRemovals(atOnceMax, leaseSeconds)
  for (const one of due) await remove(one, signal)
  return due.length
}

async function remove(one: SesRemoval, signal?: AbortSignal): Promise<void> {
  const { region, attempt } = one
  const target = targetOf(region)
  // It no longer sends by SES.
  if (!target) return endSesRemoval(one)
  try {
    const ses = await clientOf(target)
    await ses.allow(one.email, signal)
    await endSesRemoval(one)
  } catch (error) {
    if (signal?.aborted) return putOffSesRemoval(one, 0)
    if (attempt >= attemptsMax) {
      log.error(
        { err: error, region, attempt },
        "an address could not be taken off the suppression list of SES; it is given up",
      )
      return endSesRemoval(one)
    }
    log.warn({ err: error, region, attempt }, "an address could not be taken off the suppression list of SES yet")
    await putOffSesRemoval(one, Math.min(waitSeconds.most, waitSeconds.first * 2 ** (attempt - 1)))
  }
}

const clients = new Map<SesTarget, Promise<SesClient>>()

function clientOf(target: SesTarget): Promise<SesClient> {
  const known = clients.get(target) ?? openSesClient(target)
  clients.set(target, known)
  return known
}

function targetOf(region: string): SesTarget | undefined {
  const profile = regionNames.some((name) => name === region)
    ? regionSettings().profiles[region as (typeof regionNames)[number]]
    : undefined
  return profile?.transport === "ses" ? profile.ses : undefined
}
