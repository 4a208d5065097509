import { checkMaxMs, dmarcRecord, expectationOf, type WatchedDomain } from "@/lib/domains/check/check"
import { compareOne, compareRecords, type Comparison, type Expectation } from "@/lib/domains/check/compare"
import { type Finding, presentable } from "@/lib/domains/check/findings"
import { findHosting, type Hosting } from "@/lib/domains/diagnosis/hosting"
import type { RecordKey, WatchedRecord } from "@/lib/domains/records/records"
import { parseTags } from "@/lib/domains/records/dmarc-record"
import { type Dns, type DnsAnswer, type DnsMx, withinMs } from "@/lib/platform/dns/dns"
import type { Io } from "@/lib/platform/io"

/** What one server says about one record; `reason`: why it said nothing. */
export type ServerFinding = Finding & { server: string; name?: string; reason?: string }

export type RecordDiagnosis = Finding & { record: WatchedRecord; servers: ServerFinding[] }

/** Notes that do not concern a single record. */
export type DiagnosisNote = {
  code: "servers-differ" | "dmarc-aspf-strict"
  message: string
  fix: string
  record?: RecordKey
}

export type Diagnosis = { at: Date; hosting: Hosting | null; records: RecordDiagnosis[]; notes: DiagnosisNote[] }

/**
 * Asks every name server for every record and judges each answer by itself. Takes at most five seconds for all lookups
 * and changes nothing: the domain's statuses are `verify`'s.
 */
export async function diagnose(domain: WatchedDomain, io: Io): Promise<Diagnosis> {
  const recorded = recordedDns(withinMs(io.dns, checkMaxMs))
  const expected = expectationOf(domain)
  const [comparison, hosting] = await Promise.all([
    compareRecords(recorded.dns, expected),
    findHosting(recorded.dns, domain.name),
  ])
  const names = await serverNames(recorded.dns, hosting?.nameServers ?? [])
  const records = await Promise.all(
    domain.records.map(async (watched) => {
      const record = watched.key === "dmarc" ? dmarcRecord(watched, comparison.dmarc) : watched
      const servers = await atEachServer(recorded, expected, record)
      const named = servers.map((server) => ({ ...server, ...nameOf(server.server, names) }))
      return { record, ...presentable(comparison.findings[record.key]), servers: named }
    }),
  )
  return { at: io.clock.now(), hosting, records, notes: [...differing(records), ...strictSpf(domain, comparison)] }
}

async function atEachServer(recorded: RecordedDns, expected: Expectation, record: WatchedRecord) {
  const answer = await ask(recorded.dns, record)
  return Promise.all(
    answer.askedServers.map(async ({ server, answer: own }): Promise<ServerFinding> => {
      if (own.kind === "error") return { server, outcome: "unknown", found: [], reason: own.reason }
      return { server, ...presentable(await compareOne(recorded.as(server), expected, record.key)) }
    }),
  )
}

function ask(dns: Dns, { type, name }: WatchedRecord): Promise<DnsAnswer<unknown>> {
  if (type === "MX") return dns.mx(name)
  return type === "CNAME" ? dns.cname(name) : dns.txt(name)
}

/** The names of the zone's servers by their addresses. */
async function serverNames(dns: Dns, names: string[]): Promise<Map<string, string>> {
  const answers = await Promise.all(names.map((name) => dns.addresses(name)))
  return new Map(
    answers.flatMap((answer, at) =>
      answer.kind === "found" ? answer.values.map((address): [string, string] => [address, names[at] ?? ""]) : [],
    ),
  )
}

function nameOf(server: string, names: Map<string, string>): { name?: string } {
  const name = names.get(server.replace(/:\d+$/, "").replace(/^\[|\]$/g, ""))
  return name ? { name } : {}
}

function differing(records: RecordDiagnosis[]): DiagnosisNote[] {
  return records.flatMap(({ record, servers }) => {
    const answered = servers.filter(({ outcome }) => outcome !== "unknown")
    const prints = new Set(answered.map(({ outcome, found }) => JSON.stringify([outcome, found.toSorted()])))
    if (prints.size < 2) return []
    const valid = answered.filter(({ outcome }) => outcome === "valid").length
    return [
      {
        code: "servers-differ" as const,
        record: record.key,
        message: `The name servers disagree about ${record.name}: ${valid} of ${answered.length} have the expected record.`,
        fix: "A change takes a few minutes to reach them all. If they still differ later, contact your DNS provider.",
      },
    ]
  })
}

/** With strict SPF alignment our MAIL FROM domain, one label below, no longer speaks for the domain. */
function strictSpf(domain: WatchedDomain, { dmarc }: Comparison): DiagnosisNote[] {
  const [record] = dmarc.status === "verified" ? dmarc.finding.found : []
  const strict = record !== undefined && parseTags(record)?.get("aspf")?.toLowerCase() === "s"
  if (!strict) return []
  return [
    {
      code: "dmarc-aspf-strict",
      record: "dmarc",
      message: `The policy at ${dmarc.record.name} says aspf=s: SPF passes for ${domain.mailFromDomain}, and that no longer counts for ${domain.name}.`,
      fix: "Remove aspf=s. Until then DMARC depends on the DKIM signature alone, which is enough as long as messages arrive unchanged.",
    },
  ]
}

// Lookups that remember who answered

type Kind = keyof Dns
type Value<K extends Kind> = K extends "mx" ? DnsMx : string

type RecordedDns = {
  dns: Dns
  /** The same answers as one server gave them; where it was not asked, as all gave them. */
  as(server: string): Dns
}

/** Lookups that ask every question once and remember who answered what. */
function recordedDns(real: Dns): RecordedDns {
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>()

  return {
    dns: dnsOf(once),
    as: (server) =>
      dnsOf(async (kind, name) => {
        const answer = await once(kind, name)
        const own = answer.askedServers.find((each) => each.server === server)
        return own ? { ...own.answer, askedServers: [own] } : answer
      }),
  }

  function once<K extends Kind>(kind: K, name: string): Promise<DnsAnswer<Value<K>>> {
    const question = `${kind} ${name.toLowerCase()}`
    const answer = asked.get(question) ?? real[kind](name)
    asked.set(question, answer)
    // The key names the kind, and the kind the type of its values.
    return answer as Promise<DnsAnswer<Value<K>>>
  }
}

function dnsOf(answer: <K extends Kind>(kind: K, name: string) => Promise<DnsAnswer<Value<K>>>): Dns {
  return {
    txt: (name) => answer("txt", name),
    mx: (name) => answer("mx", name),
    cname: (name) => answer("cname", name),
    ns: (name) => answer("ns", name),
    addresses: (name) => answer("addresses", name),
  }
}
