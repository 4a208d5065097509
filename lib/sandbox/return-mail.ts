import { randomUUID } from "node:crypto"
import { createSmtpPool } from "@/lib/delivery/smtp/client"
import type { Transport } from "@/lib/delivery/transports/transport"
import { env } from "@/lib/platform/env/env"
import { gzipSync } from "node:zlib"
import { registrableDomain } from "@/lib/addresses/registrable"
import { parseTags, isDmarc, reportUris } from "@/lib/domains/records/dmarc-record"
import type { ResolveRecords } from "@/lib/sandbox/verdicts"
import type { Verdicts } from "@/lib/sandbox/schema"

/** A mail that a recipient's provider sends because of one of ours. */
export type ReturnMail = { from: string; to: string; message: Buffer }

/** What the simulator had of the mail that it answers. */
type Original = { mailFrom: string; rcptTo: string; raw: Buffer }

/** The way to the listener for returned mail on this machine, which is by SMTP as for everybody. */
export function returnTransport(port: number): Transport {
  return createSmtpPool({ host: "127.0.0.1", port, tls: "none", maxConnections: 2 }, { ehloName: simulatorHost() })
}

/** The bounce of a server that took a mail and found out later that the mailbox is missing (RFC 3464). */
export function lateBounce({ mailFrom, rcptTo, raw }: Original, now: Date): ReturnMail {
  const message = report(now, {
    from: `MAILER-DAEMON@${simulatorHost()}`,
    to: mailFrom,
    subject: "Undelivered Mail Returned to Sender",
    type: "delivery-status",
    text: `The simulator took the mail for ${rcptTo} and returns it now.`,
    fields: [
      `Reporting-MTA: dns; ${simulatorHost()}`,
      `Arrival-Date: ${dateOf(now)}`,
      "",
      `Final-Recipient: rfc822; ${rcptTo}`,
      "Action: failed",
      "Status: 5.1.1",
      `Remote-MTA: dns; ${simulatorHost()}`,
      `Diagnostic-Code: smtp; 550 5.1.1 <${rcptTo}>: User unknown: the simulator rejects this address later`,
    ],
    raw,
  })
  return { from: "", to: mailFrom, message }
}

/** The report of a provider whose user marked a mail as spam (RFC 5965). */
export function complaint({ mailFrom, rcptTo, raw }: Original, now: Date): ReturnMail {
  const to = `fbl@${env().serviceDomain}`
  const from = `feedback@${simulatorHost()}`
  const message = report(now, {
    from,
    to,
    subject: "Email feedback report",
    type: "feedback-report",
    text: `${rcptTo} marked this mail as spam.`,
    fields: [
      "Feedback-Type: abuse",
      "User-Agent: Mailroom-Simulator/1.0",
      "Version: 1",
      `Original-Mail-From: <${mailFrom}>`,
      `Original-Rcpt-To: <${rcptTo}>`,
      `Arrival-Date: ${dateOf(now)}`,
      "Source-IP: 127.0.0.1",
    ],
    raw,
  })
  return { from, to, message }
}

type Report = { from: string; to: string; subject: string; type: string; text: string; fields: string[]; raw: Buffer }

/** A multipart/report (RFC 6522) with the header of the original. */
function report(now: Date, { from, to, subject, type, text, fields, raw }: Report): Buffer {
  const boundary = `=_${randomUUID()}`
  const end = raw.indexOf("\r\n\r\n")
  const part = (contentType: string, lines: string[]) => [
    `--${boundary}`,
    `Content-Type: ${contentType}`,
    "",
    ...lines,
    "",
  ]
  return Buffer.from(
    [
      `From: ${from}`,
      `To: ${to}`,
      `Subject: ${subject}`,
      `Date: ${dateOf(now)}`,
      `Message-ID: <${randomUUID()}@${simulatorHost()}>`,
      "Auto-Submitted: auto-generated",
      "MIME-Version: 1.0",
      `Content-Type: multipart/report; report-type=${type}; boundary="${boundary}"`,
      "",
      ...part("text/plain; charset=us-ascii", [text]),
      ...part(`message/${type}`, fields),
      ...part("text/rfc822-headers", [raw.toString("latin1", 0, end < 0 ? raw.length : end)]),
      `--${boundary}--`,
      "",
    ].join("\r\n"),
    "latin1",
  )
}

function simulatorHost(): string {
  return `simulator.${env().serviceDomain}`
}

function dateOf(now: Date): string {
  return now.toUTCString().replace("GMT", "+0000")
}

/** A mail that the sandbox took, as a receiver counts it for its aggregate report. */
export type ReportedMail = { headerFrom: string; ip: string; verdicts: Verdicts }

/** What a receiver has counted of one domain since its last report. */
export type DomainCount = { domain: string; began: Date; ended: Date; mails: ReportedMail[] }

/**
 * The aggregate report (RFC 9990) about a domain to each of our addresses that its DMARC record names, as a large receiver sends it:
 * nothing without a record, or without the consent of the domain that gets it (section 4).
 */
export async function aggregateReports(count: DomainCount, resolve: ResolveRecords, now: Date): Promise<ReturnMail[]> {
  const policy = await policyOf(count.domain, resolve)
  if (!policy) return []
  const { reportDomain } = env()
  const consent = await textsAt(`${policy.domain}._report._dmarc.${reportDomain}`, resolve)
  if (!consent.some(isDmarc)) return []
  const addresses = reportUris(policy.tags.get("rua") ?? "").map((uri) => uri.slice("mailto:".length))
  const ours = addresses.filter((address) => address.endsWith(`@${reportDomain.toLowerCase()}`))
  const xml = xmlOf(count, policy)
  return ours.map((to) => mailOf({ to, xml, count, now }))
}

type Policy = { domain: string; tags: Map<string, string> }

/** Of the domain, else of the one above it that somebody registered. */
async function policyOf(domain: string, resolve: ResolveRecords): Promise<Policy | null> {
  for (const at of new Set([domain, registrableDomain(domain) ?? domain])) {
    const record = (await textsAt(`_dmarc.${at}`, resolve)).find(isDmarc)
    const tags = record === undefined ? null : parseTags(record)
    if (tags) return { domain: at, tags }
  }
  return null
}

async function textsAt(name: string, resolve: ResolveRecords): Promise<string[]> {
  try {
    return (await resolve(name, "TXT")).map((chunks) => (typeof chunks === "string" ? chunks : chunks.join("")))
  } catch {
    return []
  }
}

function xmlOf({ domain, began, ended, mails }: DomainCount, policy: Policy): string {
  const seconds = (at: Date) => String(Math.floor(at.getTime() / 1_000))
  const p = policy.tags.get("p") ?? "none"
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feedback xmlns="urn:ietf:params:xml:ns:dmarc-2.0">',
    "<report_metadata>",
    `<org_name>${simulatorHost()}</org_name>`,
    `<email>noreply@${simulatorHost()}</email>`,
    `<report_id>${domain}.${seconds(began)}.${randomUUID().slice(0, 8)}</report_id>`,
    `<date_range><begin>${seconds(began)}</begin><end>${seconds(ended)}</end></date_range>`,
    "</report_metadata>",
    `<policy_published><domain>${policy.domain}</domain><p>${escaped(p)}</p></policy_published>`,
    ...recordsOf(mails, domain),
    "</feedback>",
    "",
  ].join("\n")
}

function recordsOf(mails: readonly ReportedMail[], domain: string): string[] {
  const counts = new Map<string, number>()
  for (const mail of mails) {
    const record = recordOf(mail, domain)
    counts.set(record, (counts.get(record) ?? 0) + 1)
  }
  return [...counts].map(([record, count]) => record.replace("<count/>", `<count>${count}</count>`))
}

/** The sandbox delivers everything, whatever the policy asks for. */
function recordOf({ headerFrom, ip, verdicts: { dkim, spf } }: ReportedMail, domain: string): string {
  const aligned = (one: { result: string; domain?: string | undefined }) =>
    one.result === "pass" && one.domain !== undefined && organizationalOf(one.domain) === organizationalOf(domain)
      ? "pass"
      : "fail"
  const signature = dkim.domain
    ? `<dkim><domain>${escaped(dkim.domain)}</domain><selector>${escaped(dkim.selector ?? "")}</selector><result>${escaped(dkim.result)}</result></dkim>`
    : ""
  const sender = spf.domain
    ? `<spf><domain>${escaped(spf.domain)}</domain><result>${escaped(spf.result)}</result></spf>`
    : ""
  return [
    `<record><row><source_ip>${ip}</source_ip><count/>`,
    `<policy_evaluated><disposition>none</disposition><dkim>${aligned(dkim)}</dkim><spf>${aligned(spf)}</spf></policy_evaluated></row>`,
    `<identifiers><header_from>${escaped(headerFrom)}</header_from></identifiers>`,
    `<auth_results>${signature}${sender}</auth_results></record>`,
  ].join("")
}

function organizationalOf(domain: string): string {
  return registrableDomain(domain) ?? domain.toLowerCase()
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
}

function mailOf({ to, xml, count, now }: { to: string; xml: string; count: DomainCount; now: Date }): ReturnMail {
  const boundary = `=_${randomUUID()}`
  const [begin, end] = [count.began, count.ended].map((at) => Math.floor(at.getTime() / 1_000))
  const filename = `${simulatorHost()}!${count.domain}!${begin}!${end}.xml.gz`
  const message = [
    `From: Receiver of the sandbox <noreply@${simulatorHost()}>`,
    `To: ${to}`,
    `Subject: Report Domain: ${count.domain} Submitter: ${simulatorHost()}`,
    `Date: ${dateOf(now)}`,
    `Message-ID: <${randomUUID()}@${simulatorHost()}>`,
    "Auto-Submitted: auto-generated",
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    `--${boundary}`,
    "Content-Type: text/plain; charset=us-ascii",
    "",
    `What the sandbox received from ${count.domain}.`,
    "",
    `--${boundary}`,
    `Content-Type: application/gzip; name="${filename}"`,
    `Content-Disposition: attachment; filename="${filename}"`,
    "Content-Transfer-Encoding: base64",
    "",
    ...(gzipSync(xml)
      .toString("base64")
      .match(/.{1,76}/g) ?? []),
    "",
    `--${boundary}--`,
    "",
  ].join("\r\n")
  return { from: `noreply@${env().serviceDomain}`, to, message: Buffer.from(message, "latin1") }
}
