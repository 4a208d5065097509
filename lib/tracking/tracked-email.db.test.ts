import { request } from "node:http"
import type { AddressInfo } from "node:net"
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { trackingToken } from "@/lib/delivery/message/proven-ids"
import { faultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventRows,
  newSending,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { encodeId, newId } from "@/lib/platform/ids"
import { flushHits } from "@/lib/tracking/hits/hit-buffer"
import { judgeDue } from "@/lib/tracking/hits/data"
import { refreshHosts } from "@/lib/tracking/serve/serve"
import { ageEmail, judgeAll, person, trackedPaths, trackingServer, type TrackingServer } from "@/e2e/support/reader"

let sender: Sending
let smtp: Awaited<ReturnType<typeof faultServer>>
let relays: Relays
let web: TrackingServer

beforeEach(async () => {
  sender = await newSending()
  smtp = await faultServer({})
  relays = relayAt(smtp.port)
  web = await trackingServer()
})
afterEach(async () => {
  web.close()
  await relays.close()
  await smtp.close()
})

const html = '<p>Merhaba <a href="https://shop.example/?a=1&amp;b=ş">Aç</a> <a href="mailto:a@b.test">mail</a></p>'
const opens = size(2_000, 10_000)
const all = { openTracking: true, clickTracking: true }

/** A delivered email of which everything is tracked, and its paths. */
async function tracked(body: Record<string, unknown> = {}, from = sender) {
  const [emailId = ""] = await sendMail(from, { html, trackingSettings: all, ...body })
  await deliverDue(relays)
  await ageEmail(emailId)
  return { emailId, ...(await trackedPaths(smtp.messages.at(-1) ?? "")) }
}

const happened = async (emailId: string) =>
  (await eventRows(emailId)).filter(({ type }) => ["opened", "clicked", "read_engaged"].includes(type))
const statusOf = async (emailId: string) => {
  const [delivery] = await deliveryRows(emailId)
  return [(await emailRow(emailId)).status, delivery.status]
}

describe("an email", () => {
  test("has its links and an image of ours where the request or the project asks for it; the request has the last word", async () => {
    const { links, images } = await tracked()
    expect({ linkCount: links.length, imageCount: images.length }).toEqual({ linkCount: 1, imageCount: 1 })
    await pool().query("UPDATE projects SET open_tracking = true WHERE id = $1", [sender.projectId])
    expect(await tracked({ trackingSettings: {} })).toMatchObject({ links: [], images: [expect.any(String)] })
    expect(await tracked({ trackingSettings: { openTracking: false } })).toMatchObject({ links: [], images: [] })
  })

  test.each([
    ["with tracking switched off", { trackingSettings: { openTracking: false, clickTracking: false } }],
    ["of text alone", { html: undefined, text: "See https://shop.example/", trackingSettings: all }],
    ["to several people who share it", { trackingSettings: all, cc: ["bob@x.example"] }],
  ])("%s is byte for byte what it would be without tracking", async (_, body) => {
    const bodyOf = (raw = "") => raw.slice(raw.indexOf("\r\n\r\n")).replaceAll(/=_[\w-]+/g, "=_")
    await sendMail(sender, { html, ...body })
    await deliverDue(relays)
    await sendMail(sender, { html, ...body, trackingSettings: undefined })
    await deliverDue(relays)
    const [first, ...others] = smtp.messages.map(bodyOf)
    expect(others.length).toBeGreaterThan(0)
    for (const other of others) expect(other).toBe(first)
    expect(first).not.toContain("/t/")
    expect((await pool().query("SELECT 1 FROM tracked_emails WHERE project_id = $1", [sender.projectId])).rows).toEqual(
      [],
    )
  })

  test("keeps its unsubscribe link as it is, in the footer and where its author wrote one", async () => {
    const own = "https://own.example/leave"
    const footer = await tracked({ sendTimeCategory: "marketing" })
    expect(footer.html).toMatch(/<a href="http:\/\/localhost:3000\/u\/[\w-]{44}"/)
    expect(footer.links).toHaveLength(1)
    const written = await tracked({
      html: `<a href="${own}">leave</a><a href="http://localhost:3000/u/x">choose</a>`,
      headers: { "List-Unsubscribe": `<${own}>` },
    })
    expect(written).toMatchObject({ links: [], html: expect.stringContaining(`<a href="${own}">`) })
  })

  test("names the sending domain's own host once that is verified", async () => {
    await pool().query("UPDATE domains SET tracking_status = 'verified' WHERE id = $1", [sender.domainId])
    const own = await tracked()
    expect(own.html.match(/https:\/\/[^/"]+\/t\//g)).toEqual(Array(2).fill(`https://links.${sender.domain}/t/`))
    const { rows } = await pool().query("SELECT host, urls FROM tracked_emails WHERE email_id = $1", [own.emailId])
    expect(rows).toEqual([{ host: `links.${sender.domain}`, urls: ["https://shop.example/?a=1&b=%C5%9F"] }])
  })
})

describe("a link", () => {
  test("leads to the stored target and nowhere else, tells it nothing, and moves the email to clicked", async () => {
    const {
      emailId,
      links: [link = ""],
    } = await tracked()
    const answer = await web.visit(`${link}?url=http://evil.example`)
    expect(answer).toMatchObject({
      status: 302,
      headers: {
        location: "https://shop.example/?a=1&b=%C5%9F",
        "cache-control": "no-store",
        "referrer-policy": "no-referrer",
        "x-robots-tag": "noindex",
      },
    })
    await judgeAll()
    expect(await happened(emailId)).toEqual([
      {
        type: "clicked",
        data: {
          to: "ada@lovelace.example",
          subject: "Hello",
          url: "https://shop.example/?a=1&b=%C5%9F",
          userAgent: person,
        },
      },
    ])
    expect(await statusOf(emailId)).toEqual(["clicked", "clicked"])
  })

  test("that is forged, of no email, of an image or badly written is one and the same answer, and nothing is recorded", async () => {
    const {
      emailId,
      links: [link = ""],
      images: [image = ""],
    } = await tracked()
    const missing = trackingToken({ kind: "click", deliveryId: newId(), number: 0 }, hmac)
    const [delivery] = await deliveryRows(emailId)
    const beyond = trackingToken({ kind: "click", deliveryId: delivery.id, number: 7 }, hmac)
    const flipped = link.slice(0, -1) + (link.endsWith("A") ? "B" : "A")
    const paths = [
      flipped,
      `/t/${missing}`,
      `/t/${beyond}`,
      image.slice(0, -4),
      "/t/",
      "/t/x",
      `${link}/../x`,
      `${link}%00`,
    ]
    const answers = await Promise.all([...paths, `/t/${"a".repeat(10_000)}`].map((path) => web.visit(path)))
    const [first] = answers
    for (const { status, headers, body } of answers) {
      expect(status).toBe(404)
      expect({ ...headers, date: "" }).toEqual({ ...first?.headers, date: "" })
      expect(String(body)).toEqual(String(first?.body))
    }
    await judgeAll()
    expect(await happened(emailId)).toEqual([])
  })

  test("is answered by the host it was written for and the service's, and is unknown to another project's host", async () => {
    const other = await newSending()
    await pool().query("UPDATE domains SET tracking_status = 'verified' WHERE id = ANY ($1)", [
      [sender.domainId, other.domainId],
    ])
    await refreshHosts()
    const {
      emailId,
      links: [link = ""],
      images: [image = ""],
    } = await tracked()
    const at = async (host: string) => (await web.visit(link, { host })).status
    const [own, foreign] = [`links.${sender.domain}`, `links.${other.domain}`]
    expect(await at(own)).toBe(302)
    expect(await at(`${own.toUpperCase()}:443`)).toBe(302)
    expect(await at("localhost:3000")).toBe(302)
    const unknown = await web.visit(`/t/${"A".repeat(48)}`, { host: foreign })
    const theirs = await web.visit(link, { host: foreign })
    expect({ status: theirs.status, body: String(theirs.body) }).toEqual({ status: 404, body: String(unknown.body) })
    // An image is the same for all, and is not recorded.
    expect((await web.visit(image, { host: foreign })).body).toEqual((await web.visit(image, { host: own })).body)
    await judgeAll()
    expect((await happened(emailId)).filter(({ type }) => type === "opened")).toHaveLength(1)
  })

  test("is answered under any name that is nobody's host, such as one that the service had before, and recorded", async () => {
    await refreshHosts()
    const {
      emailId,
      links: [link = ""],
      images: [image = ""],
    } = await tracked()
    const host = "before.example"
    expect(await web.visit(link, { host })).toMatchObject({
      status: 302,
      headers: { location: "https://shop.example/?a=1&b=%C5%9F" },
    })
    await web.visit(image, { host })
    await judgeAll()
    expect((await happened(emailId)).map(({ type }) => type).sort(), "events").toEqual(["clicked", "opened"])
  })

  test("of a suspended project is 410 within seconds, and nothing is recorded", async () => {
    const {
      emailId,
      links: [link = ""],
    } = await tracked()
    await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [sender.projectId])
    expect((await web.visit(link)).status).toBe(410)
    await judgeAll()
    expect(await happened(emailId)).toEqual([])
  })

  test("works while the database cannot write, and what happened then is recorded afterwards", async () => {
    const {
      emailId,
      links: [link = ""],
    } = await tracked()
    const original = pool().query.bind(pool())
    const refused = vi
      .spyOn(pool(), "query")
      .mockImplementation(((statement: { name?: string }, ...rest: []) =>
        statement.name === "tracking.add_hits"
          ? Promise.reject(Object.assign(new Error("read only"), { code: "25006" }))
          : original(statement as never, ...rest)) as never)
    expect((await web.visit(link)).status).toBe(302)
    await judgeAll()
    expect(await happened(emailId)).toEqual([])
    refused.mockRestore()
    await judgeAll()
    expect((await happened(emailId)).map(({ type }) => type)).toEqual(["clicked"])
  })

  /** A scanner follows three links; what it has done is dated back. */
  async function scanned(minutesAgo: number): Promise<string> {
    const links = ["a", "b", "c"].map((path) => `<a href="https://shop.example/${path}">${path}</a>`).join("")
    const mail = await tracked({ html: links, trackingSettings: { clickTracking: true } })
    for (const link of mail.links) await web.visit(link)
    await flushHits()
    await pool().query("UPDATE tracking_hits SET at = at - make_interval(mins => $2) WHERE email_id = $1", [
      mail.emailId,
      minutesAgo,
    ])
    return mail.emailId
  }
  const machines = async (emailId: string) => (await happened(emailId)).map(({ data }) => data.machine)

  test("followed by a scanner together with others is a machine's, also when it is judged much later", async () => {
    const emailId = await scanned(20)
    await judgeAll()
    expect(await machines(emailId), "machine").toEqual(["true", "true", "true"])
  })

  test("followed by a scanner is a machine's, whatever flood another project's email has at that moment", async () => {
    const emailId = await scanned(1)
    const other = await tracked({}, await newSending())
    await pool().query(
      `INSERT INTO tracking_hits (id, project_id, email_id, delivery_id, kind, number, client, at, due_at)
        SELECT gen_random_uuid(), d.project_id, d.email_id, d.id, 'open', 0, n::text, now(), CASE WHEN n = 1 THEN now() END
          FROM deliveries d, generate_series(1, 5000) n WHERE d.email_id = $1`,
      [other.emailId],
    )
    await judgeAll()
    expect(await machines(emailId), "machine").toEqual(["true", "true", "true"])
  })

  test("followed before the attempt that succeeded is a person's, by an earlier one whose response was lost, and during it a machine's", async () => {
    const {
      emailId,
      links: [link = ""],
    } = await tracked()
    await pool().query(
      `UPDATE deliveries SET first_attempt_at = now() - interval '1 hour', sent_at = now() - interval '1 minute' WHERE email_id = $1`,
      [emailId],
    )
    await pool().query("UPDATE delivery_attempts SET started_at = now() - interval '2 minutes' WHERE email_id = $1", [
      emailId,
    ])
    for (const seconds of [1_800, 90]) {
      await web.visit(link, { ip: `203.0.113.${seconds % 100}` })
      await flushHits()
      await pool().query(
        "UPDATE tracking_hits SET at = now() - make_interval(secs => $2) WHERE email_id = $1 AND at > now() - interval '1 minute'",
        [emailId, seconds],
      )
    }
    await judgeAll()
    expect(await machines(emailId), "machine").toEqual([undefined, "true"])
  })

  test("takes GET and HEAD alone, and HEAD is a machine's", async () => {
    const {
      emailId,
      links: [link = ""],
    } = await tracked()
    expect(await web.visit(link, { method: "POST" })).toMatchObject({ status: 405, headers: { allow: "GET, HEAD" } })
    expect(await web.visit(link, { method: "HEAD" })).toMatchObject({ status: 302 })
    await judgeAll()
    expect(await happened(emailId)).toMatchObject([{ type: "clicked", data: { machine: "true" } }])
    expect(await statusOf(emailId)).toEqual(["delivered", "delivered"])
  })
})

describe("an image", () => {
  test("is the same GIF for every token, never cached, without a cookie; a known one opens its email", async () => {
    const {
      emailId,
      images: [image = ""],
    } = await tracked()
    const known = await web.visit(`${image}?src=http://169.254.169.254/`)
    const unknown = await web.visit(`/t/${"x".repeat(48)}.gif`)
    expect(known.body.toString("latin1")).toMatch(/^GIF89a\x01\0\x01\0/)
    expect(unknown.status).toBe(200)
    expect(unknown.body).toEqual(known.body)
    expect({ ...unknown.headers, date: "" }).toEqual({ ...known.headers, date: "" })
    expect(known.headers).toMatchObject({
      "content-type": "image/gif",
      "cache-control": expect.stringContaining("no-store"),
      "cross-origin-resource-policy": "cross-origin",
    })
    expect(known.headers).not.toHaveProperty("set-cookie")
    await judgeAll()
    expect((await happened(emailId)).map(({ type, data }) => [type, data.machine])).toEqual([["opened", undefined]])
    expect(await statusOf(emailId)).toEqual(["opened", "opened"])
  })

  test(`opened ${opens} times adds a few events, and none of the requests fails`, async () => {
    const {
      emailId,
      images: [image = ""],
    } = await tracked()
    for (let round = 0; round < opens / 100; round++) {
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, nth) => web.visit(image, { ip: `203.0.${round}.${nth}` })),
      )
      expect(answers.every(({ status }) => status === 200)).toBe(true)
    }
    await judgeAll()
    const { length } = await happened(emailId)
    expect(length).toBeGreaterThan(10)
    expect(length).toBeLessThanOrEqual(100)
  }, 120_000)

  test("fetched before the sending has ended waits for it, and does not disturb it", async () => {
    const {
      emailId,
      images: [image = ""],
    } = await tracked()
    await pool().query("UPDATE deliveries SET status = 'sending' WHERE email_id = $1", [emailId])
    await pool().query("UPDATE emails SET status = 'sending' WHERE id = $1", [emailId])
    await web.visit(image)
    await flushHits()
    await judgeDue(100)
    expect({ happened: await happened(emailId), status: await statusOf(emailId) }).toEqual({
      happened: [],
      status: ["sending", "sending"],
    })
    await pool().query("UPDATE deliveries SET status = 'delivered' WHERE email_id = $1", [emailId])
    await pool().query("UPDATE emails SET status = 'delivered' WHERE id = $1", [emailId])
    await judgeAll()
    expect(await statusOf(emailId)).toEqual(["opened", "opened"])
  })

  test("of an email that was marked as spam, or bounced, adds to the timeline and leaves the status", async () => {
    for (const status of ["complained", "bounced"]) {
      const {
        emailId,
        images: [image = ""],
      } = await tracked()
      await pool().query("UPDATE deliveries SET status = $2 WHERE email_id = $1", [emailId, status])
      await pool().query("UPDATE emails SET status = $2 WHERE id = $1", [emailId, status])
      await web.visit(image)
      await judgeAll()
      expect({ happenedCount: (await happened(emailId)).length, status: await statusOf(emailId) }).toEqual({
        happenedCount: 1,
        status: [status, status],
      })
    }
  })

  test("judged by two workers at once opens its email once", async () => {
    const emails = [await tracked(), await tracked(), await tracked()]
    for (const {
      images: [image = ""],
    } of emails)
      await web.visit(image)
    await flushHits()
    await Promise.all([judgeDue(2), judgeDue(2), judgeDue(2)])
    await judgeAll()
    for (const { emailId } of emails) expect(await happened(emailId)).toHaveLength(1)
  })
})

test("people alone count in the performance of an email", async () => {
  const {
    emailId,
    links: [link = ""],
    images: [image = ""],
  } = await tracked()
  await web.visit(image, { userAgent: "Mozilla/5.0" })
  await web.visit(link, { method: "HEAD" })
  await judgeAll()
  const params = { id: encodeId("email", emailId) }
  const read = async () => (await api("GET /v1/metrics/emails/{id}", { key: sender.apiKey, params })).json
  expect(await read()).toMatchObject({ opened: false, clicked: false, totalClicks: 0, status: "delivered" })
  await web.visit(image, { ip: "203.0.113.10" })
  await judgeAll()
  expect(await read()).toMatchObject({ opened: true, clicked: false, status: "opened" })
})

describe("a host of tracked links", () => {
  test("answers links, their proof and the pages to unsubscribe, and nothing of the dashboard", async () => {
    await refreshHosts()
    const host = `links.${sender.domain}`
    const status = async (path: string, at: string) => {
      const answer = await web.visit(path, { host: at })
      return answer.headers["x-next"] ? "next" : answer.status
    }
    expect(await status("/sign-in", host)).toBe(404)
    expect(await status("/v1/emails", host)).toBe(404)
    expect(await status("/u/x", host)).toBe("next")
    for (const path of [
      "/u/../sign-in",
      "/u/%2e%2e/docs",
      "/u/..%2fdocs",
      "/u/x/../../api/auth/csrf",
      "/u//x",
      "/u/./x",
    ])
      expect(await status(path, host), path).toBe(404)
    expect(await status("/sign-in", "localhost:3000")).toBe("next")
    const proof = await web.visit("/.well-known/mailroom/abc", { host })
    expect({ status: proof.status, body: String(proof.body) }).toEqual({
      status: 200,
      body: hmac("tracking-host", "abc").toString("base64url"),
    })
  })

  test("may have a certificate once its domain is verified; only a proxy on this machine is told", async () => {
    await pool().query("UPDATE domains SET status = 'pending' WHERE id = $1", [sender.domainId])
    const allowed = async (domain: string) => (await web.visit(`/internal/tls-allowed?domain=${domain}`)).status
    const host = `links.${sender.domain}`
    await refreshHosts()
    expect(await allowed(host)).toBe(404)
    await pool().query("UPDATE domains SET status = 'verified' WHERE id = $1", [sender.domainId])
    await refreshHosts()
    expect(await allowed(host)).toBe(200)
    expect(await allowed("localhost")).toBe(200)
    expect(await allowed("evil.example")).toBe(404)
    expect(await allowed("")).toBe(404)
    const { port } = web.server.address() as AddressInfo
    const through = await new Promise((resolve) =>
      request(
        {
          host: "127.0.0.1",
          port,
          path: `/internal/tls-allowed?domain=${host}`,
          headers: { "x-forwarded-for": "203.0.113.1" },
        },
        (response) => resolve(response.statusCode),
      ).end(),
    )
    expect(through).toBe(404)
  })
})
