import { insert } from "@/lib/demo/rows-store"
import { idAt, type Seeded } from "@/lib/demo/seeded"
import { checkDomain } from "@/lib/domains/check/check"
import { saveCheck, watchedDomain } from "@/lib/domains/check/data"
import { feedbackHost, spfHost, trackingTarget, type WatchedRecord } from "@/lib/domains/records/records"
import { register } from "@/lib/domains/registration/register"
import { pool, type Queryable } from "@/lib/platform/database/db"
import type { Dns, DnsAnswer, DnsOutcome } from "@/lib/platform/dns/dns"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { systemRandom } from "@/lib/platform/io"
import { dayMs, hourMs } from "@/lib/platform/time"

/** What the owner of a domain had published at a check, so many hours ago. */
type DomainCheck = { hoursAgo: number; published(records: WatchedRecord[]): Published }

const everything = (records: WatchedRecord[]) =>
  records.map(({ type, name, value, priority }) => ({ type, name, value, priority }))
const without =
  (...keys: WatchedRecord["key"][]) =>
  (records: WatchedRecord[]) =>
    everything(records.filter(({ key }) => !keys.includes(key)))
const nothing = () => []

/** A domain in every state, each by what its owner did. */
const lives: { name: string; checks: DomainCheck[] }[] = [
  // The sandbox's name server publishes the records of .test domains: mail of this one can be sent and seen at once.
  { name: "harborpine.test", checks: [{ hoursAgo: 30 * 24, published: everything }] },
  {
    name: "news.harborpine.example",
    checks: [
      { hoursAgo: 31 * 24, published: nothing },
      { hoursAgo: 30 * 24, published: without("dmarc") },
      { hoursAgo: 26 * 24, published: everything },
    ],
  },
  {
    name: "support.harborpine.example",
    checks: [
      { hoursAgo: 21 * 24, published: without("tracking") },
      { hoursAgo: 7, published: without("tracking", "mail-from-mx") },
    ],
  },
  {
    name: "shop-harborpine.example",
    checks: [
      {
        hoursAgo: 2,
        published: (records) =>
          everything(records).map((record) => ({ ...record, name: `${record.name}.shop-harborpine.example` })),
      },
    ],
  },
  {
    name: "harborpine-wholesale.example",
    checks: [
      { hoursAgo: 6 * 24, published: nothing },
      { hoursAgo: 2 * 24, published: without("dkim-a", "mail-from-spf") },
    ],
  },
]

/** Registers the domains and checks them at the times of the story. @returns their ids by name */
export async function addDomains(scope: Scope, now: Date, random: Seeded): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  // One after the other: the order of chance stays the same, and making keys takes every core as it is.
  for (const { name, checks } of lives) ids[name] = await live(scope, name, checks, now, random)
  return ids
}

async function live(scope: Scope, name: string, checks: DomainCheck[], now: Date, random: Seeded): Promise<string> {
  const hoursBefore = (hours: number) => new Date(now.getTime() - hours * hourMs)
  const bornAt = hoursBefore((checks[0]?.hoursAgo ?? 0) + 1)
  const added = await register(
    scope,
    { name, region: "eu-west-1" },
    { clock: { now: () => bornAt }, dns: publishedDns(serviceNames(name)), random: systemRandom },
  )
  if (typeof added === "string" || "limit" in added) throw new Error(`${name} could not be registered.`)
  const { id } = added.domain
  await pool().query("UPDATE domains SET created_at = $2, missing_since = $2 WHERE id = $1", [id, bornAt])
  for (const { hoursAgo, published } of checks) await checkAt(scope, id, hoursBefore(hoursAgo), published, random)
  // The story has ended: names that do not exist are not checked any more. The sandbox keeps answering for the first domain.
  await pool().query("UPDATE domains SET due_at = NULL, updated_at = coalesce(checked_at, created_at) WHERE id = $1", [
    id,
  ])
  return id
}

async function checkAt(scope: Scope, id: string, at: Date, published: DomainCheck["published"], random: Seeded) {
  const domain = await watchedDomain(scope, id)
  if (!domain) throw new Error("A domain of the demo is missing.")
  const dns = publishedDns([...serviceNames(domain.name), ...published(domain.records)])
  const outcome = await checkDomain(domain, { dns, clock: { now: () => at }, random: systemRandom }, true)
  await saveCheck(domain, outcome)
  await pool().query(
    `UPDATE domain_checks SET id = $2, created_at = $3
      WHERE id = (SELECT id FROM domain_checks WHERE domain_id = $1 ORDER BY created_at DESC LIMIT 1)`,
    [id, idAt(at, random), at],
  )
}

/** What our side publishes, and the name servers of the zone. */
function serviceNames(name: string): Published {
  const service = env()
  const zone = name.split(".").slice(-2).join(".")
  return [
    { type: "NS", name: zone, value: "ada.ns.cloudflare.com" },
    { type: "NS", name: zone, value: "rob.ns.cloudflare.com" },
    { type: "A", name: feedbackHost("eu-west-1", service), value: "203.0.113.25" },
    { type: "TXT", name: spfHost("eu-west-1", service), value: "v=spf1 ip4:203.0.113.25 -all" },
    { type: "A", name: trackingTarget(service), value: "203.0.113.26" },
    { type: "TXT", name: `${name}._report._dmarc.${service.reportDomain}`, value: "v=DMARC1;" },
  ]
}

/** The DNS records of the story at one moment. */
type Published = { type: "TXT" | "MX" | "CNAME" | "NS" | "A"; name: string; value: string; priority?: number }[]

/** Lookups in these records only, without any network. */
function publishedDns(published: Published): Dns {
  const at = (type: Published[number]["type"], name: string) =>
    published.filter((record) => record.type === type && record.name === name.toLowerCase())
  const texts = async (type: Published[number]["type"], name: string) =>
    answerOf(at(type, name).map(({ value }) => value))
  return {
    txt: (name) => texts("TXT", name),
    cname: (name) => texts("CNAME", name),
    ns: (name) => texts("NS", name),
    addresses: (name) => texts("A", name),
    mx: async (name) =>
      answerOf(at("MX", name).map(({ value, priority }) => ({ exchange: value, priority: priority ?? 10 }))),
  }
}

function answerOf<T>(values: T[]): DnsAnswer<T> {
  const outcome: DnsOutcome<T> = values.length > 0 ? { kind: "found", values } : { kind: "missing", reason: "no-name" }
  return { ...outcome, askedServers: [{ server: "ada.ns.cloudflare.com", answer: outcome }] }
}

// What receivers report of them

const reporters = ["google.com", "Enterprise Outlook", "Yahoo"]
const daysReported = 32

/** Reports of three large receivers about the newsletter's domain: nearly all passes, and every source is known. */
export async function addReports(
  client: Queryable,
  { projectId, domainId, domain }: { projectId: string; domainId: string; domain: string },
  now: Date,
  random: Seeded,
): Promise<void> {
  const today = Math.floor(now.getTime() / dayMs) * dayMs
  const reports = Array.from({ length: daysReported }, (_, at) => new Date(today - (at + 1) * dayMs)).flatMap(
    (beganAt) =>
      reporters.map((reporter) => {
        const endedAt = new Date(beganAt.getTime() + dayMs - 1)
        const createdAt = new Date(Math.min(now.getTime(), endedAt.getTime() + random.whole(1, 6) * hourMs))
        const messages = random.whole(12, 60)
        return {
          id: idAt(createdAt, random),
          project_id: projectId,
          domain_id: domainId,
          reporter,
          report_id: `${beganAt.getTime() / 1000}.${reporter.toLowerCase().replace(" ", "-")}`,
          policy_domain: domain,
          policy: "none",
          began_at: beganAt,
          ended_at: endedAt,
          day: beganAt.toISOString().slice(0, 10),
          messages,
          aligned: random.chance(0.1) ? messages - 1 : messages,
          source: "mail",
          sender: senderOf(reporter),
          created_at: createdAt,
        }
      }),
  )
  await insert(client, "dmarc_reports", reports)
  await insert(client, "dmarc_sources", reports.flatMap(sourcesOf))
}

/** As large receivers send them. */
function senderOf(reporter: string) {
  const domain = reporter.toLowerCase().replace("enterprise outlook", "microsoft.com").replace("yahoo", "yahoo.com")
  return { address: `noreply-dmarc@${domain}`, client: "192.0.2.25", spf: "pass", dkim: "pass", dmarc: "pass" }
}

type Report = { id: string; project_id: string; domain_id: string; day: string; messages: number; aligned: number }

/** Our own server, and a forwarder for what did not pass. */
function sourcesOf({ id, project_id, domain_id, day, messages, aligned }: Report) {
  const source = { report_id: id, project_id, domain_id, day, disposition: "none" }
  const ours = {
    address: "192.0.2.10",
    identity: "send.news.harborpine.example",
    kind: "service",
    dkim: true,
    spf: true,
  }
  const forwarder = { address: "198.51.100.7", identity: "lists.oakhill-school.example", kind: "forwarder" }
  return [
    { ...source, ...ours, ordinal: 0, messages: aligned },
    ...(messages > aligned
      ? [{ ...source, ...forwarder, ordinal: 1, dkim: false, spf: false, messages: messages - aligned }]
      : []),
  ]
}
