import { isIP, isIPv4 } from "node:net"
import { countTls } from "@/lib/delivery/direct/data"
import { createDemands, createPolicyFetch } from "@/lib/delivery/direct/demands"
import { createHosts, type Server } from "@/lib/delivery/direct/hosts"
import { connects, hasAddress, hasIPv6, hasRouteTo, isOwnAddress } from "@/lib/delivery/direct/machine"
import { createOwnFaults } from "@/lib/delivery/direct/own-fault"
import { type AttemptOrigin, type Begun, createPacing, type Paced } from "@/lib/delivery/direct/pacing"
import { dialledMax, createRoutes, destinationOf, inTurn, type DomainRoute } from "@/lib/delivery/direct/route"
import { noPolicy, createTlsCounts, type TlsCount } from "@/lib/delivery/direct/tls-results"
import { sendsFrom } from "@/lib/delivery/egress/data"
import { utcDate } from "@/lib/delivery/egress/rules"
import type { SmtpPoolOptions } from "@/lib/delivery/smtp/client"
import { isStopped } from "@/lib/delivery/smtp/job"
import {
  beforeMail,
  type DeliveryAttempt,
  type DestinationWait,
  type MachineFault,
  machineFaultCodes,
  type OwnFault,
} from "@/lib/delivery/transports/attempt"
import type { Mail, SendControl, Source, Transport } from "@/lib/delivery/transports/transport"
import { type Clock, systemClock } from "@/lib/platform/time"
import { isUnder, systemResolvers } from "@/lib/platform/dns/dns"
import { createStub, type Stub } from "@/lib/platform/dns/stub"
import { env } from "@/lib/platform/env/env"
import { type Random, systemRandom } from "@/lib/platform/io"
import { createReach, type Reach } from "@/lib/platform/networks"
import { type DirectSettings, type RegionProfile, regionSettings } from "@/lib/regions/settings"

/** Servers of one mail that are dialled, and how long that may take until one of them opens a session. */
const serversMax = 5
const sessionWithinMs = 60_000
/** What a report about TLS demands. */
const anySession = { level: "none", reported: noPolicy } as const
/** Without an answer from the resolvers for so long, it is our fault and not the domain's. */
const usualSilentMs = 30_000
/** The servers that timed out may be gone themselves: after so many probes, 10 minutes, other mail finds out, at no attempt of its own. */
const blockedProbesMax = 40

/** The transport of a region that is `direct:`. */
export function openDirect({ ehloName, maxConnections }: DirectProfile): Transport {
  const { direct } = regionSettings()
  return createDirectTransport({
    ...direct,
    ehloName,
    maxConnections,
    serviceDomain: env().serviceDomain,
    sendsFrom,
    countTls,
  })
}

type DirectProfile = Extract<RegionProfile, { transport: "direct" }>

export type DirectOptions = Pick<DirectSettings, "resolvers" | "trusted" | "networks" | "port" | "policyPort"> &
  Pick<DirectProfile, "ehloName" | "maxConnections"> &
  Pick<SmtpPoolOptions, "ca" | "connectTimeoutMs" | "greetingTimeoutMs" | "commandTimeoutMs"> & {
    /** Hosts of this domain are our own listeners, and may have an address of this machine. */
    serviceDomain: string
    clock?: Clock
    random?: Random
    /** Milliseconds that only grow. */
    now?: () => number
    /** Whether servers without an IPv4 address can be reached. */
    ipv6?: () => boolean
    /** Whether an address is still one that mail leaves from. */
    sendsFrom?: (address: string) => Promise<boolean>
    /** Stores how sessions ended as far as their TLS is concerned, for reports to the recipients' domains. */
    countTls?: (counts: TlsCount[]) => Promise<void>
    /** Resolvers that are silent for so long are our fault. */
    silentMs?: number
  }

/**
 * Sends to the mail servers of each recipient's domain, in the order of their preference (RFC 5321 section 5.1). Before MAIL
 * nothing is the mail's fault or the region's: the next server is tried, and if there is none, the mail is deferred.
 */
export function createDirectTransport(options: DirectOptions): Transport {
  const { clock = systemClock, random = systemRandom, now = () => performance.now() } = options
  const { silentMs = usualSilentMs, ipv6 = hasIPv6, sendsFrom = () => Promise.resolve(true) } = options
  const stub = createStub({
    resolvers: options.resolvers.length > 0 ? options.resolvers : systemResolvers(),
    trusted: options.trusted,
  })
  const routes = createRoutes(stub, { now, ipv6 })
  const hosts = createHosts(options, now)
  const pacing = createPacing(now)
  const demands = createDemands({ stub, fetchPolicy: createPolicyFetch({ ...options, stub }), clock, now })
  const mayDial = createDialGuard(options)
  const faults = createOwnFaults(now)
  const tlsCounts = createTlsCounts(options.countTls ?? (() => Promise.resolve()))
  /** Probes of a blocked port since mail was last let through in spite of it. */
  let blockedProbes = 0

  async function send(mail: Mail & SendControl): Promise<DeliveryAttempt> {
    const domain = mail.to.slice(mail.to.lastIndexOf("@") + 1).toLowerCase()
    const startedAt = clock.now()
    const attempt = await attemptTo(domain, mail, (fields) => ({
      outcome: "deferred",
      remote: domain,
      conversation: [],
      ...fields,
      startedAt,
      endedAt: clock.now(),
    }))
    return { ...attempt, startedAt }
  }

  async function attemptTo(domain: string, mail: Mail & SendControl, ended: Ended): Promise<DeliveryAttempt> {
    const route = await routes.of(domain)
    if (isStopped(mail)) return ended({ phase: "connect", text: "stopped" })
    const end = endOf(route, domain, stub, silentMs)
    if (end) return ended(end)
    return attemptAt(domain, route as Reachable, mail, ended)
  }

  /** Unless the destination takes nothing now, or has a queue of its own that the mail is not from. */
  async function attemptAt(domain: string, route: Reachable, mail: Mail & SendControl, ended: Ended) {
    const destination = destinationOf(route.hosts)
    const connections = Math.min(destination.connections, options.maxConnections)
    const paced = pacing.of({ ...destination, connections })
    const begun = paced.begin(mail.queue, mail.isProbe)
    if ("why" in begun)
      return ended({ phase: "connect", text: "It waits for its destination.", notSent: true, waits: begun })
    const startedAt = now()
    try {
      const isHeld = () => mail.isHeld?.() !== false && begun.isCurrent()
      let isFromPool = false
      const takeSource = async (provider: string) => {
        const taken = (await mail.takeSource?.(provider)) ?? "any"
        isFromPool = typeof taken === "object"
        return taken
      }
      const attempt = await attemptOf(domain, route, { ...mail, isHeld, takeSource }, ended, paced)
      if (isStopped(mail) || attempt.held) return attempt
      const waits = waitAfter(attempt, { paced, begun, startedAt, isFromPool, owner: mail.owner })
      return waits ? { ...attempt, waits } : attempt
    } finally {
      begun.end()
    }
  }

  /** Tries one server after the other; those that failed lately come last. */
  async function attemptOf(domain: string, route: Reachable, mail: Sourced, ended: Ended, paced: Paced) {
    const { isEncrypted, provider } = paced.destination
    const taken = await mail.takeSource(provider ?? "")
    if (taken === "held") return ended({ phase: "connect", text: "stopped", held: true })
    if (isStopped(mail)) return ended({ phase: "connect", text: "stopped" })
    const source = taken === "any" ? null : taken
    const about = { domain, isRouteSecure: route.secure, isEncrypted, tls: mail.tls ?? "opportunistic" }
    const giveUpAt = now() + sessionWithinMs
    const conversation: string[] = []
    const found = serversOf(route, source)
    const later: Server[] = []
    let dialled = 0
    let last: DeliveryAttempt | undefined

    for (let next = await found.next(); ; next = await found.next()) {
      const server = next.done ? later.shift() : next.value
      if (!server || dialled === serversMax || now() > giveUpAt) break
      const path = { server, source }
      if (!next.done && hosts.failedLately(path)) {
        later.push(server)
        continue
      }
      const demand = mail.isTlsReport ? anySession : await demands.of(about, server)
      const session = { day: utcDate(clock.now()), domain, policy: demand.reported, host: server.host }
      if ("refusal" in demand) {
        const { refusal, result } = demand
        tlsCounts.add({ ...session, result })
        last ??= ended({ phase: "starttls", remote: server.host, text: refusal })
        conversation.push(`— ${server.host}: ${refusal}`)
        continue
      }
      dialled += 1
      const attempt = await hosts.send(path, demand, paced.connections, mail)
      const result = attempt.notSent ? null : hosts.tlsResultOf(attempt, path, demand)
      if (result && !mail.isTlsReport) tlsCounts.add({ ...session, result })
      const fault = faults.of(attempt, { ...server, destination: paced.destination.key, source: source?.address })
      const told = { ...attempt, conversation: [...conversation, ...attempt.conversation] }
      if (isStopped(mail) || !isOfServer(attempt)) return told
      // Other servers are not reached from there either.
      if (fault?.code === "source_missing")
        return { ...told, outcome: "region_fault", fault, text: textOf(fault) } as const
      if (attempt.phase !== "starttls") hosts.failed(path)
      conversation.push(...attempt.conversation, `— ${attempt.remote}: ${attempt.text}`)
      last = fault ? { ...told, outcome: "region_fault", fault } : { ...told, outcome: "deferred" }
    }
    if (last) {
      // Whether it was tried itself or with others that waited for the same server: its servers are away.
      const { notSent: _, ...tried } = last
      return tried
    }
    if (found.otherFamily().length > 0) return ended(ofOtherFamily(domain, source))
    return ended(found.isKnown() ? unreachable(domain, found.refused()) : unresolved(domain))
  }

  /** The servers of a route in their order, each looked up when its turn comes; of the family of the source, or of those that this machine has. */
  function serversOf(route: Reachable, source: Source | null) {
    const refused: string[] = []
    const otherFamily: string[] = []
    let isKnown = true
    const isOfFamily = (address: string) =>
      source ? isIP(address) === isIP(source.address) : isIPv4(address) || ipv6()
    async function* walk(): AsyncGenerator<Server, undefined> {
      for (const { exchange } of inTurn(route.hosts, random)) {
        const addresses = await routes.addressesOf(exchange)
        isKnown &&= addresses.isKnown
        const same = addresses.addresses.filter(isOfFamily)
        if (same.length === 0)
          for (const address of addresses.addresses)
            (mayDial(exchange, address) ? otherFamily : refused).push(`${exchange} (${address})`)
        for (const address of same.slice(0, dialledMax)) {
          const { name, secure } = addresses
          if (mayDial(exchange, address)) yield { host: exchange, address, port: options.port, name, isSecure: secure }
          else refused.push(`${exchange} (${address})`)
        }
      }
    }
    const servers = walk()
    return {
      next: () => servers.next(),
      isKnown: () => isKnown,
      refused: () => refused,
      otherFamily: () => otherFamily,
    }
  }

  async function probe(_: AbortSignal, fault?: OwnFault): Promise<DeliveryAttempt | undefined> {
    const startedAt = clock.now()
    const failed = (found: MachineFault): DeliveryAttempt => ({
      outcome: "region_fault",
      phase: "connect",
      text: textOf(found),
      fault: found,
      remote: stub.servers.join(", "),
      conversation: [],
      startedAt,
      endedAt: clock.now(),
    })
    const answer = await stub.ask("A", options.serviceDomain)
    if (answer.kind === "error" && stub.silentMs() > 0) return failed(silenceOf(stub))
    // A fault of another transport, which the region had when it went down, is over.
    return fault && isOfMachine(fault) && !(await isOver(fault)) ? failed(fault) : undefined
  }

  async function isOver(fault: MachineFault): Promise<boolean> {
    switch (fault.code) {
      case "resolver_silent":
        return true
      case "no_route":
        return hasRouteTo(fault.facts.server, options.port)
      case "source_missing":
        return (await hasAddress(fault.facts.source)) || !(await sendsFrom(fault.facts.source))
      case "port_blocked": {
        const { servers, port } = fault.facts
        const answers = await Promise.all(servers.map((server) => connects(server, port, options.connectTimeoutMs)))
        if (answers.includes(true)) faults.reached()
        else if (++blockedProbes < blockedProbesMax) return false
        blockedProbes = 0
        return true
      }
    }
  }

  async function close(): Promise<void> {
    await hosts.close()
    await tlsCounts.flush()
  }

  return { send, probe, close, pacing }
}

/** What an attempt says of its destination, and whether its mail waits for that. */
function waitAfter(attempt: DeliveryAttempt, { paced, begun, ...origin }: Asking): DestinationWait | null {
  const { outcome, phase, code, remote, text } = attempt
  if (outcome === "accepted") paced.answered(true)
  if (outcome === "accepted" || outcome === "ambiguous" || outcome === "region_fault") return null
  // Stopped by a pause that began meanwhile, wherever it was.
  if (code === undefined && outcome === "deferred" && !begun.isCurrent()) return paced.overtaken()
  const told = code === undefined ? null : paced.told(attempt, origin)
  if (told) return told
  if (code !== undefined && phase !== undefined && !beforeMail.has(phase)) paced.answered(false)
  const [host = "", dialled] = remote.split(" ")
  const isAway = outcome === "deferred" && dialled !== undefined && phase !== undefined && awayPhases.has(phase)
  return isAway ? paced.unreachable(begun, host, text) : null
}

type Asking = AttemptOrigin & { paced: Paced; begun: Begun }

/** Encryption that fails is a matter of one domain's policy. */
const awayPhases: ReadonlySet<string> = new Set(["connect", "greeting", "ehlo"])

type Sourced = Mail & SendControl & Required<Pick<Mail, "takeSource">>

type Reachable = Extract<DomainRoute, { hosts: unknown }>
type End = Pick<DeliveryAttempt, "text"> & Partial<DeliveryAttempt>
type Ended = (end: End) => DeliveryAttempt

/** What ends an attempt before any server is asked: the domain receives no mail, or that cannot be found out. */
function endOf(route: DomainRoute, domain: string, stub: Stub, silentMs: number): End | null {
  switch (route.kind) {
    case "null_mx":
      return noMail(`The domain ${domain} receives no email: its MX record says so (RFC 7505).`)
    case "no_domain":
      return noMail(`The domain ${domain} receives no email: it has neither an MX record nor an address.`)
    case "unknown":
      if (stub.silentMs() >= silentMs) {
        const fault = silenceOf(stub)
        return { outcome: "region_fault", phase: "connect", text: textOf(fault), fault }
      }
      return unresolved(domain)
    default:
      return null
  }
}

function noMail(text: string): End {
  return { outcome: "refused", enhanced: "5.1.2", route: "none", text }
}

function unresolved(domain: string): End {
  return {
    phase: "connect",
    text: `The mail servers of ${domain} could not be looked up: its DNS gives no valid answer.`,
  }
}

/** Not of the mailbox: the domain's records lead nowhere for now. */
function unreachable(domain: string, refused: readonly string[]): End {
  const why =
    refused.length > 0
      ? `it points to a private address: ${refused.slice(0, 5).join(", ")}.`
      : "its mail servers have no address."
  return {
    outcome: "refused",
    enhanced: "5.4.4",
    route: "exists",
    text: `No mail server of ${domain} can be reached: ${why}`,
  }
}

/** Not of the mailbox either: it waits for an address of the other family. */
function ofOtherFamily(domain: string, source: Source | null): End {
  const family = !source || isIPv4(source.address) ? "IPv4" : "IPv6"
  const ours = source ? `email leaves from ${source.address}` : "this server has no IPv6 address"
  return { phase: "connect", text: `No mail server of ${domain} has an ${family} address, and ${ours}.` }
}

function isOfMachine(fault: OwnFault): fault is MachineFault {
  return machineFaultCodes.some((code) => code === fault.code)
}

function silenceOf({ servers }: Stub): MachineFault {
  return { code: "resolver_silent", facts: { resolvers: servers } }
}

function textOf(fault: MachineFault): string {
  switch (fault.code) {
    case "resolver_silent":
      return `The DNS resolver ${fault.facts.resolvers.join(", ")} does not answer.`
    case "no_route":
      return "This server has no route to the internet."
    case "source_missing":
      return `This server does not have the address ${fault.facts.source}, from which email leaves.`
    case "port_blocked":
      return `No mail server can be reached at port ${fault.facts.port}.`
  }
}

/** The server took no mail from us, whoever it is for; what it demands of us (530) included, and silence to MAIL. */
function isOfServer({ outcome, phase, code }: DeliveryAttempt): boolean {
  if (outcome === "region_fault") return true
  if (outcome !== "deferred" || phase === undefined) return false
  return beforeMail.has(phase) || (phase === "mail" && code === undefined)
}

/** Judges addresses: public ones, those of allowed networks, and of this machine only what the service's own names lead to. */
function createDialGuard({ networks, serviceDomain }: Pick<DirectOptions, "networks" | "serviceDomain">) {
  const reach: (address: string) => Reach = createReach(networks)
  return (host: string, address: string) =>
    reach(address) !== "refused" && (!isOwnAddress(address) || isUnder(host, serviceDomain))
}
