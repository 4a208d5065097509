import { describe, expect, it } from "vitest"
import { emailStatuses, type EmailStatus } from "@/lib/emails/message-rules"
import { failureCodes, type Reason } from "@/lib/explanation/codes"
import type {
  AttemptClass,
  AttemptPhase,
  Explained,
  Facts,
  ReplyKind,
  SuppressedBy,
  Via,
  Wait,
} from "@/lib/explanation/facts"
import { explained } from "@/lib/explanation/table"
import { reasonSentence } from "@/lib/explanation/words"

// Records, so that a new value does not compile until the test covers it.
const keys = <K extends string>(of: Record<K, true>) => Object.keys(of) as K[]
const classes = keys<AttemptClass>({
  ...{ none: true, accepted: true, hard: true, soft: true, block: true, content: true, ours: true },
  ...{ deferred: true, region_fault: true, ambiguous: true, lost: true },
})
const phases = keys<AttemptPhase>({
  ...{ none: true, connect: true, greeting: true, ehlo: true, starttls: true, auth: true, mail: true, rcpt: true },
  ...{ data: true, final: true },
})
const replies = keys<ReplyKind>({ none: true, temporary: true, permanent: true, unexpected: true })
const vias = keys<Via>({ relay: true, sandbox: true, simulator: true })
const waits = keys<Wait>({
  ...{ none: true, time: true, quota: true, rate: true, turn: true, region: true, refusing: true, suspended: true },
  ...{ recorded: true, source: true, unverified: true, destination: true },
})
const suppressors = keys<SuppressedBy>({
  ...{ bounce: true, complaint: true, unsubscribe: true, manual: true, topic_opt_out: true, simulator: true },
  topic_deleted: true,
  unknown: true,
})

const plain: Facts = {
  status: "queued",
  attemptClass: "none",
  phase: "none",
  reply: "none",
  via: "relay",
  wait: "none",
  suppressedBy: "bounce",
  failure: "attempts",
  reason: null,
  address: "ada@lovelace.example",
  region: "eu-west-1",
  direct: false,
  server: "mx.lovelace.example",
  attempts: 3,
  bounceCode: "5.1.1",
  topic: "News",
  rate: 14,
  scheduledAt: new Date("2026-11-24T10:00:00Z"),
  deadlineHours: 72,
}
const of = (change: Partial<Facts>) => explained({ ...plain, ...change })

/** Jargon of this house and of SMTP that a reader of the dashboard need not know. */
const jargon = /\b(hand-?off|letter|look up table|conversation|phase|class|RCPT|EHLO|DATA|undefined|null|NaN)\b/

function faultOf({ cause, fix }: Explained): string | null {
  for (const text of [cause, fix]) {
    if (text.trim() === "") return "empty"
    if (!/^[\p{Lu}\d]|^[^\s@]+@\S/u.test(text)) return `begins in the middle: ${text}`
    if (!/[^.]\.$/.test(text)) return `does not end with one full stop: ${text}`
    if (/[.!?] /.test(text)) return `is more than one sentence: ${text}`
    if (jargon.test(text)) return `uses jargon: ${text}`
    if (/ {2}/.test(text)) return `has a gap: ${text}`
  }
  return cause === fix ? "says the same twice" : null
}

describe("the table of causes and fixes", () => {
  it.each(emailStatuses)("%s has one cause and one fix for every class and phase, whatever else is known", (status) => {
    const faults = new Set<string | null>()
    let asked = 0
    for (const attemptClass of classes)
      for (const phase of phases)
        for (const wait of waits)
          for (const via of vias)
            for (const reply of replies) {
              faults.add(faultOf(of({ status, attemptClass, phase, wait, via, reply })))
              asked++
            }
    expect(asked).toBe(11 * 12 * 10 * 3 * 4)
    expect([...faults]).toEqual([null])
  })

  it("every reason of a suppression and every failure has its own cause and fix", () => {
    const suppressed = suppressors.map((suppressedBy) => of({ status: "suppressed", suppressedBy }))
    const failed = failureCodes.map((failure) =>
      of({
        status: "failed",
        failure,
        reason: { code: failure, facts: { claims: 10, hours: 72 } } as Reason,
        attemptClass: "deferred",
      }),
    )
    expect([...suppressed, ...failed].map(faultOf)).toEqual([...suppressors, ...failureCodes].map(() => null))
    expect(new Set(suppressed.map(({ cause }) => cause)).size).toBe(suppressors.length)
    expect(new Set(failed.map(({ cause }) => cause)).size).toBe(failureCodes.length)
  })

  it.each([
    [{ attemptClass: "hard" }, "The mailbox ada@lovelace.example does not exist."],
    [{ attemptClass: "hard", bounceCode: "5.4.4" }, "The domain lovelace.example receives no email."],
    [{ attemptClass: "soft", bounceCode: "5.2.2" }, "The mailbox ada@lovelace.example is full."],
    [
      { attemptClass: "block", phase: "mail" },
      "The server of lovelace.example refused our sender address by its policy.",
    ],
    [{ attemptClass: "content" }, "The server of lovelace.example refused the content or size of the message."],
    [{ attemptClass: "ours" }, "The server of lovelace.example refused us as the sender."],
  ] as const)("a bounce of %j says what the server meant", (change, cause) => {
    expect(of({ status: "bounced", ...change }).cause).toBe(cause)
  })

  it("only a hard bounce says that the address is on the suppression list, and the simulator's only with a label", () => {
    const listed = /is on the suppression list now/
    const bounced = (change: Partial<Facts>) => of({ status: "bounced", ...change }).fix
    for (const attemptClass of ["soft", "block", "content", "ours"] as const)
      expect(bounced({ attemptClass })).not.toMatch(listed)
    expect(bounced({ attemptClass: "hard" })).toMatch(listed)
    const simulator = { attemptClass: "hard", via: "simulator" } as const
    expect(bounced({ ...simulator, address: "bounced@simulator.mailroom.test" })).not.toMatch(listed)
    expect(bounced({ ...simulator, address: "bounced+ada@simulator.mailroom.test" })).toMatch(listed)
  })

  it.each([
    ["deferred", "rcpt", "temporary", "mx.lovelace.example asked us to try again later"],
    ["deferred", "data", "unexpected", "mx.lovelace.example gave an unexpected reply"],
    ["deferred", "data", "none", "the connection to mx.lovelace.example ended before the message was accepted"],
    ["deferred", "connect", "none", "mx.lovelace.example could not be reached"],
    ["region_fault", "auth", "permanent", "the relay of this region did not let us sign in"],
    ["region_fault", "connect", "none", "the relay of this region could not be reached"],
    ["ambiguous", "final", "none", "the connection to mx.lovelace.example ended before it confirmed the message"],
    ["lost", "none", "none", "the worker stopped before it could record the result"],
  ] as const)(
    "an email that waits after %s at %s (%s) says so, and when it is given up",
    (attemptClass, phase, reply, why) => {
      const facts = { attemptClass, phase, reply }
      expect(of({ status: "delivery_delayed", ...facts }).cause).toBe(
        `The message for ada@lovelace.example waits because ${why}.`,
      )
      expect(of({ status: "failed", ...facts }).cause).toBe(
        `We gave up on ada@lovelace.example after 3 attempts because ${why}.`,
      )
    },
  )

  it("an outage of the region and a suspension come before what the last attempt met", () => {
    const late = { status: "delivery_delayed", attemptClass: "deferred", phase: "rcpt" } as const
    expect(of({ ...late, wait: "refusing" }).cause).toMatch(/the relay of the region \S+ refuses every email\.$/)
    expect(of({ ...late, wait: "region" }).cause).toBe(
      "The email waits because the region eu-west-1 cannot send through its relay.",
    )
    expect(of({ ...late, wait: "suspended" })).toMatchObject({ severity: "critical", page: "settings" })
  })

  it("a simulator or sandbox that does not run is no fault of a relay", () => {
    for (const via of ["simulator", "sandbox"] as const) {
      const { cause, fix } = of({ wait: "region", via })
      expect(cause).toBe(`The email waits because the ${via} of this installation does not answer.`)
      expect(`${cause} ${fix}`).not.toMatch(/relay|eu-west-1/)
      expect(fix).toContain("role sandbox")
    }
  })

  it("a region that sends directly has no relay that could be away", () => {
    const direct = { status: "delivery_delayed", direct: true } as const
    for (const facts of [{ wait: "region" }, { attemptClass: "region_fault", phase: "connect" }] as const) {
      const { cause, fix } = of({ ...direct, ...facts })
      expect(`${cause} ${fix}`).toMatch(/recipients' servers/)
      expect(`${cause} ${fix}`).not.toMatch(/relay/)
    }
    expect(reasonSentence({ code: "region_down", facts: { direct: true } })).not.toMatch(/relay/)
  })

  it("an email for a destination that slowed us says who did, since when, and about how long it waits", () => {
    const facts = {
      name: "Outlook.com",
      why: "slow",
      since: "2026-11-26T14:02:31.000Z",
      perMinute: 12,
      minutes: 40,
    } as const
    expect(of({ status: "queued", wait: "destination", reason: { code: "destination", facts } }).cause).toBe(
      "Waits: Outlook.com slowed us to 12 a minute at 2026-11-26 14:02 UTC; about 40 minutes.",
    )
    const {
      minutes: _,
      perMinute: _pace,
      ...away
    } = { ...facts, why: "away", until: "2026-11-26T14:10:31.000Z" } as const
    expect(reasonSentence({ code: "destination", facts: away })).toBe(
      "Waits: the mail servers of Outlook.com cannot be reached since 2026-11-26 14:02 UTC; it is tried again at 2026-11-26 14:10 UTC.",
    )
  })

  it("only an email that arrived, or leaves in a moment, has nothing to explain", () => {
    const quiet = emailStatuses.filter((status) => of({ status, wait: "time" }).severity === "none")
    expect(quiet).toEqual(["sent", "delivered", "opened", "clicked"] satisfies EmailStatus[])
    expect(of({ status: "queued" }).severity).toBe("none")
  })
})
