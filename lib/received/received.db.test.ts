import { generateKeyPairSync, randomUUID } from "node:crypto"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { expectProblem } from "@/e2e/support/expect-problem"
import { address as addressed, connected, mail, mailOn } from "@/e2e/support/inbound/dialogue"
import { reportAddress } from "@/e2e/support/inbound/report-mail"
import { withRival } from "@/e2e/support/platform/rival"
import { run } from "@/e2e/support/submission/clients"
import { verified } from "@/e2e/support/webhooks/http-receiver"
import { newWebhook } from "@/e2e/support/webhooks/receiver"
import { endAll, receiver, work } from "@/e2e/support/webhooks/working"
import { expectWithin } from "@/e2e/support/within"
import { api, newWorld, type World } from "@/e2e/support/world"
import { sign } from "@/lib/delivery/message/dkim"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { judgeArrival } from "@/lib/inbound/arrival"
import { storeMails, claimMails } from "@/lib/inbound/mails-sql"
import { workOn } from "@/lib/inbound/jobs"
import { createRouteDirectory, routeLimits } from "@/lib/inbound/route-store"
import { createReportAddresses } from "@/lib/inbound/run"
import { openInbound, type Inbound } from "@/lib/inbound/server"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { foldStoredBytes } from "@/lib/projects/quota/data"
import { runReceivedMail, workOnReceived } from "@/lib/received/worker"
import { sweepSteps } from "@/lib/worker/removal-sql"
import { webhookEventSchemas } from "@/lib/webhooks/payload"

const routesPath = "/v1/projects/{projectId}/inbound-routes"
const inboundPath = "/v1/projects/{projectId}/inbound"

const testedPolicies: Record<string, string> = {
  "_dmarc.upper.test": "v=DMARC1; p= REJECT",
  "_dmarc.trying.test": "v=DMARC1; p=reject; t=y",
  "_dmarc.none.test": "v=DMARC1; p=reject; pct=0",
}

/** Answers for `strict.test`, which asks to reject what it did not send, and for few others. */
async function resolve(name: string, type: string): Promise<string[][]> {
  if (type === "TXT" && name === "_dmarc.strict.test") return [["v=DMARC1; p=reject"]]
  if (type === "TXT" && name === "_dmarc.mild.test") return [["v=DMARC1; p=quarantine"]]
  const tested = testedPolicies[name]
  if (type === "TXT" && tested !== undefined) return [[tested]]
  if (type === "TXT" && name === "_dmarc.slow.test") return [["v=DMARC1; p=reject"]]
  if (name === "slow.test" || /^s\._domainkey\.(?:other-)?slow\.test$/.test(name))
    throw Object.assign(new Error(name), { code: "ETIMEOUT" })
  throw Object.assign(new Error(name), { code: "ENOTFOUND" })
}

const listen = (routes = createRouteDirectory()) =>
  openInbound({
    ...{ port: 0, host: "127.0.0.1", routes },
    service: { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" },
    admitReports: createReportAddresses(),
    judge: (message) => judgeArrival(message, resolve),
    store: async (one) => (await storeMails([one]))[0] ?? "late",
    limits: { newPerAddressAndMinuteMax: 10_000, clientsPerAddressMax: 100 },
  })

let inbound: Inbound
let world: World
let domain: string

beforeAll(async () => {
  inbound = await listen()
})
afterAll(async () => {
  await inbound.close()
})
beforeEach(async () => {
  world = await newWorld()
  domain = `in-${world.projectId.slice(-12)}.test`
  await addVerifiedDomain(world, domain)
})

const at = (params: Record<string, string> = {}) => ({
  key: world.apiKey,
  params: { projectId: world.project, ...params },
})
const create = (body: object) => api(`POST ${routesPath}`, { ...at(), body })
async function newRoute(match: string, more: object = {}): Promise<{ id: string; address: string }> {
  const { status, json } = await create({ match, domain, ...more })
  expect({ status, json }).toMatchObject({ status: 201 })
  return json
}
const text = (lines: string[] = [], body = "Hello") =>
  ["From: Ada <ada@lovelace.example>", "Subject: Hi", ...lines, "", body, ""].join("\r\n")

/** What the project stores, once it is counted. */
async function foldedBytes(): Promise<number> {
  await foldStoredBytes(10_000)
  const { rows } = await pool().query("SELECT stored_bytes FROM send_allowances WHERE project_id = $1", [
    world.projectId,
  ])
  return Number(rows[0]?.stored_bytes ?? 0)
}

/** Reads all that came, as the worker does. */
async function workAll(): Promise<void> {
  for (const claimed of await claimMails(100, 60_000, "others")) await workOn(claimed)
  for (const claimed of await claimMails(100, 60_000, "routed")) await workOnReceived(claimed)
}
const list = async (query: Record<string, string> = {}) =>
  (await api(`GET ${inboundPath}`, { ...at(), query })).json.data
async function arrived(to: string, raw: string | Buffer, from = "ada@lovelace.example") {
  expect(await mail(inbound.port, to, raw, from)).toBe("250 2.0.0 Stored")
  await workAll()
  const [{ id }] = await list()
  return (await api(`GET ${inboundPath}/{inboundId}`, at({ inboundId: id }))).json
}

test("a reply becomes email.received within 2 s, signed, with the email that it answers and what the person wrote", async () => {
  const to = await receiver()
  const hook = await newWebhook(world, to.url, { events: ["email.received"] })
  const { json } = await api(`GET /v1/projects/{projectId}/webhooks`, at())
  const { address } = await newRoute("reply+*", { webhookId: json.data[0].id })
  const sent = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: `hello@${domain}`, to: ["ada@lovelace.example"], subject: "Order", text: "Is it blue?" },
  })
  const stop = new AbortController()
  const running = runReceivedMail({ signal: stop.signal, leaseMs: 60_000 })
  work()
  const { code, output } = await run("swaks", [
    ...["--server", "127.0.0.1", "--port", String(inbound.port), "--from", "ada@lovelace.example"],
    ...["--to", address.replace("*", "42"), "--h-From", "Ada <ada@lovelace.example>", "--h-Subject", "Re: Order"],
    ...["--header", `In-Reply-To: ${sent.json.messageId}`],
    ...["--header", `References: <other@lovelace.example> ${sent.json.messageId}`],
    ...["--body", "Yes, blue.\n\nOn Fri, 27 Nov 2026 at 12:00, Acme wrote:\n> Is it blue?\n"],
    ...["--attach-type", "text/csv", "--attach-name", "order.csv", "--attach", "a,b"],
  ])
  expect(code, output).toBe(0)
  await expectWithin(2_000, async () => to.received.length, 1)
  stop.abort()
  await running
  const [first] = to.received
  const event = first && verified(hook.secret, first)
  expect(webhookEventSchemas.find(({ type }) => type === "email.received")?.schema.safeParse(event).error).toBe(
    undefined,
  )
  expect(event).toMatchObject({
    type: "email.received",
    data: {
      ...{ to: address.replace("*", "42"), from: "ada@lovelace.example", fromName: "Ada", subject: "Re: Order" },
      ...{ replyText: "Yes, blue.", inReplyTo: sent.json.id, plus: "42", autoSubmitted: false },
      ...{ spf: "none", dkim: "none", dmarc: "none" },
      attachments: [{ number: 1, filename: "order.csv", contentType: "text/csv" }],
    },
  })
  expect(event?.data.text).toContain("> Is it blue?")
  expect(await list({ inReplyTo: sent.json.id })).toHaveLength(1)
  await endAll()
})

describe("a recipient", () => {
  test("is taken by the address itself, the longest prefix, then the whole domain, and by nothing else", async () => {
    for (const match of ["support", "support+*", "*"]) await newRoute(match)
    const ids = new Map<string, string>()
    for (const local of ["SUPPORT", "support+1", "anybody"]) {
      const { to, routeId } = await arrived(`${local}@${domain.toUpperCase()}`, text([`X-Local: ${local}`]))
      ids.set(to, routeId)
    }
    expect([...ids.keys()]).toEqual([`support@${domain}`, `support+1@${domain}`, `anybody@${domain}`])
    expect(new Set(ids.values()).size).toBe(3)
    expect(await mail(inbound.port, `a@sub.${domain}`, text())).toBe("550 5.1.1 No such address here")
  })

  test("of a domain in another script is taken, from the A-labels that servers write", async () => {
    const ascii = `xn--bcher-kva.${domain}`
    expect((await create({ match: "support", domain: `bücher.${domain}` })).status, "the new route").toBe(201)
    const email = await arrived(`support@${ascii}`, text(), `ada@${ascii}`)
    expect(email.to, "the address that it came to").toBe(`support@${ascii}`)
    expect(email.returnPath, "the sender in the envelope").toBe(`ada@${ascii}`)
  })

  test("with the form of an address for reports is taken by a route, unless it is one", async () => {
    await newRoute("*")
    const token = "0123456789abcdef0123"
    const taken = await arrived(`${token}@${domain}`, text())
    expect(taken.to, "the email that came by the route").toBe(`${token}@${domain}`)
    const [ours] = (await reportAddress(world.projectId, domain)).split("@")
    expect(await mail(inbound.port, `${ours}@${domain}`, text()), "the answer to a report").toBe("250 2.0.0 Stored")
    await workAll()
    expect(
      (await list()).map(({ to }: { to: string }) => to),
      "the emails of the route",
    ).toEqual([taken.to])
  })

  test("without a route is refused, and one whose project is suspended or whose domain is unverified is asked back", async () => {
    await newRoute("support")
    const to = `support@${domain}`
    const answers: string[] = []
    const ask = async (sql: string) => {
      await pool().query(sql, [world.projectId])
      const fresh = await listen()
      answers.push((await mail(fresh.port, to, text())).slice(0, 9))
      await fresh.close()
    }
    answers.push((await mail(inbound.port, `other@${domain}`, text())).slice(0, 9))
    await ask("UPDATE projects SET suspended_at = now() WHERE id = $1")
    await ask("UPDATE projects SET suspended_at = NULL WHERE id = $1")
    await ask("UPDATE domains SET status = 'failed' WHERE project_id = $1")
    await ask("UPDATE domains SET status = 'degraded' WHERE project_id = $1")
    await ask("UPDATE projects SET deleted_at = now() WHERE id = $1")
    expect(answers).toEqual(["550 5.1.1", "450 4.2.1", "250 2.0.0", "450 4.2.1", "250 2.0.0", "550 5.1.1"])
  })

  test("is asked back while its organization moves to another cell and after it at the old one", async () => {
    await newRoute("support")
    await pool().query("UPDATE projects SET deleted_at = now() WHERE id = $1", [world.projectId])
    const answers: string[] = []
    for (const state of ["copying", "held", "left", "arriving", "returning", "arrived"]) {
      await pool().query(
        `INSERT INTO cell_moves (organization_id, state, cell) VALUES ($1, $2, 'us1')
          ON CONFLICT (organization_id) DO UPDATE SET state = excluded.state`,
        [world.organizationId, state],
      )
      const fresh = await listen()
      const to = [`support@${domain}`, `other@${domain}`]
      const heard = await Promise.all(to.map((one) => mail(fresh.port, one, text())))
      answers.push([state, ...heard.map((one) => one.slice(0, 9))].join(" "))
      await fresh.close()
    }
    expect(answers, "the answers to the route's address and to another one of its domain").toEqual([
      "copying 550 5.1.1 550 5.1.1",
      "held 450 4.2.1 550 5.1.1",
      "left 450 4.2.1 550 5.1.1",
      "arriving 450 4.2.1 550 5.1.1",
      "returning 450 4.2.1 550 5.1.1",
      "arrived 550 5.1.1 550 5.1.1",
    ])
  })

  test("takes 60 mails a minute by a route and so many bytes a day; beyond, senders are asked to come back", async () => {
    expect(routeLimits.mailsPerMinute).toBe(60)
    const { address } = await newRoute("support")
    let now = 0
    const few = await listen(
      createRouteDirectory({ limits: { mailsPerMinute: 2, bytesPerDay: 2 ** 30 }, now: () => now }),
    )
    const dialogue = await connected(few.port)
    const answers: string[] = []
    for (const n of [1, 2, 3]) answers.push((await mailOn(dialogue, address, text([`X-N: ${n}`]))).slice(0, 9))
    await dialogue.say("RSET")
    now = 60_000
    answers.push((await mailOn(dialogue, address, text(["X-N: 4"]))).slice(0, 9))
    dialogue.end()
    await few.close()
    expect(answers).toEqual(["250 2.0.0", "250 2.0.0", "451 4.7.1", "250 2.0.0"])
    const full = await listen(createRouteDirectory({ limits: { mailsPerMinute: 60, bytesPerDay: 10 } }))
    expect(await mail(full.port, address, text())).toMatch(/^452 4\.2\.2/)
    const stored = await foldedBytes()
    expect(stored).toBeGreaterThan(0)
    await pool().query("UPDATE projects SET max_stored_bytes = $2 WHERE id = $1", [world.projectId, stored])
    const usual = await listen()
    expect(await mail(usual.port, address, text())).toMatch(/^452 4\.2\.2/)
    await usual.close()
    await full.close()
  })
})

test("an email is from the address that DMARC judged, not from one that its sender took for a name", async () => {
  const { address } = await newRoute("support")
  const from = text().replace("Ada <ada@lovelace.example>", '"ceo@bank.test" <eve@evil.test>')
  const email = await arrived(address, from, "eve@evil.test")
  expect({ from: email.from, fromName: email.fromName }).toEqual({ from: "eve@evil.test", fromName: "ceo@bank.test" })
})

test("recipients that are named without a mail, and mail that is rejected, leave a route all its mails of the minute", async () => {
  const { address } = await newRoute("support")
  const few = await listen(createRouteDirectory({ limits: { mailsPerMinute: 1, bytesPerDay: 2 ** 30 } }))
  const stranger = await connected(few.port)
  for (let n = 0; n < 3; n++) {
    await stranger.say("MAIL FROM:<eve@evil.test>")
    expect(await stranger.say(`RCPT TO:<${address}>`), "the answer to who only asks").toMatch(/^250 /)
    await stranger.say("RSET")
  }
  stranger.end()
  const forged = text().replace("ada@lovelace.example", "ada@strict.test")
  expect(await mail(few.port, address, forged, "ada@strict.test"), "the forged mail").toMatch(/^550 5\.7\.1/)
  expect(await mail(few.port, address, text()), "the first mail").toBe("250 2.0.0 Stored")
  expect(await mail(few.port, address, text(["X-N: 2"])), "the second mail").toMatch(/^451 4\.7\.1/)
  await few.close()
})

test("a mail to more addresses of a route than it takes in a minute is taken for some, and the others come again", async () => {
  const { address } = await newRoute("reply+*")
  const few = await listen(createRouteDirectory({ limits: { mailsPerMinute: 2, bytesPerDay: 2 ** 30 } }))
  const dialogue = await connected(few.port)
  const to = ["1", "2", "3"].map((tag) => address.replace("*", tag))
  const answers = await addressed(dialogue, to, "ada@lovelace.example")
  expect(answers.map((one) => one.slice(0, 9))).toEqual(["250 Accep", "250 Accep", "451 4.7.1"])
  await dialogue.say("DATA")
  dialogue.write(text())
  expect(await dialogue.say(".")).toBe("250 2.0.0 Stored")
  dialogue.end()
  await few.close()
})

test("mail that fails DMARC is rejected where its domain asks for it, and stored with its verdicts elsewhere", async () => {
  const { address } = await newRoute("support")
  const from = (of: string) => text().replace("ada@lovelace.example", `ada@${of}`)
  expect(await mail(inbound.port, address, from("strict.test"), "ada@strict.test")).toMatch(/^550 5\.7\.1/)
  const email = await arrived(address, from("mild.test"), "ada@mild.test")
  expect({ dmarc: email.dmarc, from: email.from }).toEqual({ dmarc: "fail", from: "ada@mild.test" })
})

test("mail that fails DMARC is rejected however the policy is written, and not where its domain only tests it", async () => {
  const { address } = await newRoute("support")
  const answers = []
  for (const of of ["upper.test", "trying.test", "none.test"])
    answers.push(await mail(inbound.port, address, text().replace("ada@lovelace.example", `ada@${of}`), `ada@${of}`))
  expect(answers.map((one) => one.slice(0, 9))).toEqual(["550 5.7.1", "250 2.0.0", "250 2.0.0"])
})

test("mail that may pass DMARC is asked back while the DNS does not answer, where its domain asks to reject what fails", async () => {
  const { address } = await newRoute("support")
  const raw = Buffer.from(text().replace("ada@lovelace.example", "ada@slow.test"))
  const { privateKey: key } = generateKeyPairSync("rsa", { modulusLength: 2_048 })
  const signed = (by: string) => sign(raw, { domain: by, selector: "s", key })
  const answers = [
    await mail(inbound.port, address, raw, "ada@slow.test"),
    await mail(inbound.port, address, await signed("slow.test"), "ada@forwarder.test"),
    // Whatever the DNS says of it later, it proves nothing of this sender.
    await mail(inbound.port, address, await signed("other-slow.test"), "ada@forwarder.test"),
  ]
  expect(
    answers.map((one) => one.slice(0, 9)),
    "the answers",
  ).toEqual(["451 4.7.0", "451 4.7.0", "550 5.7.1"])
})

test("T114: loops are refused, programs' mail is marked, and no mail ever leaves in answer", async () => {
  const { address } = await newRoute("*")
  const to = address.replace("*", "anybody")
  const outgoing = async () => {
    const { rows } = await pool().query(
      `SELECT (SELECT count(*) FROM emails)::int AS emails, (SELECT count(*) FROM deliveries)::int AS deliveries,
        (SELECT count(*) FROM system_mails)::int AS notices`,
    )
    return rows[0]
  }
  const before = await outgoing()
  const hops = (count: number) => text(Array.from({ length: count }, (_, n) => `Received: from a by b; ${n}`))
  expect(await mail(inbound.port, to, hops(51))).toMatch(/^554 5\.4\.6/)
  const marked: boolean[] = []
  for (const [lines, from] of [
    [["Auto-Submitted: auto-replied", "X-Mark: 1"], "ada@lovelace.example"],
    [["Precedence: bulk", "X-Mark: 2"], "ada@lovelace.example"],
    [["X-Mark: 3"], ""],
    [["X-Mark: 4"], "ada@lovelace.example"],
  ] as const)
    marked.push((await arrived(to, text([...lines]), from)).autoSubmitted)
  expect(marked).toEqual([true, true, true, false])
  expect((await arrived(to, hops(50))).headers).toHaveLength(52)
  expect(await outgoing()).toEqual(before)
})

test("T116: hostile content is stored, and served to be saved alone", async () => {
  const { address } = await newRoute("support")
  const part = (type: string, name: string, body: string) => [
    `--b`,
    `Content-Type: ${type}`,
    `Content-Disposition: attachment; filename="${name}"`,
    "",
    body,
  ]
  const raw = [
    "From: eve@evil.example",
    "Subject: =?utf-8?B?4oCuZ3BqLmV4ZQ==?=",
    "Content-Type: multipart/mixed; boundary=b",
    ...Array.from({ length: 10_000 }, (_, n) => `X-${n}: y`),
    "",
    ...["--b", "Content-Type: text/html", "", "<script>alert(1)</script><p>Hi</p>"],
    ...part("image/svg+xml", "a.svg", "<svg onload='alert(1)'/>"),
    ...part("text/html", "a.html", "<script>alert(1)</script>"),
    ...part("application/x-msdownload", "gp\u202egpj.exe", "MZ"),
    ...["--b--", ""],
  ].join("\r\n")
  const email = await arrived(address, raw)
  expect({ headers: email.headers.length, text: email.text.trim() }).toEqual({ headers: 1_000, text: "Hi" })
  expect(email.attachments).toMatchObject([
    { number: 1, filename: "a.svg", contentType: "image/svg+xml" },
    { number: 2, filename: "a.html" },
    { number: 3, filename: "gp\u202egpj.exe" },
  ])
  const headersOf = async (path: string, params: Record<string, string>) => {
    const { response } = await api(`GET ${inboundPath}/{inboundId}/${path}`, at({ inboundId: email.id, ...params }))
    return ["content-type", "content-disposition", "content-security-policy", "x-content-type-options"].map((name) =>
      response.headers.get(name),
    )
  }
  expect(await headersOf("raw", {})).toEqual([
    ...["message/rfc822", 'attachment; filename="message.eml"', "sandbox; default-src 'none'", "nosniff"],
  ])
  const names = ["a.svg", "a.html", "gp_gpj.exe"]
  for (const [index, name] of names.entries())
    expect(await headersOf("attachments/{number}", { number: String(index + 1) })).toEqual([
      ...["application/octet-stream", `attachment; filename="${name}"`, "sandbox; default-src 'none'", "nosniff"],
    ])
  const missing = api(`GET ${inboundPath}/{inboundId}/attachments/{number}`, at({ inboundId: email.id, number: "4" }))
  expectProblem(await missing, 404, "received_attachment.not_found")
})

test("a person's answer to a return path goes to the project's route for all mail, once there is one", async () => {
  const sent = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: `hello@${domain}`, to: ["ada@lovelace.example"], subject: "Order", text: "Is it blue?" },
  })
  const { rows } = await pool().query("SELECT id FROM deliveries WHERE email_id = $1", [
    decodeId("email", sent.json.id),
  ])
  const returnPath = `${verpFor(rows[0].id, hmac)}@send.${domain}`
  const answer = (mark: string) => text(["In-Reply-To: <a@b.example>", `X-Mark: ${mark}`])
  await mail(inbound.port, returnPath, answer("1"), "ada@lovelace.example")
  await workAll()
  expect(await list()).toEqual([])
  const { id } = await newRoute("*")
  const email = await arrived(returnPath, answer("2"))
  expect({ routeId: email.routeId, inReplyTo: email.inReplyTo, dmarc: email.dmarc }).toMatchObject({
    ...{ routeId: id, inReplyTo: sent.json.id },
  })
})

test("an answer to an email that Amazon SES sent is linked to it, though SES has replaced its message id", async () => {
  const { address } = await newRoute("support")
  const sent = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { from: `hello@${domain}`, to: ["ada@lovelace.example"], subject: "Order", text: "Is it blue?" },
  })
  const emailId = decodeId("email", sent.json.id)
  const sesId = (at: number) => `0102${at.toString(16).padStart(12, "0")}-${randomUUID()}-000000`
  const handedOver = async (id: string, projectId = world.projectId) =>
    pool().query(
      `INSERT INTO delivery_attempts (id, project_id, email_id, delivery_id, attempt, outcome, text, started_at)
        SELECT $1, $2, $3, d.id, 1, 'accepted', $4, now() FROM deliveries d WHERE d.email_id = $3`,
      [newId(), projectId, emailId, `Ok ${id}`],
    )
  const [ours, others, old] = [sesId(Date.now()), sesId(Date.now()), sesId(Date.now() - 3_600_000)]
  await handedOver(ours)
  await handedOver(old)
  await handedOver(others, (await newWorld()).projectId)
  const answered = async (messageId: string) =>
    (await arrived(address, text([`In-Reply-To: <${messageId}>`]))).inReplyTo
  expect(await answered(`${ours}@eu-west-1.amazonses.com`), "by the id of a region").toBe(sent.json.id)
  expect(await answered(`${ours}@email.amazonses.com`), "by the id of us-east-1").toBe(sent.json.id)
  expect(await answered(`${ours}@amazonses.com.evil.example`), "by an id of another host").toBeUndefined()
  expect(await answered(`${others}@eu-west-1.amazonses.com`), "by an id of another project").toBeUndefined()
  expect(await answered(`${old}@eu-west-1.amazonses.com`), "by an id of another time than its attempt").toBeUndefined()
})

test("mail is kept for as long as its route says, also after the route is gone, and its events go with it", async () => {
  await newWebhook(world, "http://127.0.0.1:1/", { events: ["email.received"] })
  const hooks = await api("GET /v1/projects/{projectId}/webhooks", at())
  const { address, id } = await newRoute("support", { keepDays: 7, webhookId: hooks.json.data[0].id })
  const events = async () =>
    (await pool().query("SELECT 1 FROM webhook_deliveries WHERE project_id = $1", [world.projectId])).rowCount
  const email = await arrived(address, text())
  const keptMs = Date.parse(email.keepUntil) - Date.parse(email.receivedAt)
  expect(keptMs).toBe(7 * 86_400_000)
  expect((await api(`DELETE ${routesPath}/{routeId}`, at({ routeId: id }))).status).toBe(204)
  const sweep = async () => {
    const steps = sweepSteps.filter(({ name }) => name.endsWith("received email"))
    for (const one of steps) await one.run(pool())
    return (await list()).length
  }
  expect({ emails: await sweep(), events: await events() }).toEqual({ emails: 1, events: 1 })
  await pool().query("UPDATE inbound_messages SET keep_until = now() - interval '1 s' WHERE project_id = $1", [
    world.projectId,
  ])
  expect({ emails: await sweep(), events: await events() }).toEqual({ emails: 0, events: 0 })
})

test("an email is delivered again with the same webhook-id, and not where no webhook takes it", async () => {
  const to = await receiver()
  await newWebhook(world, to.url, { events: ["email.received"] })
  const { json } = await api(`GET /v1/projects/{projectId}/webhooks`, at())
  const { address, id } = await newRoute("support")
  const email = await arrived(address, text())
  const again = () => api(`POST ${inboundPath}/{inboundId}/deliver`, at({ inboundId: email.id }))
  expectProblem(await again(), 409, "received_email.no_webhook")
  await api(`PATCH ${routesPath}/{routeId}`, { ...at({ routeId: id }), body: { webhookId: json.data[0].id } })
  work()
  for (const count of [1, 2]) {
    expect((await again()).status).toBe(202)
    await expectWithin(20_000, async () => to.received.length, count)
  }
  expect(new Set(to.received.map((one) => one.id)).size).toBe(1)
  const after = await api(`GET ${inboundPath}/{inboundId}`, at({ inboundId: email.id }))
  expect(after.json.deliveries).toHaveLength(2)
  await endAll()
})

test("an email that two deliver again at once is delivered once", async () => {
  const { address, id } = await newRoute("support")
  const email = await arrived(address, text())
  const hook = await newWebhook(world, "http://127.0.0.1:1/", { events: ["email.received"] })
  await api(`PATCH ${routesPath}/{routeId}`, { ...at({ routeId: id }), body: { webhookId: encodeId("whk", hook.id) } })
  const again = () => api(`POST ${inboundPath}/{inboundId}/deliver`, at({ inboundId: email.id }))
  const answers = await withRival(async (rival) => {
    await rival.query("BEGIN; LOCK TABLE webhook_deliveries IN SHARE MODE")
    const asked = Promise.all([again(), again()])
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
    await vi.waitFor(async () => expect((await pool().query(waiting)).rowCount).toBe(2), { interval: 5 })
    await rival.query("COMMIT")
    return asked
  })
  expect(answers.map(({ status }) => status)).toEqual([202, 202])
  const { rows } = await pool().query("SELECT status FROM webhook_deliveries WHERE webhook_id = $1", [hook.id])
  expect(rows).toEqual([{ status: "pending" }])
})

describe("routes", () => {
  test("are made at verified domains and below them alone, once each, and recorded in the audit log", async () => {
    const { address, id } = await newRoute("Reply+*")
    expect(address).toBe(`reply+*@${domain}`)
    expectProblem(await create({ match: "reply+*", domain }), 409, "inbound_route.already_exists")
    const below = await create({ match: "a", domain: `sub.${domain}` })
    expect({ status: below.status, mx: below.json.mx }).toMatchObject({
      status: 201,
      mx: { name: `sub.${domain}`, value: "feedback.eu-west-1.mailroom.test", priority: 10 },
    })
    const pointers = async (body: object) =>
      (await create(body)).json.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(await pointers({ match: "a", domain: "other.test" })).toEqual(["/domain"])
    expect(await pointers({ match: "a" })).toEqual(["/domain"])
    expect(await pointers({ match: "a b", domain })).toEqual(["/match"])
    const other = await newWebhook(world, "http://127.0.0.1:1/", {})
    const { json } = await api("GET /v1/projects/{projectId}/webhooks", at())
    expect(other.id).toBeTruthy()
    expect(await pointers({ match: "a", domain, webhookId: json.data[0].id })).toEqual(["/webhookId"])
    await api(`DELETE ${routesPath}/{routeId}`, at({ routeId: id }))
    const { rows } = await pool().query("SELECT action FROM audit_entries WHERE target = $1 ORDER BY id", [id])
    expect(rows.map(({ action }) => action)).toEqual(["inbound_route.created", "inbound_route.deleted"])
  })

  test("of one domain are listed alone, each with the record that its own name needs", async () => {
    await newRoute("a")
    await create({ match: "b", domain: `sub.${domain}` })
    await addVerifiedDomain(world, `second-${domain}`)
    await create({ match: "c", domain: `second-${domain}` })
    await create({})
    const domains = await api("GET /v1/projects/{projectId}/domains", at())
    const { id } = domains.json.data.find((one: { domain: string }) => one.domain === domain)
    const ofDomain = async (domainId: string) => api(`GET ${routesPath}`, { ...at(), query: { domainId } })
    const { data, page } = (await ofDomain(id)).json
    const named = data.map((one: { address: string; mx: { name: string } }) => [one.address, one.mx.name])
    expect(named).toEqual([
      [`b@sub.${domain}`, `sub.${domain}`],
      [`a@${domain}`, domain],
    ])
    expect(page.total).toBe(2)
    expect((await api(`GET ${routesPath}`, at())).json.data).toHaveLength(4)
    expect((await ofDomain("dom_01k9q3f7c2e8m9v4x6y8z0a1b3")).json.data).toEqual([])
    expectProblem(await ofDomain("other"), 400, "request.invalid")
  })

  test("without a domain are test addresses, which work at once", async () => {
    const { json } = await create({})
    expect(json).toMatchObject({ test: true, domain: "mailroom.test" })
    expect(json.mx).toBeUndefined()
    expect((await arrived(json.address, text())).to).toBe(json.address)
  })

  test("of another project are neither seen nor taken from its owner", async () => {
    const { id } = await newRoute("support")
    const other = await newWorld()
    await addVerifiedDomain(other, `other-${domain}`)
    const foreign = { key: other.apiKey, params: { projectId: other.project, routeId: id } }
    expectProblem(await api(`GET ${routesPath}/{routeId}`, foreign), 404, "inbound_route.not_found")
    await addVerifiedDomain(other, domain).catch(() => undefined)
    const taken = await api(`POST ${routesPath}`, {
      ...{ key: other.apiKey, params: { projectId: other.project } },
      body: { match: "support", domain },
    })
    expect([400, 409]).toContain(taken.status)
  })
})
