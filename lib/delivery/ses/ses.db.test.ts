import { createPrivateKey, createPublicKey } from "node:crypto"
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { startSesServer, type SesIdentityState, type SesReply, type SesServer } from "@/e2e/support/delivery/ses-server"
import {
  attemptRows,
  deliverDue,
  deliveryRows,
  emailRow,
  eventTypes,
  newSending,
  passWait,
  probeNow,
  sendMail,
  suppressedAddresses,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { makeKeyPair } from "@/e2e/support/key-pairs"
import { api } from "@/e2e/support/world"
import { deliveryOfVerp } from "@/lib/delivery/message/proven-ids"
import { createRelays, type Relays } from "@/lib/delivery/regions/relays"
import { reportRegions } from "@/lib/delivery/regions/data"
import { openSes } from "@/lib/delivery/ses/transport"
import { keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { hmac, seal } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { log } from "@/lib/platform/log"
import { regionSettings } from "@/lib/regions/settings"

// A region that sends by the API of Amazon SES, here a server on this machine that speaks it.

let sender: Sending
let ses: SesServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
})

beforeEach(async () => {
  for (const level of ["error", "warn"] as const) vi.spyOn(log, level).mockReturnValue()
  ses = await startSesServer()
  open()
})

afterEach(async () => {
  vi.restoreAllMocks()
  await relays.close()
  await ses.close()
  await pool().query("DELETE FROM region_outages")
  await pool().query("UPDATE deliveries SET due_at = NULL")
})

function open(parameters = "configuration-set=main", url = ses.url(parameters)) {
  provideEnv({ SMTP_URL: url })
  relays = createRelays()
}

async function sendOne(body: Record<string, unknown> = {}): Promise<string> {
  const [id = ""] = await sendMail(sender, body)
  return id
}

/** Sends one email while SES answers so. */
async function sentTo(reply: SesReply, body: Record<string, unknown> = {}): Promise<string> {
  ses.state.answering = () => reply
  const id = await sendOne(body)
  await deliverDue(relays)
  return id
}

const explanationOf = async (id: string) =>
  (
    await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", {
      key: sender.apiKey,
      params: { projectId: encodeId("proj", sender.projectId), emailId: encodeId("email", id) },
    })
  ).json

describe("an email by SES", () => {
  test("leaves once per recipient, named by a tag, without our own signature, and SES's id is kept", async () => {
    const id = await sendOne({ cc: ["grace@hopper.example"] })
    await deliverDue(relays)
    expect(ses.sent.map(({ to }) => to).toSorted()).toEqual([["ada@lovelace.example"], ["grace@hopper.example"]])
    const deliveries = await deliveryRows(id)
    const tagged = ses.sent.map(({ tags }) => deliveryOfVerp(tags["mailroom-delivery"] ?? "", hmac))
    expect(tagged.toSorted()).toEqual(deliveries.map((row) => row.id).toSorted())
    for (const { message, configurationSet } of ses.sent) {
      expect(message, "SES signs with the key of the domain").not.toMatch(/^DKIM-Signature:/im)
      expect(message).toContain(`From: Acme <hello@${sender.domain}>`)
      expect(configurationSet).toBe("main")
    }
    expect(deliveries).toMatchObject([{ status: "sent" }, { status: "sent" }])
    expect((await attemptRows(id)).map(({ text }) => text)).toEqual(["Ok 0100-1", "Ok 0100-2"])
  })

  test("uses its connections again", async () => {
    for (let nth = 0; nth < 5; nth++) {
      await sendOne()
      await deliverDue(relays)
    }
    expect(ses.sent).toHaveLength(5)
    expect(ses.connections(), "open connections").toBeLessThanOrEqual(2)
  })

  test("ends at sent without events, and waits for them where they are set up", async () => {
    const without = await sendOne()
    await deliverDue(relays)
    expect((await deliveryRows(without))[0]).toMatchObject({ status: "sent", ended_at: expect.any(Date) })
    await relays.close()
    open("configuration-set=main&events=https://sqs.eu-west-1.amazonaws.com/1/events")
    const reported = await sendOne()
    await deliverDue(relays)
    expect((await deliveryRows(reported))[0]).toMatchObject({ status: "sent", ended_at: null })
    const { rows } = await pool().query("SELECT data FROM events WHERE email_id = ANY ($1) AND type = 'sent'", [
      [without, reported],
    ])
    expect(rows.map(({ data }) => data.deliveryReported)).toEqual(["false", undefined])
  })
})

describe("what SES answers for the account", () => {
  test.each<[string, SesReply, string]>([
    ["its rate", { status: 429, type: "TooManyRequestsException", message: "Maximum sending rate exceeded." }, "rate"],
    ["its limit", { status: 400, type: "LimitExceededException" }, "rate"],
    [
      "the limit of a day",
      { status: 429, type: "TooManyRequestsException", message: "Daily message quota exceeded." },
      "daily",
    ],
    ["an error of its own", { status: 500, type: "InternalFailure" }, "errors"],
    ["that it is away", { status: 503, type: "ServiceUnavailable" }, "errors"],
  ])("%s charges no attempt: the email waits and says so", async (_, reply, why) => {
    const id = await sentTo(reply)
    expect((await deliveryRows(id))[0]).toMatchObject({
      ...{ status: "sending", attempt_count: 0, reason: "region_paced", reason_facts: { why } },
      due_at: expect.any(Date),
    })
    expect(await attemptRows(id), "the one that found it out").toMatchObject([{ outcome: "deferred" }])
    expect(await eventTypes(id)).toEqual(["queued"])
    expect(await reportRegions(), "the region is up").toContainEqual({ region: "eu-west-1", status: "up" })
    expect(JSON.stringify(await explanationOf(id))).toContain("provider of this region")
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("50 emails at five times its rate all leave, and none is charged a second attempt", async () => {
    const window = { from: performance.now(), taken: 0 }
    ses.state.quota.MaxSendRate = 100
    ses.state.answering = () => {
      if (performance.now() - window.from >= 200) Object.assign(window, { from: performance.now(), taken: 0 })
      window.taken += 1
      return window.taken > 4 ? { status: 429, type: "TooManyRequestsException" } : undefined
    }
    const to = Array.from({ length: 50 }, (_, at) => `reader-${at}@lovelace.example`)
    await sendMail(sender, { to })
    await vi.waitUntil(
      async () => {
        await deliverDue(relays)
        await pool().query(
          "UPDATE deliveries SET due_at = now() - interval '1 second' WHERE due_at > now() AND reason = 'region_paced'",
        )
        return ses.sent.length === 50
      },
      { timeout: 60_000, interval: 50 },
    )
    await deliverDue(relays)
    const { rows } = await pool().query(
      "SELECT status, attempt_count AS attempts, count(*)::int FROM deliveries WHERE address = ANY ($1) GROUP BY 1, 2",
      [to],
    )
    expect(rows).toEqual([{ status: "sent", attempts: 1, count: 50 }])
    expect(ses.state.asked, "some were refused for the rate").toBeGreaterThan(50)
  })

  test.each<[string, SesReply, string, RegExp]>([
    ["suspended", { status: 400, type: "AccountSuspendedException" }, "ses_suspended", /has suspended the account/],
    ["paused", { status: 400, type: "SendingPausedException" }, "ses_paused", /has paused sending/],
    [
      "paused, in the words for one email,",
      { status: 400, type: "MessageRejected", message: "Sending paused for this account. Check your inbox." },
      "ses_paused",
      /has paused sending/,
    ],
    [
      "without the permission",
      { status: 403, type: "AccessDeniedException" },
      "ses_credentials",
      /does not accept the credentials/,
    ],
    [
      "without the configuration set",
      { status: 404, type: "NotFoundException" },
      "ses_configuration_set",
      /no configuration set main/,
    ],
  ])(
    "%s is the region's fault: it is down with a code and a sentence, and nobody is suppressed",
    async (_, reply, fault, words) => {
      const id = await sentTo(reply)
      expect((await deliveryRows(id))[0]).toMatchObject({ status: "sending", attempt_count: 0 })
      const report = (await reportRegions(sender.projectId)).find(({ region }) => region === "eu-west-1")
      expect(report).toMatchObject({ status: "down", fault, message: expect.stringMatching(words) })
      expect(await suppressedAddresses(sender)).toEqual([])

      ses.state.answering = () => undefined
      await probeNow(relays)
      await deliverDue(relays)
      expect(await emailRow(id), "once it is over").toMatchObject({ status: "sent" })
    },
  )

  test("one without production access refuses every recipient: nobody is bounced, and all is sent once it has it", async () => {
    ses.state.answering = ({ to }) => ({
      ...{ status: 400, type: "MessageRejected" },
      message: `Email address is not verified. The following identities failed the check in region EU-WEST-1: ${to[0]}`,
    })
    const ids: string[] = []
    for (let nth = 0; nth < 4; nth++) ids.push(await sendOne({ to: [`reader@sandbox-${nth}.example`] }))
    await deliverDue(relays)
    await probeNow(relays)
    const statuses = () => Promise.all(ids.map(async (id) => (await emailRow(id)).status))
    expect(await statuses()).not.toContain("bounced")
    for (const id of ids) expect((await deliveryRows(id))[0]).toMatchObject({ attempt_count: 0, bounce_type: null })
    expect((await reportRegions()).find(({ region }) => region === "eu-west-1")).toMatchObject({
      ...{ status: "down", message: expect.stringContaining("Email address is not verified") },
    })

    ses.state.answering = () => undefined
    await probeNow(relays)
    await deliverDue(relays)
    expect(await statuses()).toEqual(Array(4).fill("sent"))
    await pool().query("DELETE FROM route_refusals")
  })

  test("an account that stays paused keeps the region down, by a probe that sends nothing", async () => {
    const id = await sentTo({ status: 400, type: "SendingPausedException" })
    ses.state.account.SendingEnabled = false
    await probeNow(relays)
    expect((await reportRegions()).find(({ region }) => region === "eu-west-1")).toMatchObject({
      status: "down",
      fault: "ses_paused",
    })
    expect(ses.state.asked).toBe(1)
    expect(await emailRow(id)).toMatchObject({ status: "sending" })
  })

  test("a server that cannot be reached, and wrong credentials, are the region's fault", async () => {
    for (const [url, fault] of [
      ["ses://KEY:SECRET@eu-west-1?endpoint=http://127.0.0.1:1", undefined],
      [ses.url().replace("KEY", "WRONG"), "ses_credentials"],
    ] as const) {
      await relays.close()
      open("", url)
      const id = await sendOne()
      await deliverDue(relays)
      expect((await deliveryRows(id))[0], url).toMatchObject({ status: "sending", attempt_count: 0 })
      const report = (await reportRegions()).find(({ region }) => region === "eu-west-1")
      expect(report, url).toMatchObject({ status: "down", ...(fault && { fault }) })
      await pool().query("DELETE FROM region_outages")
      await pool().query("UPDATE deliveries SET due_at = NULL")
    }
  })
})

describe("what SES answers for one email", () => {
  test.each([
    [
      "MessageRejected",
      "Email address is not verified. The following identities failed the check in region EU-WEST-1: hello@acme.test",
    ],
    ["MessageRejected", "Virus found in the message."],
    ["BadRequestException", "Header too long."],
  ])("%s (%s) ends it, and nobody is suppressed", async (type, message) => {
    const id = await sentTo({ status: 400, type, message })
    const [delivery] = await deliveryRows(id)
    expect(delivery).toMatchObject({ status: "bounced", diagnostic: expect.stringContaining(message) })
    expect(delivery?.bounce_type).not.toBe("hard")
    expect(await suppressedAddresses(sender)).toEqual([])
  })

  test("a MAIL FROM domain that SES has not verified is the domain's fault: it is retried and says which", async () => {
    const id = await sentTo({ status: 400, type: "MailFromDomainNotVerifiedException" })
    expect((await deliveryRows(id))[0]).toMatchObject({
      ...{ status: "sending", attempt_count: 1, reason: "domain_unverified" },
      reason_facts: { domain: sender.mailFromDomain },
    })
    expect(JSON.stringify(await explanationOf(id))).toContain(sender.mailFromDomain)
    expect(await reportRegions()).toContainEqual({ region: "eu-west-1", status: "up" })
  })

  test.each<[SesReply, string]>([
    ["reset", "resend"],
    ["reset", "hold"],
    ["silence", "hold"],
  ])("a %s after the request is an outcome that nobody knows, by the policy %s", async (reply, policy) => {
    await pool().query("UPDATE projects SET ambiguous_policy = $2 WHERE id = $1", [sender.projectId, policy])
    const { profiles } = regionSettings()
    await relays.close()
    const limits = { connect: 1_000, answer: 500, whole: 2_000 }
    relays = createRelays((profile) =>
      openSes((profile as Extract<typeof profile, { transport: "ses" }>).ses, { limits }),
    )
    expect(profiles["eu-west-1"].transport).toBe("ses")
    const id = await sentTo(reply)
    await pool().query("UPDATE projects SET ambiguous_policy = 'resend' WHERE id = $1", [sender.projectId])
    expect(await emailRow(id)).toMatchObject({ status: policy === "hold" ? "indeterminate" : "sending" })
    expect((await attemptRows(id)).map(({ outcome }) => outcome)).toEqual(["ambiguous"])
  })
})

describe("the identity of a sending domain (BYODKIM)", () => {
  beforeEach(() => {
    ses.state.knowsOnly = true
  })

  const identity = () => ses.state.identities.get(sender.domain)

  test("is added with the domain's own key and its domain for bounces; email waits until SES has verified it", async () => {
    const id = await sendOne()
    await deliverDue(relays)
    expect(ses.state.asked, "calls of SendEmail").toBe(0)
    expect(identity()).toMatchObject({ selector: sender.selector, mailFrom: sender.mailFromDomain })
    expect(publicKeyOf(identity())).toBe(sender.publicKey)
    expect((await deliveryRows(id))[0]).toMatchObject({
      ...{ status: "sending", reason: "domain_unverified", reason_facts: { domain: sender.domain } },
    })

    const added = identity()
    if (added) ses.state.identities.set(sender.domain, { ...added, isVerified: true, dkim: "SUCCESS" })
    await relays.close()
    open()
    await passWait(id)
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "sent" })
  })

  test.each([
    ["another key of the same registration", true, (own: string) => `${own.slice(0, -1)}b`, "SUCCESS"],
    ["one that SES has not verified", true, () => "other", "FAILED"],
    ["a verified one of another registration", false, () => "other", "SUCCESS"],
  ])("%s is replaced: %s", async (_, isReplaced, selectorOf, dkim) => {
    const selector = selectorOf(sender.selector)
    ses.state.identities.set(sender.domain, {
      isVerified: true,
      dkim,
      selector,
      privateKey: "",
      mailFrom: "bounce.example",
    })
    const id = await sendOne()
    await deliverDue(relays)
    expect(identity()?.selector).toBe(isReplaced ? sender.selector : selector)
    expect(identity()?.mailFrom, "what the operator chose").toBe("bounce.example")
    expect(await emailRow(id)).toMatchObject({ status: "sent" })
  })

  /** The identity as SES has it from the first email, but for these. */
  async function givenBefore(changes: Partial<SesIdentityState>) {
    await sendOne()
    await deliverDue(relays)
    const given = identity()
    if (!given) throw new Error("SES has no identity.")
    ses.state.identities.set(sender.domain, { ...given, isVerified: true, privateKey: "", ...changes })
    await relays.close()
    open()
  }

  async function sendAs(from: Sending): Promise<void> {
    await sendMail(from)
    await deliverDue(relays)
  }

  test.each([
    ["FAILED", true],
    ["NOT_STARTED", true],
    ["PENDING", false],
    ["TEMPORARY_FAILURE", false],
    ["SUCCESS", false],
  ])("a key that SES has, in the state %s, is given again: %s", async (dkim, isGiven) => {
    await givenBefore({ dkim })
    await sendAs(sender)
    expect(identity()?.privateKey !== "", "whether the key was given again").toBe(isGiven)
    expect(identity()?.dkim).toBe(isGiven ? "PENDING" : dkim)
  })

  test("that is ours mails no bounces to senders, since events tell of them", async () => {
    await givenBefore({ forwardsFeedback: true })
    await sendAs(sender)
    expect(identity()?.forwardsFeedback, "of one that was added before SES was told").toBe(false)
    ses.state.identities.delete(sender.domain)
    await relays.close()
    open()
    await sendAs(sender)
    expect(identity()?.forwardsFeedback, "of one that is added").toBe(false)
  })

  test("of somebody else mails bounces to senders as they chose", async () => {
    const theirs = { isVerified: true, dkim: "SUCCESS", selector: "other", privateKey: "", mailFrom: "bounce.example" }
    ses.state.identities.set(sender.domain, { ...theirs, forwardsFeedback: true })
    await sendAs(sender)
    expect(identity()?.forwardsFeedback).toBe(true)
  })

  test("whose bounces may not be stopped sends all the same", async () => {
    ses.state.forbidsFeedback = true
    await givenBefore({})
    const id = await sendOne()
    await deliverDue(relays)
    expect(await emailRow(id)).toMatchObject({ status: "sent" })
    expect(identity()?.forwardsFeedback).toBeUndefined()
  })

  test("a key under the same selector takes the place of the one that SES has, also while a process runs", async () => {
    const other = await newSending()
    await sendAs(other)
    const { privateKey, publicKey } = makeKeyPair()
    const { rows } = await pool().query<{ id: string }>("SELECT id FROM dkim_keys WHERE domain_id = $1", [
      other.domainId,
    ])
    const keyId = rows[0]?.id ?? ""
    const sealed = seal(privateKey, keyPurpose(keyId))
    await pool().query("UPDATE dkim_keys SET public_key = $2, private_key = $3 WHERE id = $1", [
      keyId,
      publicKey,
      sealed,
    ])
    await sendAs(other)
    expect(publicKeyOf(ses.state.identities.get(other.domain))).toBe(publicKey)
  })

  test("a key that another installation gave SES under our selector is replaced", async () => {
    const before = { isVerified: true, dkim: "SUCCESS", selector: sender.selector, privateKey: "", mailFrom: "" }
    ses.state.identities.set(sender.domain, before)
    await sendAs(sender)
    expect(publicKeyOf(identity())).toBe(sender.publicKey)
  })

  test.each([true, false])(
    "key and MAIL FROM domain of another registration, which was deleted: %s, are replaced only then",
    async (isDeleted) => {
      const [first, second] = [await newSending(), await newSending()]
      await sendAs(first)
      const given = ses.state.identities.get(first.domain)
      if (!given) throw new Error("SES has no identity.")
      ses.state.identities.set(first.domain, { ...given, isVerified: true, dkim: "SUCCESS" })
      if (isDeleted) await pool().query("DELETE FROM domains WHERE id = $1", [first.domainId])
      await pool().query("UPDATE domains SET name = $2 WHERE id = $1", [second.domainId, first.domain])
      await sendAs({ ...second, domain: first.domain })
      const { selector, mailFromDomain } = isDeleted ? second : first
      expect(ses.state.identities.get(first.domain)).toMatchObject({ selector, mailFrom: mailFromDomain })
    },
  )
})

function publicKeyOf(identity: SesIdentityState | undefined): string {
  const key = createPrivateKey({
    key: Buffer.from(identity?.privateKey ?? "", "base64"),
    format: "der",
    type: "pkcs8",
  })
  return createPublicKey(key).export({ type: "spki", format: "der" }).toString("base64")
}
