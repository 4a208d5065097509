import { registrableDomain } from "@/lib/addresses/registrable"
import { discoverDmarc, type DmarcDiscovery, publishedPolicy } from "@/lib/domains/check/dmarc"
import { presentable } from "@/lib/domains/check/findings"
import { reportToken } from "@/lib/domains/data"
import { findHosting } from "@/lib/domains/diagnosis/hosting"
import { type DkimKeyPair, generateDkimKey, keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { isOfSuffix } from "@/lib/domains/records/dmarc-record"
import { domainNames, idLabel, type RecordState, selector, trackingDomain } from "@/lib/domains/records/records"
import * as domains from "@/lib/domains/registration/data"
import { type Claim, takenMailFrom } from "@/lib/domains/registration/data"
import { recheckDelaySeconds } from "@/lib/domains/rules"
import { seal } from "@/lib/platform/crypto"
import { type Dns, type DnsAnswer, withinMs } from "@/lib/platform/dns/dns"
import { env } from "@/lib/platform/env/env"
import type { Scope } from "@/lib/platform/http/scope"
import { newId } from "@/lib/platform/ids"
import type { Io } from "@/lib/platform/io"
import type { Region } from "@/lib/regions/regions"
import { setTimeout as wait } from "node:timers/promises"
import { endReservation, reserveName } from "@/lib/access/limits/data"
import { type Answers, askMailFrom, type MailFromAnswer, answerCell } from "@/lib/platform/cells/questions"
import type { CellAddress } from "@/lib/platform/env/fields"
import { serviceUnavailable } from "@/lib/platform/http/problems"
import { log } from "@/lib/platform/log"
import { signsInHere } from "@/lib/access/people/data"
import type { Answer } from "@/lib/platform/http/answer"
import type { Asked } from "@/lib/platform/http/endpoint"

/** Two projects or cells that register one domain in the same second may choose the same MAIL FROM domain: one chooses again. */
const attemptsMax = 3

const lookupsMaxMs = 5000

/**
 * Makes the keys, chooses the names, finds the policy that applies, and registers the domain. Takes the time of a few
 * DNS lookups: at most five seconds when name servers are silent.
 */
export async function register(
  scope: Scope,
  wanted: { name: string; region: Region },
  io: Io,
): Promise<domains.RegisteredDomain> {
  const inUse = await domains.namesInUse(scope, wanted.name)
  if (inUse.here) return "taken"
  const id = newId()
  const dns = withinMs(io.dns, lookupsMaxMs)
  const [elsewhere, a, b, discovery, , hosting] = await Promise.all([
    mailFromElsewhere(mailFromNames(wanted.name, wanted.region)),
    generateDkimKey(),
    generateDkimKey(),
    discoverDmarc(dns, wanted.name),
    reportToken({ organizationId: scope.organization.id, domain: wanted.name }, io.random.bytes(10).toString("hex")),
    findHosting(dns, wanted.name),
  ])
  const used = new Set([...inUse.mailFrom, ...elsewhere])

  for (let attempt = 1; ; attempt++) {
    const mailFromDomain = await chooseMailFromDomain(dns, { ...wanted, domain: wanted.name, domainId: id, used })
    const links = trackingDomain(wanted.name)
    const plan: domains.DomainPlan = {
      id,
      ...wanted,
      mailFromDomain,
      trackingDomain: links,
      dmarcStatus: dmarcStatuses[discovery.kind],
      records: [policyState(discovery, wanted.name)],
      service: domainNames(wanted.region, env()),
      hosting,
      keys: [keyRow(id, "a", a), keyRow(id, "b", b)],
      firstCheckSeconds: recheckDelaySeconds(0),
    }
    const added = await withMailFrom(mailFromDomain, (claim) => domains.addDomain(scope, plan, claim))
    if (added !== "mail-from-taken" || attempt === attemptsMax) return added
    used.add(mailFromDomain)
  }
}

/** What was found at the policy's name: known before the first check, and nothing may be added beside it. */
function policyState(discovery: DmarcDiscovery, domain: string): RecordState {
  const policy = publishedPolicy(discovery) ?? { kind: "none" }
  const isElsewhere = policy.kind === "none" || isOfSuffix(policy.name, registrableDomain(domain) ?? domain)
  const texts = isElsewhere ? [] : policy.texts
  const { found } = presentable({ outcome: "invalid", found: texts })
  return { key: "dmarc", status: "pending", found, policy }
}

const dmarcStatuses = {
  policy: "verified",
  none: "not_configured",
  unknown: "not_configured",
  several: "failed",
  invalid: "failed",
} as const

function keyRow(domainId: string, letter: "a" | "b", pair: DkimKeyPair) {
  const id = newId()
  return {
    id,
    selector: selector(domainId, letter),
    publicKey: pair.publicKeyBase64,
    sealedPrivateKey: seal(pair.privateKeyPem, keyPurpose(id)),
    state: letter === "a" ? ("active" as const) : ("standby" as const),
  }
}

type Wanted = {
  domain: string
  region: Region
  domainId: string
  /** MAIL FROM domains of other registrations at this installation and in other cells, whoever holds them. */
  used: ReadonlySet<string>
}

/**
 * The first of `send`, `bounce`, `mrsend` and `mr-<region>` under the domain at which nothing is published and
 * that no other registration uses; `send` is often taken by the service that somebody comes from.
 */
export async function chooseMailFromDomain(dns: Dns, wanted: Wanted): Promise<string> {
  const names = mailFromNames(wanted.domain, wanted.region).filter((name) => !wanted.used.has(name))
  const probe = `mr-${idLabel(wanted.domainId)}-probe.${wanted.domain}`
  const [wildcard, ...published] = await Promise.all([probe, ...names].map((name) => publishedAt(dns, name)))
  // A wildcard answers at every name; a record of its own overrides it.
  const free = names.find((_, at) => {
    const here = published[at]
    return here !== undefined && here.certain && (here.print === nothing || here.print === wildcard?.print)
  })
  if (free) return free
  // If the DNS is unreachable, nothing is known to conflict with the first name.
  const unclear = names.find((_, at) => published[at]?.print === nothing)
  return unclear ?? `mr-${idLabel(wanted.domainId)}.${wanted.domain}`
}

function mailFromNames(domain: string, region: Region): string[] {
  return ["send", "bounce", "mrsend", `mr-${region}`].map((label) => `${label}.${domain}`)
}

const nothing = JSON.stringify([[], [], [], []])

async function publishedAt(dns: Dns, name: string): Promise<{ print: string; certain: boolean }> {
  const answers: DnsAnswer<unknown>[] = await Promise.all([
    dns.cname(name),
    dns.mx(name),
    dns.txt(name),
    dns.addresses(name),
  ])
  return {
    print: JSON.stringify(answers.map((answer) => (answer.kind === "found" ? answer.values.map(text).sort() : []))),
    certain: answers.every((answer) => answer.kind !== "error"),
  }
}

function text(value: unknown): string {
  return JSON.stringify(value)
}

// All cells of a service have one service domain, so bounces to a MAIL FROM domain belong to one of them.

/** Those of the names that another cell uses or is about to use. @throws serviceUnavailable if a cell does not answer */
async function mailFromElsewhere(names: readonly string[]): Promise<string[]> {
  return (await ask(names)).flatMap(({ answer }) => [...answer.used, ...answer.reserved])
}

/** Of a name that needs no claim. */
export const ours: Claim = { take: async () => true }

const againAfterMs = 250
/** A cell that gives way does so in the time of a question. */
const giveWayMs = 3_000

/**
 * Has `work` store a MAIL FROM domain that no other cell has. It is reserved first and asked for then, so that of two cells that want it
 * in the same moment at least one hears of the other; that one gives way whose name comes later. What settles it is no time, as
 * clocks differ and what was begun first may be committed last.
 * @throws serviceUnavailable if a cell does not answer; nothing is stored then
 */
export async function withMailFrom<T>(
  name: string,
  work: (claim: Claim) => Promise<T>,
): Promise<T | "mail-from-taken"> {
  if (env().peers.length === 0) return work(ours)
  const id = await reserveName(name)
  try {
    if (!(await isOurs(name))) return "mail-from-taken"
    return await work({ take: (tx) => endReservation(id, tx) })
  } finally {
    await endReservation(id).catch((error: unknown) => log.warn({ err: error }, "a name could not be given back"))
  }
}

async function isOurs(name: string): Promise<boolean> {
  const own = env().cell ?? ""
  const deadline = performance.now() + giveWayMs
  for (;;) {
    const answers = await ask([name])
    if (answers.some(({ answer }) => answer.used.length > 0)) return false
    const wanting = answers.filter(({ answer }) => answer.reserved.length > 0)
    if (wanting.length === 0) return true
    if (wanting.some(({ peer }) => peer.cell < own) || performance.now() > deadline) return false
    await wait(againAfterMs)
  }
}

async function ask(names: readonly string[]): Promise<Answers<MailFromAnswer>["answers"]> {
  const { answers, silent } = await askMailFrom(names)
  if (silent.length > 0) throw unanswered(silent)
  return answers
}

function unanswered(silent: readonly CellAddress[]) {
  const cells = silent.map(({ cell }) => cell).join(", ")
  return serviceUnavailable(
    `Other cells of this service did not answer (${cells}), so whether the MAIL FROM domain is free is unknown. Nothing was stored. Try again later.`,
    { retryAfterSeconds: 5 },
  )
}

/** Answers what another cell of the service asks: which MAIL FROM domains are used here, and who signs in here. */
export function answerOfCell(asked: Asked): Promise<Answer> {
  return answerCell(asked, { takenMailFrom, hasAccount: signsInHere })
}
