import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { providers } from "@/lib/delivery/direct/providers"
import {
  blockCause,
  afterAway,
  afterOpening,
  afterSignal,
  afterSuccess,
  connectionsMost,
  type DestinationFeedback,
  newFeedback,
  paceOf,
  recovered,
} from "@/lib/delivery/direct/feedback"
import { askedSeconds, type ServerReply, signalOf } from "@/lib/delivery/direct/reply-signals"
import type { BlockCause } from "@/lib/explanation/codes"

const reply = (text: string, fields: Partial<ServerReply> = {}): ServerReply => ({
  phase: "mail",
  code: Number(/^\d{3}/.exec(text)?.[0] ?? 421),
  ...enhancedOf(text),
  text: text.replace(/^\d{3} /, ""),
  mails: 1,
  open: 0,
  ...fields,
})

function enhancedOf(text: string): { enhanced?: string } {
  const enhanced = /^\d{3} ([45]\.\d+\.\d+)/.exec(text)?.[1]
  return enhanced === undefined ? {} : { enhanced }
}

const ofProvider = (name: string) => providers.find((one) => one.name === name)?.replies

/** Gmail says what it thinks of a mail after its data. */
const ofGoogle = (...texts: string[]): [string, Partial<ServerReply>][] =>
  texts.map((text) => [text, { phase: "final", replies: ofProvider("Google") }])

describe("a reply means", () => {
  it.each<[string, Partial<ServerReply>]>([
    ["421 4.7.0 mx.example Error: too many connections from 203.0.113.5", { phase: "greeting", open: 5 }],
    ["421 4.3.2 The maximum number of concurrent connections has exceeded a limit", { phase: "greeting", open: 1 }],
    ["450 4.7.1 Too many concurrent SMTP connections", { phase: "ehlo", open: 2 }],
  ])("too many connections while others are open: %s", (text, fields) => {
    expect(signalOf(reply(text, fields))).toEqual({ kind: "connections" })
    // Alone there cannot be fewer: another server is tried, and if there is none, the destination is away.
    expect(signalOf(reply(text, { ...fields, open: 0 }))).toBeNull()
  })

  it("too many connections where one is refused beside others, and nothing where it is the only one", () => {
    const { code: _, ...error } = reply("421 connect ECONNREFUSED 192.0.2.1:25", { phase: "connect", open: 3 })
    expect(signalOf(error)).toEqual({ kind: "connections" })
    expect(signalOf({ ...error, open: 0 })).toBeNull()
  })

  it.each(["421 4.7.0 Too many messages in this session", "451 4.3.0 Maximum messages per connection exceeded"])(
    "the end of this connection after some mails, and to slow down on the first: %s",
    (text) => {
      expect(signalOf(reply(text, { mails: 20 }))).toEqual({ kind: "mails" })
      expect(signalOf(reply(text, { mails: 1 }))).toEqual({ kind: "slow" })
    },
  )

  it.each<[string, Partial<ServerReply>]>([
    ["421 4.7.0 Try again later, closing connection.", {}],
    ["421 4.7.28 Our system has detected an unusual rate of unsolicited mail", { phase: "final" }],
    ["451 4.3.2 System not accepting network messages", {}],
    ["451 4.4.5 Server busy", {}],
    ["450 4.2.0 You are sending too fast", {}],
    ["421 4.7.0 Rate limit exceeded", { phase: "rcpt" }],
    ["421 4.7.0 [TSS04] Messages from 203.0.113.5 temporarily deferred", { replies: ofProvider("Yahoo") }],
    [
      "451 4.7.650 The mail server [203.0.113.5] has been temporarily rate limited",
      { replies: ofProvider("Outlook.com") },
    ],
    ["550 Ip frequency limited", { replies: ofProvider("QQ") }],
    ...ofGoogle(
      "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your IP address. To protect our users from spam, mail sent from your IP address has been temporarily rate limited. Please visit https://support.google.com/mail/?p=UnsolicitedRateLimitError to review our Bulk Email Senders Guidelines. - gsmtp",
      "421 4.7.23 Your email has been rate limited because the IP address sending this message does not have a PTR record. - gsmtp",
      "421 4.7.29 Your email has been rate limited because this message wasn't sent over a TLS connection. - gsmtp",
    ),
  ])("to slow down: %s", (text, fields) => {
    expect(signalOf(reply(text, fields))).toEqual({ kind: "slow" })
  })

  it.each<[string, Partial<ServerReply>, number | undefined]>([
    [
      "554 5.7.1 Service unavailable; Client host [203.0.113.5] blocked using zen.spamhaus.org",
      { phase: "rcpt" },
      undefined,
    ],
    ["554 5.7.1 Your address 203.0.113.5 is on our block list", { phase: "greeting" }, undefined],
    ["550 5.7.25 Client host rejected: cannot find your hostname, [203.0.113.5]", { phase: "rcpt" }, undefined],
    ["450 4.7.25 The IP address sending this message does not have a PTR record", { phase: "mail" }, undefined],
    ["550 5.7.1 <out1.mail.example>: Helo command rejected: Host not found", { phase: "rcpt" }, undefined],
    ["554 5.7.1 Connections from IPv6:2001:db8::5 are blocked.", { phase: "greeting" }, undefined],
    ["550 5.7.1 Messages from [203.0.113.5] weren't sent. (S3140)", { replies: ofProvider("Outlook.com") }, 240],
    ["553 5.7.1 [BL21] Connections will not be accepted from 203.0.113.5", { replies: ofProvider("Yahoo") }, 240],
  ])("that our address is refused: %s", (text, fields, minutes) => {
    expect(signalOf(reply(text, fields))).toEqual({ kind: "block", ...(minutes && { minutes }) })
  })

  it.each<[string, Partial<ServerReply>]>([
    ["450 4.2.0 Greylisted, see http://postgrey.example", { phase: "rcpt" }],
    ["451 4.7.1 Greylisting in action, please come back later", { phase: "data" }],
    ["450 4.2.1 The user you are trying to contact is receiving mail too quickly", { phase: "rcpt" }],
    ["452 4.2.2 Mailbox full", { phase: "rcpt" }],
    ["450 4.7.0 Not now", { phase: "rcpt" }],
    ["550 5.1.1 User unknown", { phase: "rcpt" }],
    ["550 5.7.1 [203.0.113.5] This message is likely unsolicited mail and was blocked", { phase: "final" }],
    ["421 4.3.0 Service shutting down", { phase: "greeting" }],
    ["250 2.0.0 OK", { phase: "final" }],
    ["550 5.1.1 <helo@x.example>: not found", { phase: "rcpt" }],
    ["550 5.7.1 Links must not have a PTR record", { phase: "final" }],
    // About who sends, although they name the address that it came from.
    ["550 5.7.23 <ada@x.example>: Recipient address rejected: SPF fail; ip=203.0.113.5;", { phase: "rcpt" }],
    ["550 SPF: 203.0.113.5 is not allowed to send mail from acme.example, rejected", { phase: "mail" }],
    [
      "550 5.7.26 Unauthenticated email from acme.example refused by its DMARC policy, [203.0.113.5]",
      { phase: "rcpt" },
    ],
    // What another server of the recipient's said, whom it asked for the address.
    [
      "450 4.1.1 <ada@x.example>: Recipient address rejected: undeliverable address: host mx.x.example[192.0.2.10] said: 550 5.1.1 User unknown (in reply to RCPT TO command)",
      { phase: "rcpt" },
    ],
    [
      "450 4.1.1 <ada@x.example>: Recipient address rejected: unverified address: connect to mx.x.example[192.0.2.10]:25: Connection refused",
      { phase: "rcpt" },
    ],
    [
      "550 Callback setup failed while verifying <bounce@acme.example>. The initial connection, or a HELO or MAIL FROM:<> command was rejected. 203.0.113.5",
      { phase: "rcpt" },
    ],
    ["550 5.7.1 Rejected at 10:11:12 by rule 4:5:6", { phase: "rcpt" }],
    // About the mail of one sender, although they speak of a rate.
    ...ofGoogle(
      "421 4.7.26 Your email has been rate limited because it is unauthenticated. Gmail requires all senders to authenticate with either SPF or DKIM. - gsmtp",
      "421 4.7.27 Your email has been rate limited because SPF authentication didn't pass for this message. - gsmtp",
      "421 4.7.30 Your email has been rate limited because DKIM authentication didn't pass for this message. - gsmtp",
      "421 4.7.32 Your email has been rate limited because the From: header (RFC5322) in this message isn't aligned with either the authenticated SPF or DKIM organizational domain. - gsmtp",
      "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your DKIM domain [acme.example]. To protect our users from spam, mail sent from your domain has been temporarily rate limited. - gsmtp",
      "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail originating from your SPF domain [acme.example]. To protect our users from spam, mail sent from your domain has been temporarily rate limited. - gsmtp",
      "421 4.7.28 Gmail has detected an unusual rate of unsolicited mail 4.7.28 containing one of your URL 4.7.28 domains. To protect our users from spam, mail with the URL has been temporarily limited. Please visit https://support.google.com/mail/?p=UnsolicitedRateLimitError - gsmtp",
    ),
    ["421 4.7.0 Rate limited: DMARC of acme.example fails", { phase: "final" }],
  ])("nothing of us: %s", (text, fields) => {
    expect(signalOf(reply(text, fields))).toBeNull()
  })

  it("nothing of us whatever a server says of its recipient for good, without an address of a machine", () => {
    const words = fc.array(fc.constantFrom("user", "unknown", "mailbox", "denied", "too", "many", "rate"), {
      minLength: 1,
    })
    fc.assert(
      fc.property(fc.integer({ min: 500, max: 599 }), words, (code, said) => {
        expect(signalOf(reply(`${code} ${said.join(" ")}`, { code, phase: "rcpt" }))).toBeNull()
      }),
    )
  })
})

describe("the time at which a server wants to be asked again", () => {
  it.each([
    ["Greylisted, please try again in 300 seconds", 310],
    ["4.7.1 Try again in 5 minutes", 310],
    ["retry after 60s", 70],
    ["come back in 12 hours", 3_600],
  ])("is read from the reply, with some seconds more and at most an hour: %s", (text, seconds) => {
    expect(askedSeconds(text)).toBe(seconds)
  })

  it("is not in most replies", () => {
    expect(askedSeconds("4.2.0 Greylisted, try again later")).toBeNull()
  })
})

it.each<[string, BlockCause | undefined]>([
  ["5.7.25 Client host rejected: cannot find your hostname, [203.0.113.5]", "reverse_name"],
  ["5.7.1 Fix reverse DNS for 203.0.113.5", "reverse_name"],
  ["Your IP address has no PTR record", "reverse_name"],
  ["<out1.mail.example>: Helo command rejected: Host not found", "ehlo_name"],
  ["EHLO requires a name that is not an address literal; yours must resolve", "ehlo_name"],
  ["<ptr@x.example>: User unknown", undefined],
  ["5.7.1 [203.0.113.5] is on our block list", undefined],
  ["Callback setup failed: a HELO or MAIL FROM:<> command was rejected", undefined],
])("the cause of a refusal, where it is named: %s", (text, cause) => {
  expect(blockCause(text)).toBe(cause)
})

const limits = { connections: 10, mailsPerConnection: 100 }
const minute = 60_000
const start = newFeedback(limits, 0)

const told = { reply: "421 slow down", startedAt: Infinity, open: 0, mails: 1, accepted: 0 }
const slow = (feedback: DestinationFeedback, now: number, fields: Partial<typeof told> = {}) =>
  afterSignal(feedback, { ...told, startedAt: now, ...fields, signal: { kind: "slow" } }, now)
const minutesOf = ({ pausedUntil }: DestinationFeedback, now: number): number => ((pausedUntil ?? NaN) - now) / minute

function times(
  count: number,
  step: (feedback: DestinationFeedback) => DestinationFeedback,
  from: DestinationFeedback,
): DestinationFeedback {
  return Array.from({ length: count }).reduce<DestinationFeedback>(step, from)
}

describe("connections", () => {
  it("begin at two, and there is one more after as many mails as there are, up to the limit", () => {
    const grown = (mails: number) => times(mails, (feedback) => afterSuccess(feedback, limits, 0), start).connections
    expect([0, 1, 2, 4, 5, 8, 9].map(grown)).toEqual([2, 2, 3, 3, 4, 4, 5])
    expect(grown(1_000)).toBe(10)
  })

  it("are as many as were open when the server refused one more, and one more every five minutes", () => {
    const full = times(1_000, (feedback) => afterSuccess(feedback, limits, 0), start)
    const refused = afterSignal(full, { ...told, open: 5, signal: { kind: "connections" } }, 0)
    expect([refused.connections, connectionsMost(refused, limits)]).toEqual([5, 5])
    const more = times(1_000, (feedback) => afterSuccess(feedback, limits, 0), refused)
    expect(more.connections).toBe(5)
    expect(connectionsMost(recovered(more, limits, 5 * minute), limits)).toBe(6)
    expect(recovered(more, limits, 25 * minute).connectionsMax).toBeNull()
  })

  it("end before the mail that the server did not take on one of them", () => {
    const ended = afterSignal(start, { ...told, mails: 21, signal: { kind: "mails" } }, 0)
    expect(ended.mailsPerConnection).toBe(20)
  })
})

describe("a destination that asks to slow down", () => {
  it("gets half of what it took in the last minute, over one connection; many replies at once are one", () => {
    const slowed = slow(start, 10, { accepted: 100 })
    expect(slowed).toMatchObject({
      pacePerMinute: 50,
      connections: 1,
      limitedSince: 10,
      reply: told.reply,
      pause: null,
    })
    expect(slow(slowed, 20, { startedAt: 5 })).toEqual(slowed)
    expect(slow(slowed, 2 * minute, { accepted: 40 }).pacePerMinute).toBe(20)
  })

  it("gets no more than the operator allows, nor than it bears", () => {
    const slowed = slow(start, 0, { accepted: 100 })
    const paces = [undefined, 30, 80].map((pacePerMinute) => paceOf(slowed, { ...limits, pacePerMinute }))
    expect(paces).toEqual([50, 30, 50])
    expect(paceOf(start, limits)).toBeNull()
    expect(paceOf(start, { ...limits, pacePerMinute: 80 })).toBe(80)
  })

  it("gets half as much again every five minutes, until that is no limit", () => {
    const slowed = slow(start, 0, { accepted: 100 })
    expect(recovered(slowed, limits, 5 * minute - 1)).toEqual(slowed)
    expect(recovered(slowed, limits, 5 * minute).pacePerMinute).toBe(75)
    expect(recovered(slowed, limits, 10 * minute)).toMatchObject({ pacePerMinute: null, limitedSince: null })
  })

  it("is left alone for 5, 10, 20, 40 and 60 minutes where it does not even take one a minute", () => {
    let feedback = slow(start, 0)
    expect(feedback).toMatchObject({ pacePerMinute: 1, pause: null })
    let now = minute
    const pauses = Array.from({ length: 6 }, () => {
      feedback = slow(feedback, now)
      const minutes = minutesOf(feedback, now)
      now += minutes * minute
      return minutes
    })
    expect(pauses).toEqual([5, 10, 20, 40, 60, 60])
    // It took nothing, so that it was not the pace that it minded.
    expect(afterSuccess(feedback, limits, now)).toMatchObject({ pause: null, pacePerMinute: null, connections: 2 })
    expect(recovered(afterSuccess(feedback, limits, now), limits, now + 5 * minute).pauses).toBe(0)
  })
})

describe("a destination that is away", () => {
  it("is asked after 1, 2, 4, 8 and 15 minutes, every 15 minutes, and after four hours hourly", () => {
    let feedback = start
    let now = 0
    const pauses = Array.from({ length: 24 }, () => {
      feedback = afterAway(feedback, "no answer", now)
      const minutes = minutesOf(feedback, now)
      now += minutes * minute
      return minutes
    })
    expect(pauses.slice(0, 7)).toEqual([1, 2, 4, 8, 15, 15, 15])
    expect(pauses.slice(-3)).toEqual([60, 60, 60])
    const before = pauses.slice(0, pauses.indexOf(60)).reduce((sum, one) => sum + one, 0)
    expect(before).toBe(4 * 60)
    expect(feedback.limitedSince).toBe(0)
  })

  it("is back with the first session, one connection at first", () => {
    const away = afterAway(start, "no answer", 0)
    expect(afterOpening(away, minute)).toMatchObject({ pause: null, pausedUntil: null, pauses: 0, connections: 1 })
  })
})

describe("a destination that refuses our address", () => {
  it("is left alone for an hour, or for as long as its provider's replies mean, and released by a mail that it takes", () => {
    const signal = { kind: "block" } as const
    const blocked = afterSignal(start, { ...told, signal }, 0)
    expect([blocked.pause, minutesOf(blocked, 0)]).toEqual(["block", 60])
    expect(minutesOf(afterSignal(start, { ...told, signal: { ...signal, minutes: 240 } }, 0), 0)).toBe(240)
    expect(afterOpening(blocked, minute).pause).toBe("block")
    expect(afterSuccess(blocked, limits, minute).pause).toBeNull()
  })
})

type Step = { kind: "ok" | "open" | "away" | "slow" | "block" | "connections" | "mails" | "rest"; value: number }

it("whatever a destination does, it has a connection, a pace of one a minute, and a pause that ends", () => {
  const steps = fc.array(
    fc.record<Step>({
      kind: fc.constantFrom("ok", "open", "away", "slow", "block", "connections", "mails", "rest"),
      value: fc.integer({ min: 0, max: 300 }),
    }),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(steps, fc.integer({ min: 1, max: 20 }), (all, connections) => {
      const own = { ...limits, connections }
      let feedback = newFeedback(own, 0)
      let now = 0
      for (const { kind, value } of all) {
        now += value * 1_000
        feedback = next(feedback, { kind, value })
        expect(feedback.connections).toBeGreaterThanOrEqual(1)
        expect(feedback.connections).toBeLessThanOrEqual(connections)
        expect(feedback.pacePerMinute ?? 1).toBeGreaterThanOrEqual(1)
        expect(feedback.mailsPerConnection ?? 1).toBeGreaterThanOrEqual(1)
        expect(feedback.pause === null).toBe(feedback.pausedUntil === null)
        if (feedback.pause) expect(feedback.limitedSince).not.toBeNull()
        // Twenty hours of rest with mail that is taken make it as it was.
        const rested = recovered(afterSuccess(afterOpening(feedback, now), own, now), own, now + 72_000_000)
        expect(rested).toMatchObject({ pause: null, pacePerMinute: null, connectionsMax: null, pauses: 0 })
      }

      function next(current: DestinationFeedback, { kind, value }: Step): DestinationFeedback {
        if (kind === "ok") return afterSuccess(current, own, now)
        if (kind === "open") return afterOpening(current, now)
        if (kind === "away") return afterAway(current, "no answer", now)
        if (kind === "rest") return recovered(current, own, now)
        const signal = { kind } as const
        return afterSignal(
          current,
          { ...told, signal, startedAt: now, open: value % 12, mails: value, accepted: value },
          now,
        )
      }
    }),
  )
})
