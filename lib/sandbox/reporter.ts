import { setTimeout as wait } from "node:timers/promises"
import { log } from "@/lib/platform/log"
import { hourMs } from "@/lib/platform/time"
import { aggregateReports, type DomainCount, type ReportedMail } from "@/lib/sandbox/aggregate-report"
import type { Resolve } from "@/lib/sandbox/resolver"
import type { ReturnMail } from "@/lib/sandbox/return-mail"

/** Real receivers report once a day; this one soon, so that the first report can be waited for. */
export const reporterDelays = { firstMs: 30_000, nextMs: hourMs }

const domainsMax = 1_000
const mailsMax = 10_000

export type Reporter = { count(mail: ReportedMail): void }

type Options = { resolve: Resolve; send(mail: ReturnMail): Promise<void>; signal: AbortSignal }

/**
 * The part of the sandbox's receiver that sends DMARC reports: half a minute after the first mail of a domain, and then at most once an hour
 * about what came since. What was counted is lost with the process.
 */
export function createReporter({ resolve, send, signal }: Options): Reporter {
  const counts = new Map<string, DomainCount>()
  const reportedAt = new Map<string, number>()

  async function report(domain: string): Promise<void> {
    const last = reportedAt.get(domain)
    const rest = last === undefined ? 0 : last + reporterDelays.nextMs - performance.now()
    await wait(Math.max(reporterDelays.firstMs, rest), undefined, { signal })
    const count = counts.get(domain)
    counts.delete(domain)
    if (reportedAt.size >= domainsMax) reportedAt.clear()
    reportedAt.set(domain, performance.now())
    for (const mail of count ? await aggregateReports(count, resolve, new Date()) : []) await send(mail)
  }

  return {
    count(mail) {
      const domain = mail.headerFrom
      const now = new Date()
      const count = counts.get(domain)
      if (count) {
        if (count.mails.length < mailsMax) count.mails.push(mail)
        count.ended = now
        return
      }
      if (counts.size >= domainsMax) return
      counts.set(domain, { domain, began: now, ended: now, mails: [mail] })
      report(domain).catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error, domain }, "a report of the sandbox could not be sent")
      })
    },
  }
}
