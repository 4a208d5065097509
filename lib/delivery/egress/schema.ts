import { z } from "zod"
import { hostname, hostnameMax } from "@/lib/addresses/hostname"
import { onBlockOptions, warmUpDays } from "@/lib/delivery/egress/rules"
import { id, int32, timestamp } from "@/lib/platform/schema"
import { defaultPool } from "@/lib/projects/rules"
import { regionNames } from "@/lib/regions/regions"

/** An IPv6 address that ends in an IPv4 address. */
const ipTextMax = 45

/** An IP address in its one spelling. */
export const EgressIp = z
  .string()
  .transform((text, context) => {
    const address = canonicalAddress(text.trim())
    if (address) return address
    context.addIssue({ code: "custom", message: "Must be an IPv4 or IPv6 address." })
    return z.NEVER
  })
  .meta({ maxLength: ipTextMax, examples: ["203.0.113.5"] })

function canonicalAddress(text: string): string | null {
  if (z.ipv4().safeParse(text).success) return text
  return z.ipv6().safeParse(text).success ? new URL(`http://[${text}]`).hostname.slice(1, -1) : null
}

export const EhloName = z
  .string()
  .transform((text, context) => {
    const read = hostname(text)
    if (read.ok) return read.ascii
    context.addIssue({ code: "custom", message: `This name ${read.reason}` })
    return z.NEVER
  })
  .meta({ maxLength: hostnameMax, examples: ["out1.mail.example"] })

export const PoolName = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9]|-){0,39}$/,
    "Has 1 to 40 lower-case letters, digits and hyphens, and does not begin with a hyphen.",
  )
  .meta({ maxLength: 40 })

const date = z.iso.date()

const counts = {
  sent: int32.describe("Emails that were attempted, each counted once a day."),
  deferred: int32.describe("Of these, deferred by the receiving server; greylisting is not counted."),
  bounced: int32,
  complained: int32.describe("Complaints that came on the day."),
}

const warmUpShape = z
  .strictObject({
    day: int32,
    days: int32.describe(`On day ${warmUpDays} the address has no cap any more.`),
    cap: int32.describe("What it may send today, at most half of it to one provider; 0 until the warm-up begins."),
    startsOn: date.optional().describe("Where the warm-up has not begun."),
    waiting: int32.describe("Emails that wait for the share of a later day."),
    isTooMuch: z
      .boolean()
      .describe(
        "Whether more waits than the address may send within 72 hours, even if each day counts: the rest would fail.",
      ),
    counts: z
      .boolean()
      .describe(
        "Whether today counts so far: something was sent, and less than 5 % deferred, 2 % bounced, 0.1 % complained.",
      ),
  })
  .meta({ id: "WarmUp" })

export const EgressAddress = z
  .strictObject({
    id: id("egr"),
    region: z.string(),
    pool: z.string(),
    address: z.string(),
    ehloName: z.string().describe("What it calls itself at EHLO."),
    createdAt: timestamp,
    pausedAt: timestamp.optional().describe("Since when no email leaves from it."),
    warmUp: warmUpShape.optional().describe("Absent where the address has no cap."),
    onBlock: z
      .enum(onBlockOptions)
      .describe(
        "What email of this address does at a destination that refuses the address: `wait`, or `spill`: what has not been attempted leaves from another address of the pool.",
      ),
    blocks: z
      .array(
        z.strictObject({
          destinationId: z.string(),
          destination: z.string().describe("The mailbox provider, else the first mail server."),
          since: timestamp,
          until: timestamp.describe("When one email is tried again."),
          reply: z.string(),
        }),
      )
      .describe("The destinations that refuse the address now, the latest first, at most 50."),
    today: z
      .strictObject({
        ...counts,
        providers: z
          .array(z.strictObject({ name: z.string().describe("Empty for servers of no known provider."), ...counts }))
          .describe("The same by mailbox provider, most first."),
      })
      .describe("Since midnight UTC."),
  })
  .meta({ id: "EgressAddress" })
export type EgressAddress = z.output<typeof EgressAddress>

export const EgressAddressList = z.strictObject({ data: z.array(EgressAddress) }).meta({ id: "EgressAddressList" })

export const NewEgressAddress = z
  .strictObject({
    region: z.enum(regionNames),
    address: EgressIp.describe("An address of the machines on which workers run."),
    ehloName: EhloName.describe("Its name at EHLO, to which its reverse DNS should lead."),
    pool: PoolName.default(defaultPool),
    warmUpOn: date
      .optional()
      .describe("The first day of its warm-up, today or later in UTC; without one, it has no cap."),
  })
  .meta({ id: "NewEgressAddress" })

export const EgressAddressEdit = z
  .strictObject({
    paused: z.boolean().optional(),
    onBlock: z.enum(onBlockOptions).optional(),
    pool: PoolName.optional(),
    warmUpOn: date
      .nullable()
      .optional()
      .describe(
        "Begins the warm-up anew on this day, today or later in UTC; null ends it, and the address has no cap.",
      ),
  })
  .meta({ id: "EgressAddressEdit" })

export const ProjectPool = z
  .strictObject({ projectId: id("proj"), name: z.string(), pool: z.string() })
  .meta({ id: "ProjectPool" })
export type ProjectPool = z.output<typeof ProjectPool>

export const ProjectPoolList = z.strictObject({ data: z.array(ProjectPool) }).meta({ id: "ProjectPoolList" })

export const NewProjectPool = z
  .strictObject({
    projectId: id("proj"),
    pool: PoolName.describe(
      "Email of the project leaves from its addresses; where a region has none of them, from those of `default`.",
    ),
  })
  .meta({ id: "NewProjectPool" })
