import { describe, expect, it, test } from "vitest"
import {
  bounceInWords,
  feedbackMail,
  junkMail,
  mailWithFiles,
  multipart,
  originalHeader,
  plainMail,
  statusMail,
  type StatusMail,
} from "@/e2e/support/returns/returned-mails"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import { outcomeFor, type OurDelivery } from "@/lib/returns/recipient-outcome"
import type { DeliveryStatus, Envelope, Feedback } from "@/lib/returns/returned-mail"

const verp = "abcdefghijklmnopqrstuvwxyz234567abcdefg"
const returnPath = `${verp}@send.acme.test`
const token = "T".repeat(44)
const ada = "ada@lovelace.example"
const original = { returnPath, ref: verp, unsubscribe: `https://mail.example/u/${token}` }
const ours: OurDelivery = { recipient: ada, returnPath, route: "exists" }
const references = { verp, ref: verp, messageId: "<m1@acme.test>", unsubscribeToken: token }

const read = (raw: Uint8Array, given: Partial<Envelope> = {}) =>
  readReturnedMail(raw, { door: "return_path", mailFrom: "", rcptTo: returnPath, ...given })

function statusOf(raw: Uint8Array): DeliveryStatus {
  const mail = read(raw)
  if (mail.kind !== "delivery_status") throw new Error(`It was read as ${mail.kind}.`)
  return mail
}

function feedbackOf(
  raw: Uint8Array,
  given: Partial<Envelope> = { door: "feedback", mailFrom: "a@b.example" },
): Feedback {
  const mail = read(raw, given)
  if (mail.kind !== "feedback") throw new Error(`It was read as ${mail.kind}.`)
  return mail
}

const status = (recipients: string[][], more: Partial<StatusMail> = {}) =>
  statusOf(statusMail({ recipients, original, ...more }))
const failed = (diagnostic: string, enhanced = "5.0.0", recipient = ada) => [
  `Final-Recipient: rfc822; ${recipient}`,
  "Action: failed",
  `Status: ${enhanced}`,
  ...(diagnostic ? [`Diagnostic-Code: ${diagnostic}`] : []),
]
const outcome = (recipients: string[][], given: Partial<OurDelivery> = {}) =>
  outcomeFor(status(recipients), { ...ours, ...given })

describe("a delivery status notification", () => {
  it("is read before Auto-Submitted, which Postfix sets, and names our mail in every way", () => {
    expect(status([failed("smtp; 550 5.1.1 User unknown")])).toMatchObject({
      form: "fields",
      autoSubmitted: true,
      fromNull: true,
      reportingMta: "relay.example",
      from: "MAILER-DAEMON@relay.example",
      references,
      recipients: [{ address: ada, action: "failed", status: "5.0.0", diagnostic: { type: "smtp" } }],
    })
  })

  test.each(["message/delivery-status", "message/global-delivery-status", "MESSAGE/Delivery-Status; name=a.txt"])(
    "is read from a part of the type %s",
    (statusType) => {
      expect(status([failed("")], { statusType }).recipients).toHaveLength(1)
    },
  )

  test.each(["message/rfc822", "message/rfc822-headers", "message/global-headers", "text/rfc822-headers"])(
    "finds the original in a part of the type %s",
    (originalType) => {
      expect(status([failed("")], { originalType }).references).toEqual(references)
    },
  )

  it("moves the recipient that a block names among several, and nobody for the others", () => {
    const blocks = [
      failed("smtp; 550 5.7.1 Blocked", "5.7.1", "bob@lovelace.example"),
      [
        "Original-Recipient: rfc822;ada@lovelace.example",
        ...failed("smtp; 550 5.1.1 User unknown", "5.1.1", "a@mx.example"),
      ],
    ]
    expect(outcome(blocks)).toMatchObject({ kind: "failed", bounceType: "hard", bounceCode: "5.1.1" })
    expect(outcome(blocks, { recipient: "carol@lovelace.example" })).toEqual({ kind: "forwarded" })
    expect(outcome(blocks, { recipient: "BOB@Lovelace.Example" })).toMatchObject({ bounceType: "block" })
  })

  it("with a thousand recipients that are not ours changes nothing", () => {
    const others = Array.from({ length: 1_000 }, (_, nth) =>
      failed("smtp; 550 5.1.1 User unknown", "5.1.1", `u${nth}@x.example`),
    )
    const mail = status(others)
    expect(mail.recipients).toHaveLength(1_000)
    expect(outcomeFor(mail, ours)).toEqual({ kind: "forwarded" })
  })

  it("with one block counts for another address of the recipient's organization, and not for one elsewhere", () => {
    const block = failed("smtp; 550 5.2.2 Mailbox full", "5.2.2", "ada.l@mx7.lovelace.example")
    expect(outcome([block])).toMatchObject({ kind: "failed", bounceType: "soft" })
    // The address that is missing is not the one that we would suppress.
    const missing = failed("smtp; 550 5.1.1 User unknown", "5.1.1", "ada.l@mx7.lovelace.example")
    expect(outcome([missing])).toMatchObject({ kind: "failed", bounceType: "soft" })
    expect(outcome([failed("smtp; 550 5.1.1 User unknown", "5.1.1", "ada@elsewhere.test")])).toEqual({
      kind: "forwarded",
    })
  })

  it("that returns the original of another delivery changes nothing, although it came to this one's return path", () => {
    const blocks = [failed("smtp; 550 5.1.1 User unknown", "5.1.1", "bob@lovelace.example")]
    const other = { ...original, returnPath: `${"b".repeat(39)}@send.acme.test`, ref: "b".repeat(39) }
    expect(outcomeFor(status(blocks, { original: other }), ours)).toEqual({ kind: "forwarded" })
    expect(outcomeFor(status([failed("smtp; 550 5.1.1 User unknown")], { original: other }), ours)).toEqual({
      kind: "forwarded",
    })
  })

  it("names the address of List-Unsubscribe where the original has no link", () => {
    const address = `u-${"C".repeat(39)}`
    const mail = status([failed("")], { original: { returnPath, unsubscribe: `mailto:${address}@feedback.test` } })
    expect(mail.references.unsubscribeToken).toBe(address.toLowerCase())
  })

  it("reads an address in xtext and as it is", () => {
    const block = [
      "Original-Recipient: rfc822;ada+2Bshop@lovelace.example",
      "Final-Recipient: rfc822;<x@y.example>",
      "Action: failed",
    ]
    expect(outcome([block], { recipient: "ada+shop@lovelace.example" }).kind).toBe("failed")
    expect(outcome([block], { recipient: "ada+2Bshop@lovelace.example" }).kind).toBe("failed")
  })

  test.each([
    [["Action: delayed", "Status: 4.4.1"], "delayed"],
    [["Action: delivered", "Status: 2.1.5"], "delivered"],
    [["Action: relayed", "Status: 2.1.9"], "relayed"],
    [["Action: expanded", "Status: 2.1.5"], "expanded"],
    [["Action: Failed (permanent)", "Status: 4.4.7"], "failed"],
    [["Status: 5.1.1 (bad destination)"], "failed"],
    [["Status: 4.2.2"], "delayed"],
    [["Action: bounced", "Status: 2.0.0"], "delivered"],
    [["Diagnostic-Code: smtp; 550 no"], "failed"],
  ])("with the fields %j is %s", (fields, kind) => {
    expect(outcome([[`Final-Recipient: rfc822;${ada}`, ...fields]]).kind).toBe(kind)
  })

  it("without any of them is read for its words", () => {
    expect(
      statusOf(
        statusMail({
          recipients: [],
          original,
          words: ["The following recipients did not receive your mail:", "", `    <${ada}>`],
        }),
      ),
    ).toMatchObject({ form: "text", recipients: [{ address: ada, action: "failed" }] })
  })

  it("inside an attached message counts if a server sent it, and not if a person forwards it", () => {
    const inner = statusMail({ recipients: [failed("smtp; 550 5.1.1 User unknown")], original })
      .toString("latin1")
      .replaceAll("=_B/1", "=_inner")
    const outer = multipart(
      "multipart/mixed",
      [
        { type: "text/plain", lines: ["See below."] },
        { type: "message/rfc822", lines: inner.split("\r\n") },
      ],
      ["From: Bob <bob@lovelace.example>", "Subject: what is this?"],
    )
    expect(read(outer).kind).toBe("delivery_status")
    expect(read(outer, { mailFrom: "bob@lovelace.example" }).kind).toBe("personal")
  })

  it("is not looked for in the message that it returns", () => {
    const inner = statusMail({ recipients: [failed("smtp; 550 5.1.1 User unknown")], original })
      .toString("latin1")
      .replaceAll("=_B/1", "=_inner")
    const mail = statusOf(
      multipart("multipart/report; report-type=delivery-status", [
        {
          type: "message/delivery-status",
          lines: ["Reporting-MTA: dns; a", "", ...failed("smtp; 552 5.2.2 full", "5.2.2")],
        },
        { type: "message/rfc822", lines: inner.split("\r\n") },
      ]),
    )
    expect(mail.recipients).toMatchObject([{ status: "5.2.2" }])
  })

  it("is read where a gateway made text of its parts", () => {
    const raw = multipart(
      "multipart/mixed",
      [
        {
          type: "text/plain; name=ATT0001.txt",
          lines: ["Reporting-MTA: dns; a.example", "", ...failed("smtp; 550 5.1.1 User unknown")],
        },
      ],
      ["From: postmaster@a.example", "Subject: Undeliverable"],
    )
    expect(statusOf(raw)).toMatchObject({ form: "fields", recipients: [{ address: ada }] })
  })
})

describe("the type of a bounce that came back", () => {
  test.each([
    ["hard", "smtp; 550 5.1.1 <ada@lovelace.example>: Recipient address rejected: User unknown", "5.1.1"],
    [
      "hard",
      "smtp; 550-5.1.1 The email account that you tried to reach does not exist. 550 5.1.1 Please check",
      "5.0.0",
    ],
    ["hard", "smtp; host mx.example[192.0.2.1] said: 550 5.1.1 No such user (in reply to RCPT TO command)", "5.0.0"],
    ["hard", "smtp; 554 5.4.14 Hop said: 550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found", "5.4.14"],
    ["hard", "smtp; 550 Requested action not taken: no such user here", "5.1.1"],
    // Sendmail and SES put a status of their own around what the server said.
    ["block", "smtp; 550 5.7.1 Message blocked by policy", "5.1.1"],
    ["block", "smtp; 554 5.1.1 rejected (host mx.example said: 550 5.7.1 Blocked by reputation)", "5.1.1"],
    ["soft", "smtp; 552 5.2.2 The mailbox is full", "5.1.1"],
    ["soft", "smtp; 550 5.1.1 user over quota", "5.1.1"],
    ["soft", "smtp; 552 5.1.1 Boite du destinataire pleine. Recipient overquota. OFR_417 [417]", "5.1.1"],
    ["soft", "smtp; 550 5.1.1 Recipient temporarily unavailable", "5.1.1"],
    ["content", "smtp; 552 5.3.4 Message size exceeds fixed limit", "5.0.0"],
    ["ours", "smtp; 550 5.1.8 Sender address rejected: Domain not found", "5.1.1"],
    // Words of the server, or nothing: a status alone is somebody's guess.
    ["soft", "", "5.1.1"],
    ["soft", "smtp; 550 Mailbox unavailable", "5.1.1"],
    ["soft", "smtp; 550 Rejected", "5.1.1"],
    // Only SMTP is what the last server said.
    ["soft", 'x-unix; unknown user: "ada"', "5.1.1"],
    ["soft", "x-notes; User ada (ada@lovelace.example) not listed in Domino Directory", "5.1.1"],
    ["soft", "x-postfix; 550 5.1.1 User unknown", "5.1.1"],
    ["soft", "550 5.1.1 User unknown", "5.1.1"],
    ["soft", "smtp; 450 4.1.1 User unknown", "5.1.1"],
    ["soft", "smtp; 550 5.1.2 Domain not found", "5.1.2"],
    ["soft", "smtp; 550 <ada@lovelace.example>: Domain does not exist", "5.1.1"],
    ["soft", "smtp; 550 5.4.7 Delivery expired (message too old)", "5.4.7"],
  ])("is %s by %j with status %s", (bounceType, diagnostic, enhanced) => {
    expect(outcome([failed(diagnostic, enhanced)])).toMatchObject({ kind: "failed", bounceType })
  })

  it("is of a recipient with an apostrophe in the name", () => {
    const recipient = "o'neil@lovelace.example"
    const blocks = [failed("smtp; 550 5.1.1 User unknown", "5.1.1", recipient)]
    expect(outcome(blocks, { recipient })).toMatchObject({ kind: "failed", bounceType: "hard" })
  })

  it("is hard for a missing domain if our own lookup agrees", () => {
    const blocks = [failed("smtp; 550 5.1.2 Domain not found", "5.1.2")]
    expect(outcome(blocks, { route: "none" })).toMatchObject({ bounceType: "hard" })
    expect(outcome(blocks, { route: "unknown" })).toMatchObject({ bounceType: "soft" })
  })

  it("is ours if the server speaks of our return path", () => {
    expect(outcome([failed(`smtp; 550 5.1.1 <${returnPath}>: User unknown`, "5.1.1")])).toMatchObject({
      bounceType: "ours",
    })
  })

  it("has the innermost code and the server's words", () => {
    expect(
      outcome([failed("smtp; 554 5.0.0 relay said: 550 5.1.1 No such user (in reply to RCPT TO command)", "5.0.0")]),
    ).toEqual({
      kind: "failed",
      bounceType: "hard",
      bounceCode: "5.1.1",
      diagnostic: "550 5.1.1 No such user",
    })
  })
})

describe("a bounce in words", () => {
  const words = (lines: string[], more: Parameters<typeof bounceInWords>[2] = {}) =>
    outcomeFor(statusOf(bounceInWords(lines, original, more)), ours)

  test.each<[string, string[], string]>([
    [
      "qmail",
      ["Hi. This is the mail program.", "", `<${ada}>:`, "Sorry, no mailbox here by that name. (#5.1.1)"],
      "hard",
    ],
    [
      "qmail that quotes",
      [
        `<${ada}>:`,
        "192.0.2.1 does not like recipient.",
        "Remote host said: 550 5.1.1 User unknown",
        "Giving up on 192.0.2.1.",
      ],
      "hard",
    ],
    [
      "Exim",
      [
        "The following address failed:",
        "",
        `  ${ada}`,
        "    host mx.example [192.0.2.1]",
        "    SMTP error after RCPT TO: 550 5.1.1 No such user",
      ],
      "hard",
    ],
    [
      "Sendmail",
      [
        "   ----- Transcript of session follows -----",
        ">>> RCPT To:<ada@lovelace.example>",
        "<<< 550 5.1.1 <ada@lovelace.example>... User unknown",
      ],
      "hard",
    ],
    [
      "Exchange",
      [
        "did not reach the following recipient(s):",
        "",
        `${ada} on Thu, 26 Nov 2026 10:00:00 +0000`,
        "    The recipient was not found",
      ],
      "hard",
    ],
    ["a full mailbox", [`<${ada}>:`, "552 5.2.2 The mailbox is full"], "soft"],
    ["a block", [`<${ada}>: host mx.example said: 554 5.7.1 Blocked by policy`], "block"],
    ["no reason", [`<${ada}>: your message could not be delivered.`], "soft"],
    [
      "words about somebody else",
      [`<${ada}> forwards to others.`, "bob@lovelace.example: 550 5.1.1 User unknown"],
      "soft",
    ],
  ])("of %s has its type", (_, lines, bounceType) => {
    expect(words(lines)).toMatchObject({ kind: "failed", bounceType })
  })

  it("names the original that stands below the words", () => {
    expect(statusOf(bounceInWords([`<${ada}>: no such user`], original)).references).toEqual(references)
    expect(
      statusOf(
        bounceInWords([`<${ada}>: no such user`], original, { line: "------ This is a copy of your message. ------" }),
      ).references,
    ).toEqual(references)
  })

  it("about others changes nothing, and about nobody never suppresses", () => {
    expect(words(["<bob@elsewhere.test>:", "Sorry, no mailbox here by that name."])).toEqual({ kind: "forwarded" })
    expect(words(["550 5.1.1 User unknown"])).toMatchObject({ kind: "failed", bounceType: "soft" })
  })

  it("takes recipients from the field of Exim and Google, also where it says auto-replied", () => {
    const header = [
      "From: mailer-daemon@x.example",
      "Auto-Submitted: auto-replied",
      `X-Failed-Recipients: ${ada}`,
      "Subject: failed",
    ]
    expect(statusOf(bounceInWords(["Message not delivered"], null, { header }))).toMatchObject({
      recipients: [{ address: ada }],
    })
  })

  test.each([
    [["Your message has not yet been delivered.", "Delivery attempts will continue."]],
    [["WARNING: could not send message for past 4 hours", `<${ada}>`, "451 4.4.1 try again"]],
    [[`<${ada}>`, "We will keep trying to deliver it for 5 days."]],
  ])("that says %j is late", (lines) => {
    expect(statusOf(bounceInWords(lines, original)).recipients.map(({ action }) => action)).toEqual(["delayed"])
  })

  it("without a status, a reason and the original is kept as unreadable", () => {
    expect(read(bounceInWords(["Something happened."], null))).toMatchObject({
      kind: "unreadable",
      reason: "no_status",
    })
  })

  it("is no bounce if a person wrote it, whatever it quotes", () => {
    const raw = bounceInWords(["Look what I got:", "550 5.1.1 User unknown"], original, {
      header: ["From: ada@lovelace.example", "Subject: Re: Your receipt", "In-Reply-To: <m1@acme.test>"],
    })
    expect(read(raw, { mailFrom: ada })).toMatchObject({ kind: "personal", inReplyTo: ["<m1@acme.test>"] })
  })

  it("is none if its sender has an address like mail@, as many people have", () => {
    const header = ["From: Max <mail@mustermann.example>", "Subject: Re: Your receipt"]
    expect(read(plainMail(header, ["Thank you!"]), { mailFrom: "mail@mustermann.example" }).kind).toBe("personal")
  })

  it("that Sieve rejected is told by a disposition notification", () => {
    const parts = (disposition: string) => [
      { type: "text/plain", lines: ["Your message was automatically rejected: not now"] },
      {
        type: "message/disposition-notification",
        lines: [`Final-Recipient: rfc822; ${ada}`, `Disposition: ${disposition}`],
      },
      { type: "message/rfc822", lines: originalHeader(original) },
    ]
    const mdn = (disposition: string) =>
      read(
        multipart("multipart/report; report-type=disposition-notification", parts(disposition), ["From: x@y.example"]),
      )
    expect(mdn("automatic-action/MDN-sent-automatically; deleted")).toMatchObject({
      kind: "delivery_status",
      recipients: [{ address: ada, action: "failed" }],
    })
    expect(mdn("manual-action/MDN-sent-manually; displayed").kind).toBe("automatic_answer")
  })
})

test.each([
  ["Ada <ada@lovelace.example>", ada],
  ['"ceo@bank.example" <ada@lovelace.example>', ada],
  ["ceo@bank.example <ada@lovelace.example>", ada],
  ['"Ada \\"ceo@bank.example\\" L." <ada@lovelace.example>', ada],
  ["ada@lovelace.example (ceo@bank.example)", ada],
  ["=?utf-8?q?ceo=40bank.example?= <ada@lovelace.example>", ada],
  ["ada@lovelace.example", ada],
  ["<ada@lovelace.example>, Bob <bob@lovelace.example>", ada],
  ['"ceo@bank.example" <>', null],
  ["Ada", null],
])("a mail From: %s is from %j, not from an address in a name", (from, address) => {
  expect(read(plainMail([`From: ${from}`, "Subject: Hi"], ["Hi"]), { mailFrom: ada }).from).toBe(address)
})

describe("an automatic answer", () => {
  test.each([
    [["Auto-Submitted: auto-replied", "Subject: I am away"]],
    [["Auto-Submitted: auto-replied (vacation)", "Subject: Re: Your receipt"]],
    [["X-Autoreply: yes", "Subject: Thanks"]],
    [["Precedence: auto_reply", "Subject: Thanks"]],
    [["Subject: Out of office: Your receipt"]],
    [["Subject: Automatic reply: Your receipt"]],
    [["Subject: Abwesenheitsnotiz: Ihre Rechnung"]],
    [["Subject: =?utf-8?q?R=C3=A9ponse_automatique?= : merci"]],
  ])("is known by %j, from <> too", (header) => {
    const raw = plainMail(["From: ada@lovelace.example", ...header], ["I am away and read no mail."])
    expect(read(raw).kind).toBe("automatic_answer")
    expect(read(raw, { mailFrom: ada }).kind).toBe("automatic_answer")
  })

  test.each([
    [
      "Automatisk svar: Din kvittering",
      "I have left. This mailbox is disabled, and your email could not be delivered to me.",
    ],
    [
      "自動応答: ご注文",
      "This account is no longer in use: user not found here. Please write to bob@lovelace.example.",
    ],
    ["Автоматический ответ: заказ", "I am on holiday, and my answer is delayed until Monday."],
  ])("that Exchange gives from <> is no bounce and no delay, whatever it says: %s", (subject, words) => {
    const header = ["From: Ada <ada@lovelace.example>", `Subject: ${subject}`, "Auto-Submitted: auto-generated"]
    expect(read(plainMail(header, [words])).kind).toBe("automatic_answer")
  })

  it("is none with an SMTP reply or our own email in it, under whatever name a gateway writes", () => {
    const header = ["From: gateway@lovelace.example", "Subject: Problem", "Auto-Submitted: auto-generated"]
    expect(statusOf(bounceInWords([`<${ada}>`, "550 5.1.1 No such user"], null, { header })).form).toBe("text")
    expect(statusOf(bounceInWords([`<${ada}>: not delivered`], original, { header })).form).toBe("text")
  })

  it("is not what a person writes", () => {
    const raw = plainMail(
      ["From: ada@lovelace.example", "Subject: Re: automatic payments", "Auto-Submitted: no"],
      ["Hello"],
    )
    expect(read(raw, { mailFrom: ada })).toMatchObject({ kind: "personal", autoSubmitted: false })
  })
})

describe("a complaint", () => {
  it("of RFC 5965's first example is read", () => {
    const raw = feedbackMail(["Feedback-Type: abuse", "User-Agent: SomeGenerator/1.0", "Version: 1"], original)
    expect(feedbackOf(raw)).toMatchObject({
      form: "arf",
      feedbackType: "abuse",
      userAgent: "SomeGenerator/1.0",
      references,
    })
  })

  it("of RFC 5965's second example is read with all optional fields", () => {
    const raw = feedbackMail(
      [
        "Feedback-Type: abuse",
        "User-Agent: SomeGenerator/1.0",
        "Version: 1",
        `Original-Mail-From: <${returnPath}>`,
        `Original-Rcpt-To: <${ada}>`,
        "Received-Date: Thu, 26 Nov 2026 10:00:00 +0000",
        "Source-IP: 192.0.2.1",
        "Authentication-Results: mail.example; spf=fail smtp.mail=somesender@example.com",
        "Reported-Domain: acme.test",
        "Reported-Uri: https://acme.test/",
        "Removal-Recipient: ada@lovelace.example",
      ],
      { returnPath: "other@x.example", messageId: "<m2@acme.test>" },
      "text/rfc822-headers",
    )
    expect(feedbackOf(raw)).toMatchObject({
      originalMailFrom: returnPath,
      originalRecipients: [ada],
      sourceIp: "192.0.2.1",
      reportedDomain: "acme.test",
      references: { verp, messageId: "<m2@acme.test>" },
    })
  })

  test.each([
    ["abuse", "abuse"],
    ["Fraud", "fraud"],
    ["virus", "virus"],
    ["not-spam", "not_spam"],
    ["opt-out", "opt_out"],
    ["opt-out-list", "opt_out"],
    ["auth-failure", "auth_failure"],
    ["miscategorized", "other"],
    ["", "other"],
    ["constructor", "other"],
  ])("of the type %j is %s", (written, feedbackType) => {
    expect(feedbackOf(feedbackMail([`Feedback-Type: ${written}`], original)).feedbackType).toBe(feedbackType)
  })

  it("with redacted addresses (RFC 6590) still names our mail by the return path, the reference and the token", () => {
    const redacted = { ...original, to: "redacted@lovelace.example", messageId: "<redacted@acme.test>" }
    const raw = feedbackMail(["Feedback-Type: abuse", "Original-Rcpt-To: 2ce2bd1f7bba3b8d@lovelace.example"], redacted)
    expect(feedbackOf(raw)).toMatchObject({
      originalRecipients: ["2ce2bd1f7bba3b8d@lovelace.example"],
      references: { verp, ref: verp, unsubscribeToken: token },
    })
  })

  it("is one, however many reports and recipients are in the mail", () => {
    const many = Array.from({ length: 100 }, (_, nth) => `Original-Rcpt-To: <u${nth}@x.example>`)
    const raw = multipart("multipart/report; report-type=feedback-report", [
      ...Array.from({ length: 100 }, (_, nth) => ({
        type: "message/feedback-report",
        lines: [
          "Feedback-Type: abuse",
          `Original-Mail-From: <${nth === 0 ? returnPath : `b${nth}@x.example`}>`,
          ...many,
        ],
      })),
      { type: "message/rfc822", lines: originalHeader({ returnPath: "someone@else.example" }) },
    ])
    const mail = feedbackOf(raw)
    expect(mail.references.verp).toBe(verp)
    expect(mail.originalRecipients).toHaveLength(10)
  })

  it("of another sender's mail names nothing of ours", () => {
    const raw = feedbackMail(["Feedback-Type: abuse"], {
      returnPath: "bounces+ada=lovelace.example@list.example",
      messageId: "<x@y.example>",
    })
    expect(feedbackOf(raw).references).toEqual({
      verp: null,
      ref: null,
      messageId: "<x@y.example>",
      unsubscribeToken: null,
    })
  })

  it("by Microsoft's form is known by subject, parts and the recipient in the original", () => {
    expect(feedbackOf(junkMail(original, ada))).toMatchObject({
      form: "jmrp",
      feedbackType: "abuse",
      originalRecipients: [ada],
      sourceIp: "192.0.2.4",
      references,
    })
    const unnamed = junkMail(original, "")
    expect(read(unnamed, { door: "feedback", mailFrom: "staff@hotmail.example" }).kind).toBe("personal")
  })
})

describe("a mail to an address of List-Unsubscribe", () => {
  const at = (header: string[], text: string[] = [], mailFrom = ada) =>
    read(plainMail([`From: ${ada}`, ...header], text), { door: "unsubscribe", mailFrom }).kind

  test.each<[string[], string[]]>([
    [["Subject: unsubscribe"], []],
    [["Subject: Unsubscribe me please"], ["Thanks"]],
    [["Subject: "], []],
    [["Subject: hello"], ["please UNSUBSCRIBE"]],
    [["Subject: Abmelden"], []],
    [["Subject: unsubscribe", "Auto-Submitted: auto-generated"], ["Sent by your mail program."]],
    [["Subject: unsubscribe", "Precedence: bulk"], []],
  ])("with %j and %j unsubscribes", (header, text) => {
    expect(at(header, text)).toBe("unsubscribe")
  })

  test.each<[string[], string[]]>([
    [["Subject: unsubscribe", "X-Apple-Unsubscribe: true"], ["Apple Mail sent this email to unsubscribe."]],
    [["Subject: ", "X-Apple-Unsubscribe: true"], ["Apple Mail hat diese E-Mail gesendet."]],
    [["Subject: "], ["iOS Mail sent this email to unsubscribe from the message “News”."]],
    [["Subject: unsubscribe"], []],
  ])("unsubscribes although it says auto-replied, as Apple Mail's does: %j and %j", (header, text) => {
    expect(at([...header, "Auto-Submitted: auto-replied"], text)).toBe("unsubscribe")
  })

  it("unsubscribes whoever has an address like a mail server's", () => {
    const raw = plainMail(["From: Max <mail@mustermann.example>", "Subject: unsubscribe"])
    expect(read(raw, { door: "unsubscribe", mailFrom: "mail@mustermann.example" }).kind).toBe("unsubscribe")
  })

  it("does not if it asks for something else, if a program answers, or if a server returns it", () => {
    expect(at(["Subject: where is my order?"], ["It has not come."])).toBe("personal")
    expect(at(["Subject: Out of office: unsubscribe", "Auto-Submitted: auto-replied"])).toBe("automatic_answer")
    expect(at(["Subject: ", "Auto-Submitted: auto-replied"])).toBe("automatic_answer")
    expect(at(["Subject: unsubscribe"], [], "")).toBe("unreadable")
  })

  it("with the same words unsubscribes nobody at another address", () => {
    expect(read(plainMail([`From: ${ada}`, "Subject: unsubscribe"]), { mailFrom: ada }).kind).toBe("personal")
  })
})

describe("a mail to an address for reports", () => {
  const at = (raw: Uint8Array) => read(raw, { door: "reports", mailFrom: "noreply@receiver.example" })
  const file = (type: string, filename: string) => ({ type, filename, content: Buffer.from("content") })

  test.each([
    ["dmarc", "application/gzip", "receiver.example!acme.test!1!2.xml.gz", "multipart/mixed"],
    ["dmarc", "application/zip", "r.zip", "multipart/mixed"],
    ["dmarc", "text/xml", "r.xml", "multipart/mixed"],
    ["dmarc", "application/octet-stream", "r.xml.gz", "multipart/mixed"],
    ["tls", "application/tlsrpt+gzip", "r.json.gz", "multipart/report; report-type=tlsrpt"],
    ["tls", "application/tlsrpt+json", "r.json", "multipart/report; report-type=tlsrpt"],
    ["tls", "application/gzip", "r.json.gz", "multipart/report; report-type=tlsrpt"],
  ])("has its %s report, attached as %s", (reportKind, type, filename, around) => {
    const mail = at(mailWithFiles([file(type, filename)], undefined, around))
    expect(mail).toMatchObject({ kind: "report", reportKind, filename })
    expect(Buffer.from((mail as { document: Uint8Array }).document).toString()).toBe("content")
  })

  it("may be the report itself", () => {
    const raw = Buffer.from(
      "From: a@b.example\r\nContent-Type: application/zip\r\nContent-Transfer-Encoding: base64\r\n\r\nY29udGVudA==\r\n",
    )
    expect(at(raw)).toMatchObject({ kind: "report", reportKind: "dmarc", filename: null })
  })

  it("without a report, or with two, is kept as unreadable", () => {
    expect(at(plainMail(["Subject: hello"], ["Hello"]))).toMatchObject({ kind: "unreadable", reason: "no_report" })
    const two = [file("application/gzip", "a.xml.gz"), file("application/gzip", "b.xml.gz")]
    expect(at(mailWithFiles(two))).toMatchObject({ kind: "unreadable", reason: "several_reports" })
  })
})
