import { gzipSync } from "node:zlib"
import { parsePlainAddress } from "@/lib/addresses/address"
import { dayMs } from "@/lib/platform/time"

/** Sessions of one day that had one result, as they were counted. */
export type CountedSessions = {
  policyType: string
  policy: readonly string[]
  host: string
  result: string
  sessions: number
}

export type TlsReportFile = { id: string; filename: string; content: Buffer }

/** A report about one domain and one day (RFC 8460 section 4), which a host of the service sends. */
export function tlsReportFile(
  { domain, day, serviceDomain }: { domain: string; day: Date; serviceDomain: string },
  counted: readonly CountedSessions[],
): TlsReportFile {
  const end = new Date(day.getTime() + dayMs - 1_000)
  const id = `${day.toISOString().slice(0, 10)}.${domain}@${serviceDomain}`
  const report = {
    "organization-name": serviceDomain,
    "date-range": { "start-datetime": seconds(day), "end-datetime": seconds(end) },
    "contact-info": `postmaster@${serviceDomain}`,
    "report-id": id,
    policies: [...new Set(counted.map(({ policyType }) => policyType))].map((type) =>
      policyOf(
        domain,
        type,
        counted.filter(({ policyType }) => policyType === type),
      ),
    ),
  }
  const [from, to] = [day, end].map((at) => at.getTime() / 1_000)
  return {
    id,
    filename: `${serviceDomain}!${domain}!${from}!${to}.json.gz`,
    content: gzipSync(JSON.stringify(report)),
  }
}

function policyOf(domain: string, type: string, counted: readonly CountedSessions[]) {
  const failed = counted.filter(({ result }) => result !== "success")
  // Counted by server: each has the policy as it was when its last session ended.
  const lines = counted.find(({ policy }) => policy.length > 0)?.policy ?? []
  return {
    policy: { "policy-type": type, "policy-domain": domain, ...(lines.length > 0 && { "policy-string": lines }) },
    summary: {
      "total-successful-session-count": sum(counted) - sum(failed),
      "total-failure-session-count": sum(failed),
    },
    "failure-details": failed.map(({ result, host, sessions }) => ({
      "result-type": result,
      ...(host !== "" && { "receiving-mx-hostname": host }),
      "failed-session-count": sessions,
    })),
  }
}

function sum(counted: readonly CountedSessions[]): number {
  return counted.reduce((total, { sessions }) => total + sessions, 0)
}

function seconds(at: Date): string {
  return at.toISOString().replace(/\.\d+Z$/, "Z")
}

export type ReportTarget = { mailto: string } | { https: string }

/** More addresses of a domain get no report. */
const targetsMax = 2

/** Where the TXT records of `_smtp._tls` want reports (RFC 8460 section 3); several records are none. */
export function reportTargets(texts: readonly string[]): ReportTarget[] {
  const [record, ...others] = texts.filter((text) => /^v=TLSRPTv1\s*(?:;|$)/.test(text))
  if (record === undefined || others.length > 0) return []
  const rua = record.split(";").flatMap((part) => /^\s*rua\s*=([^]*)$/.exec(part)?.[1] ?? [])[0] ?? ""
  return rua.split(",", targetsMax).flatMap((uri) => targetOf(uri.trim()) ?? [])
}

function targetOf(uri: string): ReportTarget | null {
  if (/^https:/i.test(uri)) return { https: uri }
  if (!/^mailto:/i.test(uri)) return null
  const parsed = parsePlainAddress(decoded(uri.slice("mailto:".length).replace(/\?[^]*/, "")))
  return parsed.ok ? { mailto: parsed.address } : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The mail that carries a report (RFC 8460 section 5.3), before it is signed. */
export function reportMail(
  { id, filename, content }: TlsReportFile,
  about: { domain: string; serviceDomain: string; to: string; date: Date; messageId: string },
): Buffer {
  const { domain, serviceDomain, to, date, messageId } = about
  const boundary = "=_tls_report"
  const lines = [
    `From: Mailroom <postmaster@${serviceDomain}>`,
    `To: ${to}`,
    `Subject: Report Domain: ${domain}`,
    ` Submitter: ${serviceDomain}`,
    ` Report-ID: <${id}>`,
    `Date: ${date.toUTCString().replace("GMT", "+0000")}`,
    `Message-ID: ${messageId}`,
    "Auto-Submitted: auto-generated",
    `TLS-Report-Domain: ${domain}`,
    `TLS-Report-Submitter: ${serviceDomain}`,
    "MIME-Version: 1.0",
    `Content-Type: multipart/report; report-type="tlsrpt";\r\n boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=us-ascii",
    "",
    `How sessions with the mail servers of ${domain} ended, as RFC 8460 describes it.`,
    "",
    `--${boundary}`,
    "Content-Type: application/tlsrpt+gzip",
    `Content-Disposition: attachment;\r\n filename="${filename}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(content.toString("base64").match(/.{1,76}/g) ?? []),
    "",
    `--${boundary}--`,
    "",
  ]
  return Buffer.from(lines.join("\r\n"), "latin1")
}
