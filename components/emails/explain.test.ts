import { describe, expect, it } from "vitest"
import { explain } from "@/components/emails/explain"
import type { Attempt, Delivery, Email } from "@/components/emails/types"

const at = "2026-11-21T14:02:10.256Z"
const when = (moment: string) => `at ${moment.slice(11, 16)}`

const email = (over: Partial<Email> = {}): Email => ({
  id: "email_01k9",
  status: "bounced",
  from: "billing@acme.com",
  to: ["ada@lovelace.example"],
  subject: "Your receipt",
  testMode: false,
  createdAt: at,
  ...over,
})
const attempt = (over: Partial<Attempt> = {}): Attempt => ({
  id: "att_1",
  attempt: 1,
  outcome: "refused",
  phase: "rcpt",
  startedAt: at,
  ...over,
})
const delivery = (over: Partial<Delivery> = {}): Delivery => ({
  id: "dlv_1",
  role: "to",
  address: "ada@lovelace.example",
  status: "bounced",
  attempts: [attempt({ code: 550, enhanced: "5.1.1", text: "5.1.1 user unknown" })],
  ...over,
})

describe("why an email did not arrive", () => {
  it("a mailbox that does not exist is said in one sentence, with the server's words and what follows", () => {
    const said = explain(
      email(),
      [delivery({ bounceType: "hard", bounceCode: "5.1.1", diagnostic: "550 5.1.1 user unknown" })],
      when,
    )
    expect(said).toMatchObject({ tone: "bad", title: "The mailbox ada@lovelace.example does not exist." })
    expect(said?.detail).toBe(
      "Its server said “550 5.1.1 user unknown” at once. So we did not retry and put the address on the suppression list. Ask the recipient for their current address.",
    )
  })

  it("an address of the simulator is not said to be suppressed, unless it carries a label", () => {
    const refused = {
      bounceType: "hard",
      bounceCode: "5.1.1",
      diagnostic: "550 5.1.1 User unknown: the simulator refuses this address for good",
    }
    const said = (address: string) => explain(email(), [delivery({ ...refused, address })], when)?.detail
    expect(said("bounced@simulator.mailroom.test")).not.toContain("put the address on the suppression list")
    expect(said("bounced+ada@simulator.mailroom.test")).toContain("put the address on the suppression list")
  })

  it("only a hard bounce speaks of the suppression list as used", () => {
    for (const bounceType of ["soft", "block", "content", "ours", "other"]) {
      const said = explain(email(), [delivery({ bounceType, diagnostic: "550 5.7.1 no" })], when)
      expect(said?.detail).not.toContain("put the address on the suppression list")
    }
  })

  it("a refusal of the sender sends the reader to the domain", () => {
    expect(
      explain(email(), [delivery({ bounceType: "ours", diagnostic: "550 5.7.26 unauthenticated" })], when)?.fix,
    ).toBe("domains")
  })

  it("a full mailbox and a domain without mail are named as such", () => {
    expect(explain(email(), [delivery({ bounceType: "soft", bounceCode: "5.2.2" })], when)?.title).toContain("is full")
    expect(explain(email(), [delivery({ bounceType: "hard", bounceCode: "5.4.4" })], when)?.title).toBe(
      "The domain lovelace.example receives no mail.",
    )
  })

  it("an email that waits for another attempt says what the server said and when that is", () => {
    const attempts = [attempt(), attempt({ attempt: 3, outcome: "deferred", code: 451, text: "4.7.1 greylisted" })]
    const said = explain(
      email({ status: "delivery_delayed" }),
      [delivery({ status: "delivery_delayed", attempts, nextAttemptAt: at })],
      when,
    )
    expect(said?.tone).toBe("warn")
    expect(said?.detail).toBe(
      "Its server said “451 4.7.1 greylisted” at attempt 3. We keep trying for up to 72 hours. The next attempt is at 14:02.",
    )
  })

  it("a server that cannot be reached is named", () => {
    const attempts = [
      attempt({ outcome: "deferred", phase: "connect", remote: "relay.example:25", text: "connection refused" }),
    ]
    const said = explain(email({ status: "sending" }), [delivery({ status: "sending", attempts })], when)
    expect(said?.title).toBe("relay.example:25 cannot be reached.")
    expect(said?.detail).toContain("connection refused.")
  })

  it.each([
    [{ outcome: "deferred", phase: "rcpt", code: 451 }, "asks us to wait"],
    [{ outcome: "deferred", phase: "data", code: 250 }, "an answer that does not fit"],
    [{ outcome: "deferred", phase: "data", text: "connection lost" }, "The connection ended"],
    [{ outcome: "ambiguous", phase: "final", text: "no answer" }, "do not know whether"],
    [{ outcome: "lost" }, "do not know whether"],
  ])("an email that waits after %j is said to wait for that and nothing else", (last, words) => {
    const said = explain(
      email({ status: "sending" }),
      [delivery({ status: "sending", attempts: [attempt(last)] })],
      when,
    )
    expect(said?.title).toContain(words)
  })

  it("a fault of the region is never the recipient's", () => {
    const attempts = [attempt({ outcome: "region_fault", phase: "auth", code: 535, text: "5.7.8 no" })]
    const said = explain(email({ status: "sending" }), [delivery({ status: "sending", attempts })], when)
    expect(said?.title).toContain("region's mail server")
    expect(said?.detail).toContain("nobody is suppressed")
  })

  it("a suppressed recipient is told why: the topic that they are out of, or the reason on the list", () => {
    const said = (suppressedBy: string, suppressedDetail?: string) =>
      explain(
        email({ status: "suppressed" }),
        [delivery({ status: "suppressed", attempts: [], suppressedBy, suppressedDetail })],
        when,
      )
    expect(said("topic_opt_out", "Left the topic Product news")?.title).toBe(
      "Left the topic Product news: nothing was sent to ada@lovelace.example.",
    )
    expect(said("bounce")?.detail).toContain("bounced there")
    expect(said("unsubscribe")?.detail).toBe("They asked for no more mail.")
    expect(said("simulator")?.title).toContain("simulator")
  })

  it("scheduled, cancelled, rejected, test, suppressed, failed and unknown each have their sentence", () => {
    const titles = [
      explain(email({ status: "scheduled", scheduledAt: at }), [], when)?.title,
      explain(email({ status: "cancelled" }), [], when)?.title,
      explain(email({ status: "rejected", error: "Too many." }), [], when)?.detail,
      explain(email({ status: "test" }), [], when)?.title,
      explain(email({ status: "suppressed" }), [delivery({ status: "suppressed", attempts: [] })], when)?.title,
      explain(email({ status: "failed" }), [delivery({ status: "failed", attempts: [attempt({ attempt: 24 })] })], when)
        ?.title,
      explain(email({ status: "indeterminate" }), [delivery({ status: "indeterminate" })], when)?.title,
    ]
    expect(titles).toEqual([
      "This email will be sent at 14:02.",
      "This email was cancelled before it was sent.",
      "Too many. Nothing was sent. Fix it and send it again.",
      "This was a test: everything ran except delivery.",
      "ada@lovelace.example is on the suppression list, so nothing was sent.",
      "We gave up on ada@lovelace.example after 24 attempts.",
      "We do not know whether ada@lovelace.example got this email.",
    ])
  })

  it("of several recipients it says how many are stuck and why the worst is", () => {
    const said = explain(
      email({ status: "delivered" }),
      [delivery({ status: "delivered", attempts: [] }), delivery({ bounceType: "hard", bounceCode: "5.1.1" })],
      when,
    )
    expect(said?.title).toBe("One recipient of 2 did not get this email.")
    expect(said?.detail).toMatch(/^The mailbox ada@lovelace.example does not exist\./)
  })

  it("an email on its way or arrived needs no explanation", () => {
    for (const status of ["queued", "sending", "sent", "delivered", "opened", "clicked"]) {
      expect(explain(email({ status }), [delivery({ status, attempts: [] })], when)).toBeNull()
    }
    expect(
      explain(
        email({ status: "sent" }),
        [delivery({ status: "sent", attempts: [attempt({ outcome: "accepted" })] })],
        when,
      ),
    ).toBeNull()
  })
})
