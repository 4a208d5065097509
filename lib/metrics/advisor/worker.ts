import {
  domainsWithMostFaults,
  noteRecovery,
  projectsToJudge,
  type Standing,
  standingsOf,
  tellOfRate,
} from "@/lib/metrics/advisor/data"
import { mayTell, criticalRates } from "@/lib/metrics/advisor/rules"
import { type Range, windowOf } from "@/lib/metrics/rules"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { log } from "@/lib/platform/log"
import { gauge } from "@/lib/platform/metrics"

const domains = gauge(
  "mailroom_domain_emails_last_day",
  "Sent, bounced and complained emails of the last 24 hours, of the sending domains with the most bounces and the most complaints.",
  ["domain", "count"],
)

/**
 * Tells owners of critical bounce and complaint rates, by the advisor's own rules. Each call of the result judges up to `batch`
 * projects and returns whether there are more; it begins anew after the last one.
 */
export function createRateNotices(batch = 100): () => Promise<boolean> {
  let after: string | null = null
  return async () => {
    const now = await databaseTime()
    if (after === null) await measureDomains(now)
    const projects = await projectsToJudge(after, now, batch)
    const month = windowOf("30d", now)
    for (const standing of await standingsOf(projects, month)) {
      try {
        await judge(standing, month, now)
      } catch (error) {
        const { projectId } = standing
        log.error({ err: error, projectId }, "the rates of a project could not be judged; they are judged again")
      }
    }
    const more = projects.length === batch
    after = more ? (projects.at(-1) ?? null) : null
    return more
  }
}

/** For who runs the installation: which domain a rising rate of all comes from. */
async function measureDomains(now: Date): Promise<void> {
  const found = await domainsWithMostFaults(windowOf("24h", now))
  domains.reset()
  for (const { domain, sent, bounced, complained } of found)
    for (const [count, value] of Object.entries({ sent, bounced, complained })) domains.set({ domain, count }, value)
}

async function judge({ projectId, month, told }: Standing, range: Range, now: Date): Promise<void> {
  const critical = criticalRates({ month })
  const isCritical = (code: string) => critical.some((finding) => finding.code === code)
  const recovered = [...told].flatMap(([code, { recoveredAt }]) =>
    recoveredAt === null && !isCritical(code) ? [code] : [],
  )
  if (recovered.length) await noteRecovery(projectId, recovered, now)
  for (const finding of critical) {
    const last = told.get(finding.code)
    if (mayTell(last, now)) await tellOfRate(projectId, { finding, last, month, range })
  }
}
