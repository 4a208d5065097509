import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  eventTypes,
  newSending,
  relayAt,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { bounce, feedback } from "@/e2e/support/inbound/returned"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { unsubscribeAddress } from "@/lib/delivery/message/unsubscribe"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { storeMails, type InboundMail, type ClaimedMail, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { recordMails, type ReadMail } from "@/lib/inbound/record-sql"
import { hmac, sha256 } from "@/lib/platform/crypto"
import { closeDatabase, pool, transaction } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import { openSandboxSmtp, type SandboxSmtp } from "@/lib/sandbox/smtp"

let sender: Sending
let server: SandboxSmtp

beforeAll(async () => {
  const resolver = () => Promise.reject(Object.assign(new Error("none"), { code: "ENOTFOUND" }))
  server = await openSandboxSmtp({ port: 0, serviceDomain: "mailroom.test", resolver })
})
beforeEach(async () => {
  sender = await newSending()
  await pool().query("UPDATE projects SET per_second_sends = 1000, max_recipients = 2000 WHERE id = $1", [
    sender.projectId,
  ])
})
afterAll(async () => {
  await server.close()
  await closeDatabase()
})

type Sent = { emailId: string; deliveryId: string; returnPath: string; recipient: string }

/** Sends through a relay that takes everything. */
async function sent(body: Record<string, unknown> = {}, delivered: "accept" | "never" = "accept"): Promise<Sent> {
  const relays: Relays = relayAt(server.port, `delivered=${delivered}`)
  const recipient = `ada-${newId().slice(-12)}@lovelace.example`
  const [emailId = ""] = await sendMail(sender, { to: [recipient], ...body })
  await deliverDue(relays)
  await relays.close()
  const [delivery] = await deliveryRows(emailId)
  return { emailId, deliveryId: delivery.id, returnPath: returnPathOf(delivery.id), recipient: delivery.address }
}

const returnPathOf = (deliveryId: string) => `${verpFor(deliveryId, hmac)}@${sender.mailFromDomain}`

function inbound(raw: string, to: Partial<InboundMail> & { rcptTo: string }): InboundMail {
  const bytes = Buffer.from(raw)
  return {
    ...{ door: "return_path", mailFrom: "", client: "192.0.2.1", helo: "mx.example.net" },
    ...{ digest: sha256(bytes).subarray(0, 16), raw: bytes },
    ...to,
  }
}

const toReturnPath = (of: Sent, raw: string) => inbound(raw, { deliveryId: of.deliveryId, rcptTo: of.returnPath })
const toFeedback = (raw: string) =>
  inbound(raw, { door: "feedback", mailFrom: "fbl@provider.example", rcptTo: "fbl@mailroom.test" })

/** The return path with another character in its keyed hash. */
function withOtherHash(local: string): string {
  return local.slice(0, -4) + (local.at(-4) === "a" ? "b" : "a") + local.slice(-3)
}

/** Stores mails and works until none is due. */
async function comeBack(...mails: InboundMail[]): Promise<void> {
  expect(await storeMails(mails)).toEqual(mails.map(() => "stored"))
  await workAll()
}

async function workAll(): Promise<void> {
  for (;;) {
    const claimed = await claimMails(100, 60_000)
    if (claimed.length === 0) return
    await Promise.all(claimed.map(workOn))
  }
}

function readMail(claimed: ClaimedMail): ReadMail {
  const mail = readReturnedMail(claimed.raw as Buffer, claimed)
  return { claimed, mail, match: { deliveryId: claimed.deliveryId as string, by: "verp" } }
}

async function outcomes(): Promise<string[]> {
  const { rows } = await pool().query<{ outcome: string }>(
    "SELECT outcome FROM inbound_messages WHERE project_id = $1 ORDER BY id",
    [sender.projectId],
  )
  return rows.map(({ outcome }) => outcome)
}

/** All that mail may change in a project, to compare before and after. */
async function stateOf() {
  const statement = (table: string, columns: string) =>
    pool().query(`SELECT ${columns} FROM ${table} WHERE project_id = $1 ORDER BY 1`, [sender.projectId])
  const all = await Promise.all([
    statement("deliveries", "id, status, bounce_type, bounce_code, diagnostic, ended_at"),
    statement("emails", "id, status"),
    statement("suppressions", "email, reason"),
  ])
  return all.map(({ rows }) => rows)
}

async function open(one: Sent): Promise<void> {
  await pool().query("UPDATE deliveries SET status = 'opened' WHERE id = $1", [one.deliveryId])
  await pool().query("UPDATE emails SET status = 'opened' WHERE id = $1", [one.emailId])
}

describe("a bounce", () => {
  test("is listed for its email with what was read from it, how it was matched and what it did, and given as it arrived", async () => {
    const one = await sent()
    const raw = bounce(one)
    await comeBack(toReturnPath(one, raw))
    const params = { projectId: sender.project, emailId: encodeId("email", one.emailId) }
    const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/returned-mails", {
      key: sender.apiKey,
      params,
    })
    expect(json.data).toHaveLength(1)
    expect(json.data[0]).toMatchObject({
      recipient: one.recipient,
      kind: "delivery_status",
      outcome: "bounced",
      matchedBy: "verp",
      recipients: [{ address: one.recipient, action: "failed", status: "5.1.1", replyCode: 550, replyStatus: "5.1.1" }],
    })
    const found = await api("GET /v1/projects/{projectId}/emails/{emailId}/returned-mails/{mailId}/raw", {
      key: sender.apiKey,
      params: { ...params, mailId: json.data[0].id },
    })
    expect(Buffer.from(await found.response.arrayBuffer()).toString()).toBe(raw)
  })

  test("after delivered moves the email to bounced, with event, explanation, evidence and suppression as one that is heard at once", async () => {
    const one = await sent()
    await comeBack(toReturnPath(one, bounce(one)))
    const [delivery] = await deliveryRows(one.emailId)
    expect(delivery).toMatchObject({ status: "bounced", bounce_type: "hard", bounce_code: "5.1.1", delivered_at: null })
    expect((await emailRow(one.emailId)).status).toBe("bounced")
    expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivered", "bounced"])
    const event = (await eventRows(one.emailId)).at(-1)
    expect(event?.data).toMatchObject({ to: one.recipient, bounceType: "hard", bounceCode: "5.1.1", reported: "true" })
    const { rows } = await pool().query(
      "SELECT email, reason, evidence, event_id FROM suppressions WHERE project_id = $1",
      [sender.projectId],
    )
    expect(rows).toEqual([
      {
        email: one.recipient,
        reason: "bounce",
        evidence: expect.stringContaining("User unknown"),
        event_id: expect.any(String),
      },
    ])
    const { json } = await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", {
      key: sender.apiKey,
      params: { projectId: sender.project, emailId: encodeId("email", one.emailId) },
    })
    expect(JSON.stringify(json)).toContain(`The mailbox ${one.recipient} does not exist.`)
    expect(await outcomes()).toEqual(["bounced"])
  })

  test.each([
    ["a policy", "smtp; 550 5.7.1 Message rejected by policy", "5.7.1"],
    ["a full mailbox", "smtp; 552 5.2.2 mailbox full", "5.2.2"],
    [
      "the words of a gateway around another reply",
      "smtp; 550-5.7.1 [192.0.2.1] Our system has detected spam",
      "5.1.1",
    ],
    ["a program", "x-unix; unknown user", "5.1.1"],
  ])("for %s suppresses nobody", async (_, diagnostic, status) => {
    const one = await sent()
    await comeBack(toReturnPath(one, bounce({ ...one, diagnostic, status })))
    expect((await emailRow(one.emailId)).status).toBe("bounced")
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("is recorded once, though it comes three times, in other words, and two workers hold it", async () => {
    const one = await sent()
    const mails = ["a", "b", "c"].map((mark) => toReturnPath(one, bounce({ ...one, mark })))
    expect(await storeMails([...mails, ...mails.slice(0, 1)])).not.toContain("unknown")
    const claimed = await claimMails(10, 0)
    const again = await claimMails(10, 60_000)
    expect(again.map(({ id }) => id).sort()).toEqual(claimed.map(({ id }) => id).sort())
    await Promise.all([...claimed, ...again].map(workOn))
    expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivered", "bounced"])
    expect((await outcomes()).sort()).toEqual(["bounced", "repeated", "repeated"])
  })

  test("that comes before the outcome of its attempt waits for it", async () => {
    const one = await sent()
    await pool().query("UPDATE deliveries SET status = 'sending', delivered_at = NULL WHERE id = $1", [one.deliveryId])
    await comeBack(toReturnPath(one, bounce(one)))
    expect(await outcomes()).toEqual([null])
    await pool().query("UPDATE deliveries SET status = 'sent' WHERE id = $1", [one.deliveryId])
    await pool().query("UPDATE inbound_messages SET due_at = now() - interval '1 second' WHERE project_id = $1", [
      sender.projectId,
    ])
    await workAll()
    expect((await deliveryRows(one.emailId))[0].status).toBe("bounced")
  })

  test.each([
    ["as it was sent", (raw: string) => raw],
    // Most servers return the header without the field that the last one adds.
    ["without its return path", (raw: string) => raw.replace(/\r\nReturn-Path: [^\r]*/, "")],
  ])("of one recipient of several, with the original %s, leaves the others as they are", async (_, returned) => {
    const one = await sent({ to: ["ada@lovelace.example"], cc: ["bob@lovelace.example"] })
    const rows = await deliveryRows(one.emailId)
    const bob = rows.find(({ address }) => address === "bob@lovelace.example")
    const of = { ...one, deliveryId: bob.id, returnPath: returnPathOf(bob.id), recipient: bob.address }
    const original = `X-Mailroom-Ref: ${/X-Mailroom-Ref: (\S+)/.exec(await rawOf(one))?.[1] ?? ""}\r\n`
    await comeBack(toReturnPath(of, returned(bounce({ ...of, original }))))
    const after = await deliveryRows(one.emailId)
    expect(after.map(({ address, status }) => [address, status]).sort()).toEqual([
      ["ada@lovelace.example", "delivered"],
      ["bob@lovelace.example", "bounced"],
    ])
    expect(await suppressedAddresses(sender)).toEqual(["bob@lovelace.example"])
  })
})

describe("G38: what is about somebody else moves nobody", () => {
  test("the bounce of B's mail to A's return path, of a forwarder, and of 1,000 recipients", async () => {
    const [a, b] = [await sent(), await sent()]
    const others = Array.from({ length: 1_000 }, (_, at) => `r${at}@elsewhere.example`)
    const before = await stateOf()
    const many = bounce(a).replace(
      /Final-Recipient[\s\S]*?\r\n\r\n/,
      others.map((one) => `Final-Recipient: rfc822; ${one}\r\nAction: failed\r\nStatus: 5.1.1\r\n\r\n`).join(""),
    )
    await comeBack(
      // B's recipient has the domain of A's: only what is quoted tells them apart.
      toReturnPath(a, bounce({ ...b, returnPath: b.returnPath })),
      toReturnPath(
        a,
        bounce({ ...b, returnPath: a.returnPath, original: `X-Mailroom-Ref: ${b.returnPath.split("@")[0]}\r\n` }),
      ),
      toReturnPath(a, bounce({ ...a, recipient: "ada@forwarded.example" })),
      toReturnPath(a, many),
      toReturnPath(a, bounce({ ...a, recipient: "someone@gmail.com", status: "5.0.0" })),
    )
    expect(await stateOf()).toEqual(before)
    expect(await outcomes()).toEqual(["noted", "noted", "noted", "noted", "noted"])
    const notes = (await eventRows(a.emailId)).flatMap(({ type, data }) => (type === "mail_returned" ? data.note : []))
    expect(notes.sort()).toEqual([
      ...["about_another_email", "about_another_email"],
      ...["about_another_recipient", "about_another_recipient", "about_another_recipient"],
    ])
  })

  test("an alias of the recipient's domain bounces the mail, and suppresses nobody", async () => {
    const one = await sent()
    await comeBack(toReturnPath(one, bounce({ ...one, recipient: "mailbox-7@lovelace.example" })))
    expect((await emailRow(one.emailId)).status).toBe("bounced")
    expect(await suppressedAddresses(sender)).toEqual([])
  })
})

describe("T109: a bounce that somebody made up, with a return path that he has seen", () => {
  test("fails that delivery alone, is shown with its sender, and its suppression is undone", async () => {
    const [one, other] = [await sent(), await sent()]
    await comeBack(toReturnPath(one, bounce(one)))
    expect((await emailRow(other.emailId)).status).toBe("delivered")
    const { rows } = await pool().query("SELECT client, helo, raw FROM inbound_messages WHERE delivery_id = $1", [
      one.deliveryId,
    ])
    expect(rows).toMatchObject([{ client: "192.0.2.1", helo: "mx.example.net" }])
    expect(await suppressedAddresses(sender)).toEqual([one.recipient])
    const removed = await api("DELETE /v1/projects/{projectId}/suppressions/{email}", {
      key: sender.apiKey,
      params: { projectId: sender.project, email: one.recipient },
    })
    expect(removed.status).toBe(204)
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("is a timeline entry once a person has opened the mail", async () => {
    const one = await sent()
    await open(one)
    const before = await stateOf()
    await comeBack(toReturnPath(one, bounce(one)))
    expect(await stateOf()).toEqual(before)
    const event = (await eventRows(one.emailId)).at(-1)
    expect(event).toMatchObject({
      type: "mail_returned",
      data: { note: "after_open", from: "MAILER-DAEMON@mx.example.net", diagnostic: expect.stringContaining("550") },
    })
  })
})

describe("reports of delivery", () => {
  test.each(["delivered", "relayed"] as const)("that say %s move sent to delivered, once", async (action) => {
    const one = await sent({}, "never")
    const report = (mark: string) =>
      toReturnPath(one, bounce({ ...one, action, status: "2.0.0", diagnostic: "smtp; 250 ok", mark }))
    await comeBack(report("a"), report("b"))
    expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivered"])
    const [delivery] = await deliveryRows(one.emailId)
    expect(delivery).toMatchObject({ status: "delivered", delivered_at: expect.any(Date) })
    expect((await emailRow(one.emailId)).status).toBe("delivered")
  })

  test("that say delivered before a bounce of the same recipient, recorded together, are two events as they arrived, whichever was read first", async () => {
    const many = await Promise.all(Array.from({ length: 8 }, () => sent({}, "never")))
    const relayed = { action: "relayed", status: "2.0.0", diagnostic: "smtp; 250 ok" } as const
    const [report, refusal] = [many.map((one) => bounce({ ...one, ...relayed })), many.map((one) => bounce(one))]
    const mails = many.flatMap((one, at) => [report, refusal].map((kind) => toReturnPath(one, kind[at] as string)))
    expect(await storeMails(mails)).toEqual(mails.map(() => "stored"))
    const read = (await claimMails(100, 60_000)).map(readMail)
    const lastFirst = read.toSorted((a, b) => (a.claimed.id < b.claimed.id ? 1 : -1))
    expect(await transaction((client) => recordMails(client, lastFirst))).toEqual(
      mails.map((_, at) => ["bounced", "delivered"][at % 2]),
    )
    for (const one of many) {
      expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivered", "bounced"])
      const [delivery] = await deliveryRows(one.emailId)
      expect(delivery).toMatchObject({ status: "bounced", bounce_code: "5.1.1", delivered_at: null })
      expect((await emailRow(one.emailId)).status).toBe("bounced")
    }
    expect((await suppressedAddresses(sender)).sort()).toEqual(many.map(({ recipient }) => recipient).sort())
  })

  test("that say delayed are one event, and nothing once it is delivered", async () => {
    const [one, done] = [await sent({}, "never"), await sent()]
    const delay = (of: Sent, mark: string) =>
      toReturnPath(
        of,
        bounce({ ...of, action: "delayed", status: "4.4.1", diagnostic: "smtp; 451 4.4.1 try later", mark }),
      )
    await comeBack(delay(one, "a"), delay(one, "b"), delay(done, "c"))
    expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivery_delayed"])
    expect((await emailRow(one.emailId)).status).toBe("sent")
    expect(await eventTypes(done.emailId)).toEqual(["queued", "sent", "delivered"])
  })
})

describe("T113: a complaint", () => {
  test("by the return path or the reference suppresses the delivery's own recipient, whom the provider hides", async () => {
    const [one, two] = [await sent(), await sent()]
    await comeBack(
      toFeedback(feedback({ originalMailFrom: one.returnPath, originalRecipient: "redacted@provider.example" })),
      toFeedback(feedback({ original: `X-Mailroom-Ref: ${two.returnPath.split("@")[0]}\r\n` })),
    )
    for (const each of [one, two]) {
      expect((await emailRow(each.emailId)).status).toBe("complained")
      expect(await eventTypes(each.emailId)).toEqual(["queued", "sent", "delivered", "complained"])
    }
    expect(await suppressedAddresses(sender)).toEqual([one.recipient, two.recipient].sort())
  })

  test("about mail of others, of a recipient alone, and of a made-up reference changes nothing and is kept", async () => {
    const one = await sent()
    const before = await stateOf()
    const local = one.returnPath.split("@")[0] ?? ""
    await comeBack(
      toFeedback(feedback({ originalMailFrom: "news@elsewhere.example", originalRecipient: one.recipient })),
      toFeedback(feedback({ originalRecipient: one.recipient })),
      toFeedback(
        feedback({ original: `X-Mailroom-Ref: ${withOtherHash(local)}\r\n`, originalRecipient: one.recipient }),
      ),
    )
    expect(await stateOf()).toEqual(before)
  })

  test("of an email to several is of the one whom it names, of all in one mail of nobody", async () => {
    const one = await sent({ to: ["ada@lovelace.example"], cc: ["bob@lovelace.example"] })
    const ref = /X-Mailroom-Ref: (\S+)/.exec(await rawOf(one))?.[1] ?? ""
    const original = `X-Mailroom-Ref: ${ref}\r\n`
    const before = await stateOf()
    await comeBack(toFeedback(feedback({ original, originalRecipient: "carl@lovelace.example" })))
    expect(await stateOf()).toEqual(before)
    await comeBack(toFeedback(feedback({ original, originalRecipient: "bob@lovelace.example" })))
    expect(await suppressedAddresses(sender)).toEqual(["bob@lovelace.example"])
  })

  test("of a mail that bounced is one event, however often it is reported", async () => {
    const one = await sent()
    await comeBack(toReturnPath(one, bounce(one)))
    const reports = ["a", "b", "c"].map((mark) =>
      toFeedback(feedback({ originalMailFrom: one.returnPath, original: `X-Mark: ${mark}\r\n` })),
    )
    for (const report of reports) await comeBack(report)
    expect((await eventTypes(one.emailId)).filter((type) => type === "complained")).toEqual(["complained"])
    expect(await outcomes()).toEqual(["bounced", "complained", "repeated", "repeated"])
  })

  test("of a recipient with an apostrophe suppresses that one, and not whose address is the rest of it", async () => {
    const one = await sent({ to: ["o'brien@lovelace.example"], cc: ["brien@lovelace.example"] })
    const ref = /X-Mailroom-Ref: (\S+)/.exec(await rawOf(one))?.[1] ?? ""
    const original = `X-Mailroom-Ref: ${ref}\r\n`
    await comeBack(toFeedback(feedback({ original, originalRecipient: "o'brien@lovelace.example" })))
    expect(await suppressedAddresses(sender)).toEqual(["o'brien@lovelace.example"])
  })

  test.each(["virus", "not-spam", "auth-failure"])("of type %s is none", async (feedbackType) => {
    const one = await sent()
    const before = await stateOf()
    await comeBack(toFeedback(feedback({ feedbackType, originalMailFrom: one.returnPath })))
    expect(await stateOf()).toEqual(before)
    expect((await eventRows(one.emailId)).at(-1)).toMatchObject({ type: "mail_returned", data: { note: "feedback" } })
  })
})

describe("who leaves by mail", () => {
  test("is unsubscribed once, by the address of the header or by a provider's opt-out", async () => {
    const [one, two] = [await sent(), await sent()]
    const address = `${unsubscribeAddress(one.deliveryId, hmac)}@feedback.eu-west-1.mailroom.test`
    const leave = (mark: string) =>
      inbound(`From: ${one.recipient}\r\nSubject: unsubscribe ${mark}\r\n\r\n`, {
        ...{ door: "unsubscribe", deliveryId: one.deliveryId, rcptTo: address, mailFrom: one.recipient },
      })
    await comeBack(
      leave("a"),
      leave("b"),
      toFeedback(feedback({ feedbackType: "opt-out", originalMailFrom: two.returnPath })),
    )
    for (const each of [one, two])
      expect(await eventTypes(each.emailId)).toEqual(["queued", "sent", "delivered", "unsubscribed"])
    expect(await suppressedAddresses(sender)).toEqual([one.recipient, two.recipient].sort())
  })

  test("is unsubscribed by the button of Apple Mail, whose mail says that it is an automatic reply", async () => {
    const one = await sent()
    const address = `${unsubscribeAddress(one.deliveryId, hmac)}@feedback.eu-west-1.mailroom.test`
    const header = ["Subject: unsubscribe", "Auto-Submitted: auto-replied", "X-Apple-Unsubscribe: true"]
    await comeBack(
      inbound([`From: ${one.recipient}`, ...header, "", "Apple Mail sent this email to unsubscribe."].join("\r\n"), {
        ...{ door: "unsubscribe", deliveryId: one.deliveryId, rcptTo: address, mailFrom: one.recipient },
      }),
    )
    expect(await eventTypes(one.emailId)).toEqual(["queued", "sent", "delivered", "unsubscribed"])
    expect(await suppressedAddresses(sender)).toEqual([one.recipient])
  })
})

describe("T114: no mail leaves because of one that comes back", () => {
  test("neither of an automatic answer, nor of an answer, a bounce of our own bounce, or what nobody can read", async () => {
    const one = await sent()
    const count = async () =>
      (await pool().query("SELECT (SELECT count(*) FROM emails) + (SELECT count(*) FROM system_mails) AS n")).rows[0].n
    const before = await count()
    const from = (mailFrom: string, raw: string) => ({ ...toReturnPath(one, raw), mailFrom })
    await comeBack(
      from(
        "ada@lovelace.example",
        "From: ada@lovelace.example\r\nSubject: Out of office\r\nAuto-Submitted: auto-replied\r\n\r\nAway.\r\n",
      ),
      from("ada@lovelace.example", "From: ada@lovelace.example\r\nSubject: Re: Hello\r\n\r\nThank you.\r\n"),
      from("", "From: MAILER-DAEMON@x.example\r\nSubject: Something\r\n\r\nSomething happened.\r\n"),
      from(one.returnPath, bounce({ ...one, recipient: one.returnPath })),
    )
    expect(await count()).toBe(before)
    expect(await outcomes()).toEqual(["dropped", "noted", "noted", "noted"])
    expect((await emailRow(one.emailId)).status).toBe("delivered")
  })
})

test("all mail carries its reference: of one recipient the return path, of several a token of the email", async () => {
  const [one, several] = [await sent(), await sent({ to: ["ada@lovelace.example"], cc: ["bob@lovelace.example"] })]
  expect(await rawOf(one)).toContain(`X-Mailroom-Ref: ${one.returnPath.split("@")[0]}\r\n`)
  const reference = /X-Mailroom-Ref: ([a-z2-7]{39})\r\n/.exec(await rawOf(several))?.[1] ?? ""
  for (const { id } of await deliveryRows(several.emailId)) expect(reference).not.toBe(verpFor(id, hmac))
})

async function rawOf({ emailId }: Sent): Promise<string> {
  const { rows } = await pool().query<{ raw: Buffer }>("SELECT raw FROM email_bodies WHERE email_id = $1", [emailId])
  return rows[0]?.raw.toString("latin1") ?? ""
}
