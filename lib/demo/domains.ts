import { hourMs } from "@/lib/platform/time"
import type { Dns, DnsAnswer, DnsOutcome } from "@/lib/platform/dns/types"
import { saveCheck, watchedDomain } from "@/lib/domains/check/data"
import { checkDomain } from "@/lib/domains/check/check"
import { feedbackHost, spfHost, trackingTarget, type WatchedRecord } from "@/lib/domains/records/records"
import { register } from "@/lib/domains/registration/register"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { systemRandom } from "@/lib/platform/io"
import type { Scope } from "@/lib/platform/http/scope"
import { idAt, type Seeded } from "@/lib/demo/seeded"

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
