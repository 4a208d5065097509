import { createPaths, type Paths, type PathFault } from "@/lib/delivery/regions/region-rules"
import { findReturnRoutes, isProved } from "@/lib/delivery/regions/return-route-store"
import {
  removeWorker,
  beginOutage,
  beginRefusal,
  isReachedByOthers,
  refusesEverybody,
  writeHeartbeat,
} from "@/lib/delivery/regions/data"
import { openTransport, sandboxTransport, transportKinds } from "@/lib/delivery/transports/transports"
import { isSimulated, simulatorDomain, simulatorRoute } from "@/lib/emails/simulator"
import type { Transport, Mail } from "@/lib/delivery/transports/transport"
import { regionNames, type Region, regionLabel } from "@/lib/regions/regions"
import { type RegionProfile, regionSettings, type Delivered } from "@/lib/regions/settings"
import type { DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { Decision } from "@/lib/delivery/transports/classify"
import { mayConcernAll, refuserOf, refusersMax, sentenceOf } from "@/lib/delivery/regions/refusal-rules"
import { log } from "@/lib/platform/log"
import { createPrivateKey } from "node:crypto"
import { compose } from "@/lib/delivery/message/compose"
import { systemSource } from "@/lib/delivery/egress/data"
import { sign } from "@/lib/delivery/message/dkim"
import { serviceKey } from "@/lib/domains/keys/data"
import { newId } from "@/lib/platform/ids"
import { createSharedSlots } from "@/lib/platform/jobs/slots"

/** The next hop of a route, and what its acceptance means. */
export type Relay = {
  name: string
  transport: Transport
  delivered: Delivered
  local: boolean
  hasOneServer: boolean
  probeSeconds: number
}

export type Relays = {
  for(region: Region, canonical: string): Relay
  /** By the name of its route: a region or `simulator`. */
  named(route: string): Relay | undefined
  /** What this worker cannot reach. */
  paths: Paths
  /** Reads in which regions delivery reports are known to arrive: in the others `delivered=dsn` is `never`. */
  learnReports(): Promise<void>
  close(): Promise<void>
}

/** The relay of each region and of the simulator, opened on first use. */
export function createRelays(openRelay: (profile: RegionProfile) => Transport = openTransport): Relays {
  const open = new Map<string, Relay>()
  const paths = createPaths()
  let reported: ReadonlySet<Region> = new Set()

  function relay(name: string, make: (name: string) => Relay): Relay {
    const found = open.get(name) ?? make(name)
    open.set(name, found)
    return found
  }

  function relayOf(region: Region): Relay {
    return relay(region, (name) => {
      const profile = regionSettings().profiles[region]
      return {
        name,
        transport: openRelay(profile),
        get delivered() {
          return profile.delivered === "dsn" && !reported.has(region) ? "never" : profile.delivered
        },
        ...transportKinds[profile.transport],
      }
    })
  }

  return {
    for: (region, canonical) => (isSimulated(canonical) ? relay(simulatorRoute, simulator) : relayOf(region)),
    named(route) {
      if (route === simulatorRoute) return relay(simulatorRoute, simulator)
      const region = regionNames.find((one) => one === route)
      return region && relayOf(region)
    },
    paths,
    async learnReports() {
      const routes = await findReturnRoutes()
      reported = new Set(regionNames.filter((region) => isProved(region, routes)))
    },
    async close() {
      await Promise.all([...open.values()].map(({ transport }) => transport.close()))
      await removeWorker(paths)
    },
  }
}

function simulator(name: string): Relay {
  return {
    name,
    transport: sandboxTransport({ ehloName: simulatorDomain() }),
    delivered: "accept",
    ...transportKinds.sandbox,
  }
}

export type Refused = { attempt: DeliveryAttempt; decision: Decision; deliveryId: string; canonical: string }

/** Which relays this worker claims nothing for; the database decides for all workers, its own paths for this one. */
export type RegionState = {
  /** Its mail finds out whether the region is still down. */
  isProbing?: boolean
  isDown(route: string): boolean
  /** Sets the routes that the database lists as down; returns these and those that only this worker cannot reach. */
  update(down: readonly string[]): readonly string[]
  /** Reports an attempt that failed before its mail was named. */
  fail(relay: Relay, attempt: DeliveryAttempt, diagnostic: string): Promise<void>
  /** Reports a refusal; true if the relay refuses everybody, so that this is no bounce. */
  refuse(relay: Relay, refused: Refused): Promise<boolean>
}

export function createRegionState(paths: Paths = createPaths()): RegionState {
  let known = new Set<string>()

  return {
    isDown: (route) => known.has(route) || paths.isBroken(route),
    update(down) {
      known = new Set(down)
      return [...new Set([...down, ...paths.broken()])]
    },
    async fail(relay, { phase = "connect", remote, fault: own }, diagnostic) {
      if (known.has(relay.name)) return
      const fault = { since: new Date(), phase, diagnostic, fault: own }
      if (!paths.broke(relay.name, fault, relay.probeSeconds)) return
      await reportBroken(paths, relay, fault, remote)
    },
    async refuse(relay, { attempt, decision, deliveryId, canonical }) {
      if (relay.local || !mayConcernAll(relay, attempt, decision)) return false
      const { phase } = attempt
      const { diagnostic } = decision
      const sentence = sentenceOf(attempt, canonical)
      const refusal = { route: relay.name, sentence, domain: refuserOf(relay, attempt, canonical), deliveryId }
      if (!(await refusesEverybody(refusal, refusersMax(relay)))) return false
      known.add(relay.name)
      if (await beginRefusal(relay.name, sentence, { phase, diagnostic }, relay.probeSeconds))
        log.error({ region: relay.name, phase, diagnostic }, "a relay refuses every email: the region's mail waits")
      return true
    },
  }
}

/** This worker does not reach the relay: the region is down once no live worker does. */
export async function reportBroken(
  paths: Paths,
  { name, local, probeSeconds }: Pick<Relay, "name" | "local" | "probeSeconds">,
  { phase, diagnostic, fault }: Omit<PathFault, "since">,
  remote?: string,
): Promise<void> {
  const details = { region: name, phase, remote, diagnostic }
  await writeHeartbeat(paths)
  if (await isReachedByOthers(paths, name))
    return log.error(details, "this worker cannot reach the relay of a region, others do: it claims nothing there")
  const began = await beginOutage(name, { phase: phase as DeliveryAttempt["phase"], diagnostic, fault }, probeSeconds)
  // At start the sandbox may be a moment behind the worker.
  if (began) log[local ? "warn" : "error"](details, "a region cannot reach its relay: its mail waits")
}

/** Short ones: a person waits. In all it takes no longer than `wholeMs`. */
const usualLimits = {
  connectTimeoutMs: 10_000,
  greetingTimeoutMs: 20_000,
  commandTimeoutMs: 10_000,
  dataTimeoutMs: 20_000,
  finalTimeoutMs: 30_000,
}
const wholeMs = 45_000

/** One at a time in a process. */
const inPlace = createSharedSlots({ count: 1, perOwner: 1, waitMs: 5_000 })

/**
 * Sends one email of the service through a region's next hop, over a connection of its own, signed by the service domain.
 * Resolves with the attempt, however it ended.
 * @throws SlotsBusy while another test runs
 */
export function testRelay(region: Region, to: string, limits = usualLimits): Promise<DeliveryAttempt> {
  return inPlace("relay", async () => {
    const test = await composeTest({
      ...{ id: newId(), to, date: new Date(), subject: `Test of the relay of ${regionLabel(region)}` },
      text: "This email shows that the relay of the region takes and forwards email. Its headers say what the servers on the way made of it.\n",
    })
    const transport = openTransport(regionSettings().profiles[region], limits)
    try {
      return await transport.send({
        ...{ ...test, to },
        signal: AbortSignal.timeout(wholeMs),
        takeSource: () => systemSource(region),
      })
    } finally {
      await transport.close()
    }
  })
}

type TestEmail = { id: string; to: string; date: Date; subject: string; text: string }

/** An email with which the service tests a way, from its postmaster and signed by its domain. */
export async function composeTest({
  id,
  to,
  ...rest
}: TestEmail): Promise<Required<Pick<Mail, "from" | "message" | "sender">>> {
  const { domain, selector, privateKeyPem } = await serviceKey()
  const from = `postmaster@${domain}`
  const message = await compose({
    messageId: `<${id}@${domain}>`,
    from: { name: "Mailroom", address: from },
    to: [{ address: to }],
    cc: [],
    attachments: [],
    headers: [{ name: "Auto-Submitted", value: "auto-generated" }],
    ...rest,
  })
  const sender = { domain, selector, key: createPrivateKey(privateKeyPem) }
  return { from, message: await sign(message, sender), sender }
}
