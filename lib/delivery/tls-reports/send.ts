import { createPrivateKey } from "node:crypto"
import { sign } from "@/lib/delivery/message/dkim"
import { systemSource } from "@/lib/delivery/egress/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { isServiceDomainReady } from "@/lib/delivery/setup/report"
import {
  claimReports,
  countedSessions,
  hasUnclaimed,
  noteReport,
  type ReportEnd,
} from "@/lib/delivery/tls-reports/data"
import {
  reportMail,
  reportTargets,
  type ReportTarget,
  tlsReportFile,
  type TlsReportFile,
} from "@/lib/delivery/tls-reports/report"
import { serviceKey } from "@/lib/domains/keys/data"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import type { Dns } from "@/lib/platform/dns/dns"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"
import { runRepeatedly } from "@/lib/platform/jobs/leases"
import { log } from "@/lib/platform/log"
import { createReach } from "@/lib/platform/networks"
import { post } from "@/lib/platform/outbound/request"
import { resolveBy, judgeUrl } from "@/lib/platform/outbound/target"
import { dayMs, hourMs, timeLimit } from "@/lib/platform/time"
import { installationDns } from "@/lib/regions/io"
import { type Region, regionNames } from "@/lib/regions/regions"
import { regionSettings } from "@/lib/regions/settings"

/** Of all domains together. */
const reportsPerDayMax = 5_000
const atOnce = 10
const roundEveryMs = 10 * 60_000
/** After midnight (UTC), so that every worker has counted the day before. */
const waitsMs = hourMs
const sendMs = 60_000

export type ReportOptions = {
  relays: Relays
  signal: AbortSignal
  /** The day to report, midnight UTC. */
  day: Date
  reportsPerDayMax?: number
  /** Certificates to trust instead of the well-known ones, PEM. */
  ca?: string
}

/** Sends the reports about TLS of the day before (RFC 8460) while a region sends directly, until the signal aborts. Never rejects. */
export function runTlsReports(options: Pick<ReportOptions, "relays" | "signal">): Promise<void> {
  return runRepeatedly({
    name: "TLS reports",
    round: async () => sendTlsReports({ ...options, day: dayToReport(await databaseTime()) }),
    intervalMs: roundEveryMs,
    restMs: roundEveryMs,
    signal: options.signal,
  })
}

/** The newest day that every worker has counted to its end, midnight UTC. */
export function dayToReport(now: Date): Date {
  const day = new Date(now.getTime() - waitsMs - dayMs)
  day.setUTCHours(0, 0, 0, 0)
  return day
}

/** Sends some reports of a day; true if there may be more. */
export async function sendTlsReports(options: ReportOptions): Promise<boolean> {
  const { relays, day, reportsPerDayMax: dayMax = reportsPerDayMax } = options
  const region = regionNames.find((name) => regionSettings().profiles[name].transport === "direct")
  const relay = region && relays.named(region)
  if (!relay) return false
  if (!(await hasUnclaimed(day)) || !(await isServiceDomainReady())) return false
  const domains = await claimReports(day, { limit: atOnce, dayMax })
  const dns = installationDns()
  await Promise.all(
    domains.map(async (domain) => {
      const end = await report({ ...options, domain, dns, region, transport: relay.transport })
      await noteReport(day, domain, end)
      if (end.status !== "not_asked") log.info({ domain, ...end }, "a report about TLS has ended")
    }),
  )
  return domains.length > 0
}

type Reported = ReportOptions & {
  domain: string
  dns: Dns
  region: Region
  transport: NonNullable<ReturnType<Relays["named"]>>["transport"]
}

/** To the first of the domain's addresses that takes it. */
async function report(about: Reported): Promise<ReportEnd> {
  const { day, domain, dns } = about
  const answer = await dns.txt(`_smtp._tls.${domain}`)
  const targets = answer.kind === "found" ? reportTargets(answer.values) : []
  let end: ReportEnd = { status: "not_asked" }
  if (targets.length === 0) return end
  const file = tlsReportFile({ domain, day, serviceDomain: env().serviceDomain }, await countedSessions(day, domain))
  for (const target of targets) {
    const shown = "https" in target ? target.https : `mailto:${target.mailto}`
    const fault = await handOver(target, file, about).catch((error: unknown) => String(error))
    end = {
      status: fault === null ? "sent" : "failed",
      target: shown.slice(0, 1_000),
      ...(fault && { diagnostic: fault.slice(0, 1_000) }),
    }
    if (fault === null) return end
  }
  return end
}

/** Null once the report is accepted, else why it is not. */
function handOver(target: ReportTarget, file: TlsReportFile, about: Reported): Promise<string | null> {
  return "https" in target ? upload(target.https, file, about) : mail(target.mailto, file, about)
}

async function upload(url: string, { content }: TlsReportFile, { dns, signal, ca }: Reported): Promise<string | null> {
  const { networks } = regionSettings().direct
  const guard = { reach: createReach(networks), allowsPrivate: networks.length > 0 }
  const target = judgeUrl(url, guard)
  if (!target.ok) return `The address ${target.reason}`
  const { status } = await post({
    ...{ target, guard, signal, ca, resolve: resolveBy(dns), timeoutMs: sendMs },
    headers: { "content-type": "application/tlsrpt+gzip" },
    body: content,
  })
  return status >= 200 && status < 300 ? null : `HTTP status ${status}`
}

async function mail(to: string, file: TlsReportFile, about: Reported): Promise<string | null> {
  const { dns, domain, region, transport, signal } = about
  const { serviceDomain } = env()
  const exchanges = await dns.mx(to.slice(to.lastIndexOf("@") + 1))
  // Whoever names a domain that takes no mail is not answered by mail.
  if (exchanges.kind !== "found" || !exchanges.values.some(({ exchange }) => exchange !== ""))
    return `The domain of ${to} has no MX record.`
  const { selector, privateKeyPem } = await serviceKey()
  const messageId = `<${newId()}@${serviceDomain}>`
  const message = reportMail(file, { ...{ domain, serviceDomain, to, messageId }, date: await databaseTime() })
  const signer = { domain: serviceDomain, selector, key: createPrivateKey(privateKeyPem) }
  const limited = timeLimit(signal, sendMs)
  const mailed = { from: "", to, message: await sign(message, signer), isTlsReport: true } as const
  const takeSource = () => systemSource(region)
  const attempt = await transport.send({ ...mailed, takeSource, signal: limited.signal }).finally(limited.release)
  return attempt.outcome === "accepted" ? null : `${attempt.code ?? ""} ${attempt.text}`.trim()
}
