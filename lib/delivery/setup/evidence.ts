import type { LoopTestCode } from "@/lib/delivery/regions/region-rules"
import type { DnsErrorReason } from "@/lib/platform/dns/dns"
import { formatNumber, utcMinute } from "@/lib/platform/format"

/** What is expected and what was found, by code: the facts, and the words for them. Times are in ISO 8601. */
const lines = {
  // Names and addresses
  server_address: ({ host }: { host: string }) => `${host} A or AAAA, the address of this server`,
  sending_address: ({ name, type }: { name: string; type: "A" | "AAAA" }) =>
    `${name} ${type} the address that email leaves from`,
  reverse_of_each: ({ name }: { name: string }) => `each address PTR ${name}`,
  no_mail_server: ({ domain }: { domain: string }) => `${domain}: no mail server`,
  addresses_of: ({ host, addresses }: { host: string; addresses: string[] }) =>
    `${host}: ${addresses.join(", ") || "no address"}`,
  spf_result: ({ address, result }: { address: string; result: string }) => `SPF result for ${address}: ${result}`,
  name_resolved: ({
    name,
    result,
  }: {
    name: string
    result: "secure" | "insecure" | "refused" | "accepted" | DnsErrorReason
  }) => `${name} is ${result === "insecure" ? "not secure" : result}`,
  block_list: ({ list, answer }: { list: string; answer: keyof typeof listWords }) => `${listWords[answer]} ${list}`,

  // Settings
  own_domain: () => "a domain of yours, or a name below one, in SERVICE_DOMAIN",
  service_domain: ({ domain }: { domain: string }) => `SERVICE_DOMAIN is ${domain}`,
  not_set: ({ setting }: { setting: "TLS_CERT" | "MX_DNS" }) => `${setting} is not set`,
  clocks_within: ({ seconds }: { seconds: number }) =>
    `at most ${seconds} s between the clocks of this machine and the database`,
  clock_lead: ({ ms }: { ms: number }) => `${Math.abs(ms / 1_000).toFixed(1)} s ${ms < 0 ? "behind" : "ahead"}`,

  // Connections
  https_origin: ({ days }: { days: number }) => `an https origin with a valid certificate for at least ${days} days`,
  certificate_for: ({ host, port, days }: { host: string; port: number; days: number }) =>
    `a valid certificate for ${host} on port ${port} for at least ${days} days`,
  /** The days that are left; below 0 once it has expired. */
  certificate_until: ({ date, days }: { date: string; days: number }) =>
    `a certificate valid until ${date}, ${days >= 0 ? `${days} days more` : "no more"}`,
  certificate_names: ({ names }: { names?: string }) => `for ${names ?? "no name"}`,
  no_answer: ({ seconds }: { seconds: number }) => `no answer within ${seconds} s`,
  relay_session: ({ host, port, user }: { host: string; port: number; user?: string }) =>
    `${host}:${port} opens a session${user === undefined ? "" : ` for ${user}`}`,
  session_at: ({ at }: { at: string }) => `a session at ${minuteOf(at)}`,
  outbound_port: ({ port }: { port: number }) => `a connection to port ${port} of another mail server`,
  connection: ({ from, host, end }: { from?: string; host: string; end: ConnectionEnd }) =>
    `${from === undefined ? "" : `${from} to `}${host}: ${connectionWords(end)}`,

  // The loop test
  mail_comes_back: () => "a mail that leaves the region and comes back to the listener",
  loop_test_passed: ({ at }: { at: string }) => `passed at ${minuteOf(at)}`,
  loop_test_ended: ({ code, diagnostic }: { code: keyof typeof loopTestWords; diagnostic?: string }) =>
    [loopTestWords[code], diagnostic].filter(Boolean).join(": "),

  // Amazon SES
  ses_access: () => "production access, sending turned on",
  ses_production: ({ has }: { has: boolean }) =>
    has ? "production access" : "sandbox: it sends to verified addresses alone",
  ses_sending: ({ on }: { on: boolean }) => `sending turned ${on ? "on" : "off"}`,
  ses_state: ({ state }: { state: string }) => `state ${state}`,
  ses_rates: ({ perSecond, perDay, sentLastDay }: { perSecond: number; perDay: number; sentLastDay: number }) =>
    `${formatNumber(perSecond)} a second, ${formatNumber(perDay)} a day, ${formatNumber(sentLastDay)} in the last 24 hours`,
  ses_configuration_set: ({ name, on }: { name: string; on: boolean }) =>
    `configuration set ${name}, sending turned ${on ? "on" : "off"}`,
  ses_identity: ({ domain, verified, dkim }: { domain: string; verified: boolean; dkim: string }) =>
    `identity ${domain}, ${verified ? "verified" : "not verified"}, DKIM ${dkim || "off"}`,
  ses_events_setting: () => "events=<URL of an SQS queue> in SMTP_URL",
  ses_queue: ({ url }: { url: string }) => `messages of the queue ${url}`,
  ses_topic: ({ topic, url }: { topic: string; url: string }) => `posts of ${topic} to ${url}`,
  ses_queue_read: ({ waiting }: { waiting: number }) =>
    `the queue can be read, about ${formatNumber(waiting)} messages wait`,
  ses_last_event: ({ at }: { at: string }) => `the last event came at ${minuteOf(at)}`,

  // What is done by hand
  port_reached: ({ host }: { host: string }) => `nc -vz ${host} 25 connects from another machine`,
  postmaster_verified: ({ domain }: { domain: string }) => `${domain} is verified at postmaster.google.com`,
  domain_complaints: ({ domain }: { domain: string }) => `complaints about ${domain} come to fbl@${domain}`,
  address_complaints: ({ domain }: { domain: string }) => `complaints about your addresses come to fbl@${domain}`,
}

type Lines = typeof lines
type EvidenceCode = keyof Lines

/** Nothing but the code says it. */
type None = Record<never, never>

export type EvidenceFacts<C extends EvidenceCode> = Parameters<Lines[C]> extends [infer F] ? F : None

type CodedEvidence = { [C in EvidenceCode]: { code: C; facts: EvidenceFacts<C> } }[EvidenceCode]

/** A record as a zone file has it, what a server or the operating system said, or a code with its facts. */
export type Evidence = string | CodedEvidence

export type ConnectionEnd = "connected" | "closed" | { silentSeconds: number } | { fault: string }

const listWords = { listed: "listed at", clear: "not listed at", refuses: "no answer for this resolver at" }

const loopTestWords: Record<Exclude<LoopTestCode, "passed">, string> = {
  not_accepted: "the mail was not taken",
  returned: "a server on the way returned it",
  lost: "it was not there after 10 minutes",
}

/** Evidence as people read it, a line each; rows and notices of earlier releases hold the line itself. */
export function evidenceLine(evidence: Evidence): string {
  if (typeof evidence === "string") return evidence
  // The type of the evidence says that the facts are those of its code.
  const line = lines[evidence.code] as (facts: CodedEvidence["facts"]) => string
  return line(evidence.facts)
}

export function storedEvidence(evidence: Evidence): string {
  return typeof evidence === "string" ? evidence : JSON.stringify(evidence)
}

/** The JSON of a code that is not ours is what another server said, or of the next release, left behind by a way back. */
export function readEvidence(stored: string): Evidence {
  if (!stored.startsWith('{"code":')) return stored
  try {
    const read = JSON.parse(stored) as CodedEvidence
    return Object.hasOwn(lines, read.code) && Object.hasOwn(read, "facts") ? read : stored
  } catch {
    return stored
  }
}

function connectionWords(end: ConnectionEnd): string {
  if (end === "connected") return "connected"
  if (end === "closed") return "closed without a greeting"
  return "fault" in end ? end.fault : `no greeting within ${end.silentSeconds} s`
}

function minuteOf(at: string): string {
  return utcMinute(new Date(at))
}
