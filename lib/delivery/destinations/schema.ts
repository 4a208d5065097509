import { z } from "zod"
import { pauseKinds } from "@/lib/delivery/direct/feedback"
import { pageOf } from "@/lib/platform/http/paging"
import { double, id, int32, timestamp } from "@/lib/platform/schema"
import { regionNames } from "@/lib/regions/regions"

export const destinationStates = ["flowing", "slowed", "paused", "trying"] as const
/** Mail is counted to here, so that a list costs the same however much waits. */
export const waitingMax = 10_000

/** What servers ask for: fewer connections, fewer emails on one, a slower pace; a refusal of our address; that none could be reached. */
export const destinationSignals = ["connections", "mails", "slow", "block", "away"] as const
export const hoursShown = 24
/** Refusals of a project in that time below which it provokes nothing. */
export const provokedMin = 10

const region = z.enum(regionNames)

const state = {
  state: z
    .enum(destinationStates)
    .describe(
      "`flowing`; `slowed`: at most `pacePerMinute` emails a minute, since a server asked for it; `paused`: nothing is sent until `pausedUntil`; `trying`: the pause is over once one email is accepted.",
    ),
  pause: z
    .enum(pauseKinds)
    .optional()
    .describe(
      "Why nothing is sent: no server could be reached (`away`), a server asked us to slow down and kept asking (`slow`), it refuses our address (`block`), the operator paused it (`operator`), or the sending address warms up (`warm_up`).",
    ),
  pausedUntil: timestamp
    .optional()
    .describe("When one email is tried again. Absent while paused: until the operator resumes it."),
  limitedSince: timestamp.optional().describe("When the pause or the pace began."),
  pacePerMinute: double.optional().describe("Emails a minute at most."),
}

const summary = {
  id: z.string().describe("Digits: a destination of one region."),
  region,
  name: z.string().describe("The mailbox provider, else the first mail server."),
  ...state,
  waiting: int32.describe(`Emails that wait, counted to ${waitingMax.toLocaleString("en")}.`),
  oldestAt: timestamp.optional().describe("When the one was accepted that is due first."),
  deliveredAt: timestamp.optional().describe("When a server last accepted an email; to the minute."),
  reply: z.string().optional().describe("What a server said when it last paused or slowed us, or refused an address."),
  refusedAddresses: int32.describe("Our addresses that it refuses, counted to 50: only email from them waits."),
}

export const DestinationSummary = z.strictObject(summary).meta({ id: "Destination" })
export const DestinationPage = pageOf(DestinationSummary)

const limit = (what: string, max: number) => z.int().min(1).max(max).meta({ format: "int32" }).describe(what)

/** The operator's limits of a destination; what is left out is as usual. */
export const DestinationLimits = z
  .strictObject({
    connections: limit("Connections at once.", 100).optional(),
    mailsPerConnection: limit("Emails over one connection.", 10_000).optional(),
  })
  .meta({ id: "DestinationLimits" })

export const DestinationDetail = z
  .strictObject({
    ...summary,
    hosts: z.array(z.string()).describe("Its mail servers, the preferred first."),
    domains: z.array(z.string()).describe("Domains of recipients whose email went to it last, at most 20."),
    learned: DestinationLimits.describe("What its servers were seen to allow."),
    limits: DestinationLimits.optional().describe("The operator's limits, in place of the usual ones."),
    blocks: z
      .array(z.strictObject({ address: z.string(), since: timestamp, until: timestamp, reply: z.string() }))
      .describe("Our addresses that it refuses, the latest first, at most 50: only email from them waits."),
    hours: z
      .array(
        z.strictObject({
          hour: timestamp.describe("When it began."),
          delivered: int32,
          deferred: int32.describe("Replies that put an email off."),
          signals: z.array(z.enum(destinationSignals)).describe("What its servers asked for, each once."),
        }),
      )
      .describe(`The last ${hoursShown} hours in which a server said something, the oldest first.`),
    projects: z
      .array(z.strictObject({ projectId: id("proj"), name: z.string(), waiting: int32 }))
      .describe("Whose email waits, the most first, at most 10."),
    refusals: z
      .strictObject({
        replies: int32.describe("Replies that refused or deferred an email."),
        projects: z
          .array(z.strictObject({ projectId: id("proj"), name: z.string(), replies: int32 }))
          .describe("Whose emails they were, the most first, at most 10."),
        provoker: id("proj")
          .optional()
          .describe(
            `The project that got most of them, if they are at least ${provokedMin} and others send to the destination as well.`,
          ),
      })
      .describe(`What its servers refused in the last ${hoursShown} hours, by project.`),
    replies: z
      .array(z.strictObject({ reply: z.string(), count: int32 }))
      .describe("The latest replies to up to 500 waiting emails, grouped, the most frequent first, at most 10."),
  })
  .meta({ id: "DestinationDetail" })

export const destinationActions = ["pause", "resume", "try"] as const
export const DestinationAction = z
  .strictObject({
    action: z
      .enum(destinationActions)
      .describe(
        "`pause`: nothing is sent until it is resumed. `resume`: forgets the pause and the pace. `try`: one email is tried now, and the pause ends if it is accepted.",
      ),
  })
  .meta({ id: "DestinationAction" })

export const DestinationChange = z
  .strictObject({
    connections: limit("Connections at once; null: as usual.", 100).nullable().optional(),
    mailsPerConnection: limit("Emails over one connection; null: as usual.", 10_000).nullable().optional(),
  })
  .meta({ id: "DestinationChange" })

/** What a project sees of a destination: its own email, and no limits. */
export const WaitingDestination = z
  .strictObject({
    region,
    name: summary.name,
    ...state,
    waiting: int32.describe(`Emails of the project that wait, counted to ${waitingMax.toLocaleString("en")}.`),
    oldestAt: summary.oldestAt,
  })
  .meta({ id: "WaitingDestination" })
export const WaitingDestinationList = z
  .strictObject({ data: z.array(WaitingDestination) })
  .meta({ id: "WaitingDestinationList" })

export type DestinationSummary = z.output<typeof DestinationSummary>
export type DestinationDetail = z.output<typeof DestinationDetail>
export type DestinationLimits = z.output<typeof DestinationLimits>
export type WaitingDestination = z.output<typeof WaitingDestination>
export type DestinationChange = z.output<typeof DestinationChange>
export type DestinationAction = z.output<typeof DestinationAction>["action"]
