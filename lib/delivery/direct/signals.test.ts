import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { providers } from "@/lib/delivery/direct/providers"
import { askedSeconds, blockCause, type ServerReply, signalOf } from "@/lib/delivery/direct/signals"
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
])("the cause of a refusal, where it is named: %s", (text, cause) => {
  expect(blockCause(text)).toBe(cause)
})
