import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { measured } from "@/e2e/support/measured"
import { classify, type Decision, type MailRoute } from "@/lib/delivery/transports/classify"
import { outcomeOf, type DeliveryAttempt } from "@/lib/delivery/transports/attempt"
import type { BounceType, Phase } from "@/lib/explanation/codes"
import { reasonSentence } from "@/lib/explanation/words"

/** What the reason of the decision says. */
function wordsOf({ reason }: Decision): string {
  return reason ? reasonSentence(reason) : ""
}

function attempt(over: Partial<DeliveryAttempt>): DeliveryAttempt {
  const at = new Date("2026-11-21T08:00:00.000Z")
  const base = {
    outcome: "refused",
    phase: "rcpt",
    text: "",
    remote: "mx",
    conversation: [],
    startedAt: at,
    endedAt: at,
  }
  return { ...base, ...over } as DeliveryAttempt
}

/** As it comes from the wire: code, optional enhanced code, words. */
function refused(reply: string, phase: Phase = "rcpt", route: MailRoute = "unknown") {
  const code = Number(reply.slice(0, 3))
  const text = reply.slice(4)
  const enhanced = /^\d\.\d+\.\d+/.exec(text)?.[0]
  return classify(attempt({ outcome: outcomeOf(phase, code), phase, code, enhanced, text }), route)
}

describe("a permanent refusal", () => {
  it.each<[string, BounceType, Phase?, MailRoute?]>([
    ["550 5.1.1 The email account that you tried to reach does not exist", "hard"],
    ["553 5.1.3 bad address syntax", "hard"],
    ["550 5.1.6 recipient has moved", "hard"],
    ["550 5.1.10 RESOLVER.ADR.RecipientNotFound", "hard"],
    ["550 5.1.1 no such user", "hard", "final"],
    ["550 5.1.2 bad destination host", "hard", "rcpt", "none"],
    ["550 5.1.2 bad destination host", "soft", "rcpt", "exists"],
    ["550 5.4.4 unable to route", "hard", "rcpt", "none"],
    ["550 5.4.4 unable to route", "soft", "rcpt", "unknown"],
    ["550 5.2.1 The email account that you tried to reach is disabled", "hard"],
    ["550 5.2.1 The user you are trying to contact is receiving mail at a rate that prevents it", "soft"],
    ["550 5.2.1 mailbox cannot take messages", "soft"],
    ["550 5.4.1 Recipient address rejected: Access denied. AS(201806281)", "hard"],
    ["550 5.4.1 no answer from host", "soft"],
    ["550 5.5.0 Requested action not taken: mailbox unavailable (S2017062302)", "hard"],
    ["550 5.5.0 Requested action not taken: mailbox unavailable", "soft"],
    ["550 5.0.0 User unknown", "hard"],
    ["554 5.0.0 something", "soft"],
    ["550 5.7.1 Recipient address rejected: User unknown in relay recipient table", "hard"],
    ["550 5.7.1 Service unavailable; client host blocked using Spamhaus", "block"],
    ["550 El buzón no existe", "hard"],
    ["550 La boîte est inexistante", "hard"],
    ["554 Votre compte a été suspendu", "block"],
    ["554 Su cuenta ha sido suspendida", "block"],
    ["550 Su cuenta no existe", "block"],
    ["550 5.1.1 Ihr Konto existiert nicht mehr", "block"],
    ["550 Konto gesperrt wegen Missbrauchs: Benutzer unbekannt", "block"],
    ["551 User unknown; not local", "hard"],
    ["551 User not local; please try elsewhere", "soft"],
    ["550 No such user here", "hard"],
    ["550 Requested action not taken: mailbox unavailable", "soft"],
    ["554 delivery error: dd This user doesn't have a yahoo.com account (u@yahoo.com) [0]", "hard", "final"],
    ["554 Message rejected as spam", "block", "final"],
    ["552 5.2.2 mailbox full", "soft", "final"],
    ["550 5.1.1 user over quota", "soft"],
    ["550 5.1.1 <ada@x.example>: mailbox full", "soft"],
    ["550 5.1.1 Quota exceeded", "block"],
    ["550 5.1.1 <ada@x.example>: undeliverable address: host mx[192.0.2.1] said: 552 5.2.2 Mailbox is full", "soft"],
    ["550 5.1.1 Your sending quota is exceeded", "block"],
    ["550 5.1.1 user unknown; temporarily refused by local policy", "block"],
    ["550 5.4.7 delivery time expired", "soft"],
    ["550 5.7.0 local policy violation", "block"],
    ["554 5.7.9 message not accepted for policy reasons", "block"],
    ["554 5.6.0 message contains a virus", "content", "final"],
    ["552 5.3.4 message too big", "content", "mail"],
    ["552 5.3.4 Requested mail action aborted: exceeded storage allocation", "content", "final"],
    ["550 5.2.3 message length exceeds limit", "content", "final"],
    ["550 5.1.7 bad sender address", "ours", "mail"],
    ["550 5.1.8 sender domain not found", "ours", "mail"],
    ["550 5.7.20 no passing DKIM signature", "ours", "final"],
    ["550 5.7.26 unauthenticated mail is prohibited", "ours", "final"],
    ["550 5.7.27 sender has a null MX", "ours"],
    ["550 5.7.511 access denied, banned sender", "ours"],
    ["550 5.7.606 access denied, banned sending IP", "ours"],
    ["550 5.7.28 mail flood", "block"],
    ["550 5.1.1 user unknown", "ours", "mail"],
    ["550 unknown user", "ours", "mail"],
  ])("%s: %s", (reply, bounceType, phase, route) => {
    const decision = refused(reply, phase, route)
    expect(decision).toMatchObject({ kind: "bounced", bounceType, suppress: bounceType === "hard", diagnostic: reply })
    expect(decision.bounceCode).toBe(/^\d{3} (\d\.\d+\.\d+)/.exec(reply)?.[1] ?? reply.slice(0, 3))
    expect(wordsOf(decision)).toMatch(/^[A-Z].*\.$/)
  })
})

describe("the phase", () => {
  it.each<[Phase, number, string]>([
    ["greeting", 554, "region_fault"],
    ["ehlo", 550, "region_fault"],
    ["starttls", 554, "region_fault"],
    ["auth", 535, "region_fault"],
    ["mail", 530, "region_fault"],
    ["rcpt", 534, "region_fault"],
    ["data", 538, "region_fault"],
    ["greeting", 421, "region_fault"],
    ["auth", 454, "region_fault"],
    ["mail", 451, "deferred"],
    ["mail", 550, "refused"],
    ["rcpt", 450, "deferred"],
    ["rcpt", 550, "refused"],
    ["rcpt", 552, "deferred"],
    ["data", 552, "refused"],
    ["data", 554, "refused"],
    ["final", 421, "deferred"],
    ["final", 554, "refused"],
    ["data", 250, "deferred"],
  ])("%s with %i is %s", (phase, code, outcome) => expect(outcomeOf(phase, code)).toBe(outcome))
})

describe("the sentence", () => {
  it.each<[Phase, string, RegExp]>([
    ["auth", "250 2.0.0 fine", /an unexpected reply \(250\) when we tried to sign in/],
    ["auth", "454 4.7.0 later", /asked to try again later/],
    ["auth", "535 5.7.8 bad credentials", /does not accept our user and password/],
    ["auth", "504 5.5.4 unknown mechanism", /does not let us sign in/],
    ["auth", "", /offers no safe way to sign in/],
    ["mail", "530 5.7.0 authentication required", /asks us to sign in, or to encrypt, first/],
    ["rcpt", "538 5.7.11 encryption required", /encryption/],
    ["starttls", "", /offers no usable encryption/],
    ["connect", "", /cannot be reached/],
    ["greeting", "554 5.7.1 not you", /accepts no mail from us/],
    ["ehlo", "550 bad name", /refuses our session/],
    ["mail", "354 go on", /an unexpected reply \(354\)/],
    ["data", "250 ok", /an unexpected reply \(250\)/],
    ["rcpt", "552 too many", /refused the recipient with 552, which counts as a refusal for now/],
    ["rcpt", "500 5.3.0 command unrecognized", /refused one of our commands \(500\)/],
    ["mail", "501 5.5.4 bad parameter", /refused one of our commands \(501\)/],
    ["data", "503 5.5.1 bad sequence", /refused one of our commands \(503\)/],
    ["final", "554 5.3.0 other", /refused the message without a known reason/],
    ["rcpt", "550 5.5.0 no", /refused the recipient without a known reason/],
    ["rcpt", "550 5.2.2 over quota", /because the mailbox is full/],
    ["rcpt", "550 5.2.1 not now", /accepts no messages now/],
    ["rcpt", "550 5.4.4 no route", /no route to the recipient's domain/],
    ["final", "550 5.4.7 expired", /could not be delivered in time/],
  ])("in %s after %j says no more than the server did", (phase, reply, words) => {
    const fault = reply === "" ? classify(attempt({ outcome: "region_fault", phase })) : refused(reply, phase)
    expect(wordsOf(fault)).toMatch(words)
  })

  it("claims a full mailbox, a request to wait, a dead address or a failed sign-in only where code and phase say so", () => {
    const phases = ["greeting", "ehlo", "starttls", "auth", "mail", "rcpt", "data", "final"] as const
    const codes = [
      211, 220, 235, 250, 334, 354, 399, 421, 450, 454, 499, 500, 504, 530, 534, 535, 538, 550, 551, 552, 554, 599,
    ]
    const statuses = ["", "5.0.0", "5.1.1", "5.1.2", "5.2.1", "5.2.2", "5.3.0", "5.3.4", "5.4.4", "5.7.1", "5.7.26"]
    for (const phase of phases)
      for (const code of codes)
        for (const enhanced of statuses) {
          const decision = refused(`${code} ${enhanced}`, phase)
          const { kind, suppress } = decision
          const sentence = wordsOf(decision)
          const where = `${phase} ${code} ${enhanced}: ${sentence}`
          expect(sentence.includes("asked to try again"), where).toBe(code >= 400 && code < 500)
          expect(sentence.includes("unexpected reply"), where).toBe(code < 400)
          expect(sentence.includes("mailbox is full"), where).toBe(
            kind === "bounced" && phase !== "mail" && enhanced === "5.2.2",
          )
          expect(sentence.includes("no more mail is sent to"), where).toBe(suppress)
          expect(/sign in|password/.test(sentence), where).toBe(
            kind === "region_fault" && (phase === "auth" || [530, 534, 535, 538].includes(code)),
          )
          expect(sentence.includes("it will be retried"), where).toBe(kind === "retry")
        }
  })
})

describe("what is no refusal", () => {
  it.each<[Partial<DeliveryAttempt>, string, string?]>([
    [{ outcome: "accepted", phase: "final", code: 250 }, "accepted"],
    [{ outcome: "deferred", phase: "connect", text: "connect ECONNREFUSED" }, "retry", "deferred"],
    [{ outcome: "deferred", phase: "data", text: "connection lost" }, "retry", "deferred"],
    [
      { outcome: "deferred", phase: "rcpt", code: 451, enhanced: "4.7.1", text: "4.7.1 greylisted" },
      "retry",
      "deferred",
    ],
    [{ outcome: "region_fault", phase: "auth", code: 535, text: "5.7.8 no" }, "region_fault", "region_fault"],
    [{ outcome: "ambiguous", phase: "final", text: "no answer" }, "ambiguous", "unconfirmed"],
  ])("%j never bounces and never suppresses", (over, kind, code) => {
    const decision = classify(attempt(over))
    expect(decision).toMatchObject({ kind, suppress: false })
    expect(decision.reason?.code).toBe(code)
    expect(wordsOf(decision)).toMatch(code ? /^[A-Z].*\.$/ : /^$/)
    expect(decision.bounceType).toBeUndefined()
  })

  it("suppresses only on a hard bounce that names the recipient, whatever a server says", () => {
    const phases = fc.constantFrom<Phase>(
      "connect",
      "greeting",
      "ehlo",
      "starttls",
      "auth",
      "mail",
      "rcpt",
      "data",
      "final",
    )
    const enhanced = fc.tuple(fc.constantFrom(4, 5), fc.nat(9), fc.nat(700)).map((parts) => parts.join("."))
    const words = fc.constantFrom("", "user unknown", "no such user", "spam", "mailbox full", "is disabled")
    fc.assert(
      fc.property(
        phases,
        fc.integer({ min: 400, max: 599 }),
        fc.option(enhanced),
        words,
        (phase, code, status, text) => {
          const outcome = outcomeOf(phase, code)
          const decision = classify(attempt({ outcome, phase, code, enhanced: status ?? undefined, text }))
          if (!decision.suppress) return
          expect(outcome).toBe("refused")
          expect(["rcpt", "data", "final"]).toContain(phase)
          expect(decision.bounceType).toBe("hard")
        },
      ),
      { numRuns: 2000 },
    )
  })

  it("takes linear time for hostile words", measured, () => {
    const started = performance.now()
    for (const piece of ["user ", "mailbox is ", "address address ", "account", "no such "])
      classify(attempt({ code: 550, text: piece.repeat(10_000).slice(0, 60_000) }))
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
