import { expectProblem } from "@/e2e/support/expect-problem"
import { randomUUID } from "node:crypto"
import { dkimVerify } from "mailauth/lib/dkim/verify"
import PostalMime from "postal-mime"
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest"
import { api, newMember, newSession, newWorld } from "@/e2e/support/world"
import { signInLimits } from "@/lib/access/credentials/sign-in-limits"
import { changeAndTell, listUndeliveredMail, queueSystemMail } from "@/lib/access/system-mail/data"
import { sampleNotices } from "@/e2e/support/access/sample-notices"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { serviceKey, serviceKeyName, serviceKeyRecord } from "@/lib/domains/keys/data"
import { pool } from "@/lib/platform/database/db"
import { provideEnv } from "@/lib/platform/env/env"
import { runSystemMail } from "@/lib/worker/system-mail"
import { systemIo } from "@/lib/regions/io"

const inFiveMinutes = () => new Date(Date.now() + 300_000)
const ended: (() => Promise<unknown>)[] = []

// Making the key takes up to a second, which no mail of these tests should wait for.
beforeAll(() => serviceKey())
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
  await pool().query("DELETE FROM system_mails")
  await pool().query("DELETE FROM undelivered_system_mails")
  provideEnv({ SMTP_URL: "", CELL: "", CELLS: "" })
})

describe("system mail", () => {
  test("leaves by SMTP from SYSTEM_FROM, says that a machine wrote it, and nothing of it is kept", async () => {
    const { server } = await worker()
    const { projectId } = await newWorld()
    await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    const mail = await PostalMime.parse(server.messages[0] ?? "")
    expect(mail.from?.address).toBe("no-reply@mailroom.test")
    expect(mail.to?.map(({ address }) => address)).toEqual(["ada@example.com"])
    expect(mail.subject).toBe("You are invited to Acme & Söhne on Mailroom")
    expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated")
    expect(mail.text).toContain("http://localhost:3000/invite?token=abc")
    expect(mail.html).toContain("Acme &#38; Söhne")
    expect(mail.html).not.toContain("<Hopper>")
    expect(server.received.join("\n")).toContain("MAIL FROM:<no-reply@mailroom.test>")
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 })
    const { rows } = await pool().query("SELECT count(*)::int AS mails FROM emails WHERE project_id = $1", [projectId])
    expect(rows[0].mails).toBe(0)
  })

  test("brings a notice to every owner as text and as HTML, with names escaped", async () => {
    const { server } = await worker()
    const world = await newWorld()
    await newMember(world, "owner")
    await pool().query("UPDATE projects SET name = 'Söhne <b>& Co' WHERE id = $1", [world.projectId])
    await changeAndTell(world.projectId, async () => ({ notice: sampleNotices.degraded, page: "domains/dom_1" }))
    await vi.waitFor(() => expect(server.messages).toHaveLength(2), { timeout: 20_000 })
    const mails = await Promise.all(server.messages.map((message) => PostalMime.parse(message)))
    expect(new Set(mails.flatMap(({ to }) => to?.map(({ address }) => address))).size).toBe(2)
    for (const mail of mails) {
      expect(mail.subject).toBe("DNS records of acme.com are missing")
      expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated")
      expect(mail.text).toContain("of the project Söhne <b>& Co at localhost:3000 is degraded")
      expect(mail.text).toContain(`http://localhost:3000/projects/${world.project}/domains/dom_1\n`)
      expect(mail.html).toContain("Söhne &#60;b&#62;&#38; Co")
      expect(mail.html).not.toContain("<b>")
    }
  })

  test("waits sealed: neither the address nor the link can be read in the database", async () => {
    await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
    const { rows } = await pool().query(
      "SELECT encode(content, 'escape') AS content, row_to_json(s)::text AS row FROM system_mails s",
    )
    expect(JSON.stringify(rows)).not.toMatch(/ada@example|token=abc/)
  })

  test("is tried again after a refusal for now, and comes once", async () => {
    const { server } = await worker({ RCPT: (_, count) => (count === 1 ? "451 4.7.1 not now" : "250 2.1.5 ok") })
    await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
    await vi.waitFor(async () => expect((await rows())[0]?.put_off).toBe(true))
    await pool().query("UPDATE system_mails SET due_at = now() - interval '1 second'")
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 })
  })

  test.each([
    [
      "after a refusal for good",
      { RCPT: "550 5.1.1 no such user" },
      "",
      "The mail server refused it: 550 5.1.1 no such user",
    ],
    [
      "after 24 hours of deferrals",
      { RCPT: "451 4.7.1 not now" },
      "created_at = now() - interval '24 hours'",
      "The mail server did not accept it for 24 hours: 451 4.7.1 not now",
    ],
    [
      "when the relay is unreachable for 24 hours",
      { GREETING: "421 4.3.2 closing" },
      "created_at = now() - interval '24 hours'",
      "The mail server was unreachable for 24 hours: 421 4.3.2 closing",
    ],
    ["when its time is over", {}, "expires_at = now() - interval '1 second'", "It was not delivered in time."],
  ] as const)(
    "is given up %s, and the operator sees to whom and why, but nothing of what it said",
    async (_, faults, change, reason) => {
      await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
      if (change) await pool().query(`UPDATE system_mails SET ${change}`)
      const { server } = await worker(faults)
      await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 })
      expect(server.messages).toHaveLength(0)
      expect(await listUndeliveredMail()).toEqual([
        { kind: "invite", to: "ada@example.com", reason, queuedAt: expect.any(Date), failedAt: expect.any(Date) },
      ])
      const { rows } = await pool().query(
        "SELECT reason, reason_facts, row_to_json(u)::text AS text FROM undelivered_system_mails u",
      )
      expect(JSON.stringify(rows)).not.toMatch(/ada@example|token=abc/)
      expect(rows[0].reason).toMatch(/^[a-z_]+$/)
      expect(JSON.stringify(rows[0].reason_facts)).not.toMatch(/mail server/)
    },
  )

  test("that a worker of the release before gave up shows the sentence that it stored", async () => {
    const reason = "The mail server refused it: 550 5.1.1 no such user"
    await queueSystemMail(invite("ada@example.com"), new Date(Date.now() - 1_000))
    await worker()
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 })
    await pool().query("UPDATE undelivered_system_mails SET reason = $1, reason_facts = NULL", [reason])
    expect(await listUndeliveredMail()).toEqual([expect.objectContaining({ to: "ada@example.com", reason })])
  })

  test.each([
    ["a minute", "1 minute", 30],
    ["an hour", "1 hour", 1_800],
    ["23 hours", "23 hours", 1_800],
  ])(
    "that was deferred %s after it was queued is retried after a pause that grows with its age",
    async (_, age, seconds) => {
      await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
      await pool().query(`UPDATE system_mails SET created_at = now() - interval '${age}', attempts = 40`)
      await worker({ RCPT: "451 4.7.1 not now" })
      const pause = "SELECT extract(epoch FROM due_at - now())::float AS seconds FROM system_mails WHERE attempts = 41"
      // Until then its lease of a minute is what it is due by.
      await vi.waitFor(
        async () => expect(Math.abs((await pool().query(pause)).rows[0]?.seconds - seconds)).toBeLessThan(10),
        { timeout: 20_000 },
      )
    },
  )

  test("waits 15 seconds at a time while the relay is unreachable, however old it is, and makes no link meanwhile", async () => {
    const email = await person()
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    for (let turn = 0; turn < 4; turn++)
      expect((await wish(email, { "x-client-ip": `192.0.2.${turn}` })).status).toBe(204)
    await pool().query("UPDATE system_mails SET created_at = now() - interval '20 hours'")
    // One mail is due first, and finds out.
    await pool().query(
      "UPDATE system_mails SET due_at = now() + interval '1 second' WHERE id <> (SELECT id FROM system_mails ORDER BY id LIMIT 1)",
    )
    await worker({ GREETING: "554 no" })
    await vi.waitFor(async () => expect(await putOff()).toBe(4), { timeout: 20_000 })
    const { rows } = await pool().query(
      "SELECT count(*)::int AS links FROM sign_in_links l JOIN users u ON u.id = l.user_id WHERE u.email = $1",
      [email],
    )
    expect(rows[0].links).toBe(1)
  })

  test("is signed by the service domain with a key that is made once, sealed, and published by its record", async () => {
    await pool().query("DELETE FROM service_keys")
    const keys = await Promise.all(Array.from({ length: 4 }, () => serviceKey()))
    expect(new Set(keys.map(({ publicKey }) => publicKey)).size).toBe(1)
    const { rows } = await pool().query(
      "SELECT encode(private_key, 'escape') AS text, encode(private_key, 'base64') AS base64 FROM service_keys",
    )
    expect(rows).toHaveLength(1)
    expect(rows[0].text).not.toContain("PRIVATE KEY")
    const { server } = await worker()
    await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    const asked: string[] = []
    const resolver = async (name: string) => {
      asked.push(name)
      return [[serviceKeyRecord(keys[0]?.publicKey ?? "")]]
    }
    const { results } = await dkimVerify(Buffer.from(server.messages[0] ?? "", "latin1"), { resolver })
    expect(
      results.map(({ signingDomain, selector, status }) => [signingDomain, selector, status.result, status.aligned]),
    ).toEqual([["mailroom.test", "mailroom", "pass", "mailroom.test"]])
    expect(asked).toContain(serviceKeyName("mailroom.test"))
  })

  test("that carries an invite shows in the list of open invites why it was not delivered", async () => {
    const world = await newWorld()
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    const cookie = await newSession(world.userId)
    const at = { cookie, params: { projectId: world.project } }
    const email = `undelivered-${randomUUID()}@example.com`
    expect(
      (await api("POST /v1/projects/{projectId}/invites", { ...at, body: { email, role: "viewer" } })).status,
    ).toBe(201)
    await worker({ RCPT: "550 5.1.1 no such user" })
    const shown = async () => (await api("GET /v1/projects/{projectId}/invites", at)).json.data[0].undelivered
    await vi.waitFor(async () => expect(await shown()).toBe("The mail server refused it: 550 5.1.1 no such user"), {
      timeout: 20_000,
    })
    expect(
      (await api("POST /v1/projects/{projectId}/invites", { ...at, body: { email, role: "viewer" } })).json.undelivered,
    ).toBeUndefined()
  })

  test("of a worker that died is taken up by the next when the lease ends", async () => {
    await queueSystemMail(invite("ada@example.com"), inFiveMinutes())
    await pool().query("UPDATE system_mails SET attempts = 1, due_at = now() + interval '400 milliseconds'")
    const { server } = await worker()
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
  })
})

describe("a wish for a sign-in link", () => {
  test("of a user brings a link by mail, on the origin of the configuration, that signs in", async () => {
    const { server } = await worker()
    const email = await person()
    const answer = await wish(` ${email.toUpperCase()} `, { host: "evil.test", "x-forwarded-host": "evil.test" })
    expect({ status: answer.status, json: answer.json }).toEqual({ status: 204, json: undefined })
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    const { text = "", to } = await PostalMime.parse(server.messages[0] ?? "")
    expect(to?.[0]?.address).toBe(email)
    expect(text).toMatch(/http:\/\/localhost:3000\/sign-in\/link\?token=[\w-]{43}\n/)
    expect(text).not.toContain("evil")
  })

  test("carries the page that was wanted, such as an invite, through the email to the link", async () => {
    const { server } = await worker()
    const email = await person()
    const wanted = "/invite?token=abc-123_x&from=a b"
    expect((await wish(email, {}, wanted.replace(" ", "%20"))).status).toBe(204)
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    const { searchParams } = linkIn(await PostalMime.parse(server.messages[0] ?? ""))
    expect(searchParams.get("token")).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get("callbackUrl")).toBe(wanted.replace(" ", "%20"))
    expect((await wish(email, {}, `/${"x".repeat(2_000)}`)).status).toBe(400)
  })

  test.each([
    "//evil.test",
    "https://evil.test/",
    "/\\evil.test",
    "/%2f%2fevil.test",
    "javascript:alert(1)",
    "/a\r\nb",
    "",
  ])("leads to no page that is not ours: %j counts as none", async (wanted) => {
    const { server } = await worker()
    expect((await wish(await person(), {}, wanted)).status).toBe(204)
    await vi.waitFor(() => expect(server.messages).toHaveLength(1), { timeout: 20_000 })
    const link = linkIn(await PostalMime.parse(server.messages[0] ?? ""))
    expect([...link.searchParams.keys()]).toEqual(["token"])
  })

  test("of an unknown address is answered alike with the same statements, and nobody gets a mail", async () => {
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    const email = await person()
    const unknown = `${randomUUID()}@example.com`
    const [known, nobodys] = [await statements(() => wish(email)), await statements(() => wish(unknown))]
    expect(known).toBeGreaterThan(1)
    expect(nobodys).toBe(known)
    const { server } = await worker()
    await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 20_000 })
    expect(server.received.filter((line) => line.startsWith("RCPT"))).toEqual([`RCPT TO:<${email}>`])
  })

  test.each([
    "a@example.com,b@example.com",
    "a@example.com\nBcc: b@example.com",
    "a@example.com>",
    "a",
    ["a@example.com"],
    { $gt: "" },
    "",
    "ä".repeat(400),
  ])("of %j is refused before anything is looked up", async (email) => {
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    expect((await wish(email)).status).toBe(400)
    expect(await waiting()).toBe(0)
  })

  test("is dropped after 5 from one network and after 20 in all for one address, with the same answer", async () => {
    provideEnv({ SMTP_URL: "smtp://127.0.0.1:9?tls=none" })
    const email = await person()
    for (let turn = 0; turn < 6; turn++)
      expect((await wish(email, { "x-client-ip": `192.0.2.${turn}` })).status).toBe(204)
    expect(await waiting()).toBe(5)
    for (let turn = 0; turn < 16; turn++)
      expect((await wish(email, { "x-client-ip": `198.51.${turn}.7` })).status).toBe(204)
    expect(await waiting()).toBe(20)
  })

  test("is refused while every region is a sandbox", async () => {
    const { status, json } = await wish("ada@example.com")
    expectProblem({ status, json }, 403, "auth.sign_in_links_off")
  })
})

function invite(to: string) {
  return {
    kind: "invite",
    to,
    organization: "Acme & Söhne",
    role: "admin",
    inviter: "Grace <Hopper>",
    url: "http://localhost:3000/invite?token=abc",
  } as const
}

async function worker(faults: Faults = {}): Promise<{ server: FaultServer }> {
  const server = await faultServer(faults)
  provideEnv({ SMTP_URL: `smtp://127.0.0.1:${server.port}?tls=none` })
  const stop = new AbortController()
  const running = runSystemMail({ io: systemIo(), signal: stop.signal, leaseMs: 60_000 })
  ended.push(
    () => server.close(),
    async () => {
      stop.abort()
      await running
    },
  )
  return { server }
}

describe("the addresses to sign in at", () => {
  const find = (email: string) =>
    api("POST /v1/session/links", { body: { email, find: true }, headers: { "x-client-ip": "192.0.2.201" } })

  test("come by the form and within the limits of links, to users only; about a stranger, mail waits for cells that are silent", async () => {
    // Nothing listens there.
    provideEnv({ CELL: "eu1", CELLS: "us1=http://127.0.0.1:9" })
    const { server } = await worker()
    const email = await person()
    for (const to of [email, `stranger-${randomUUID()}@example.com`]) {
      const { status, json } = await find(to)
      expect([status, json]).toEqual([204, undefined])
    }
    await vi.waitFor(async () => expect(await rows()).toEqual([{ put_off: true }]), { timeout: 20_000, interval: 20 })
    expect(server.messages).toHaveLength(1)
    const mail = await PostalMime.parse(server.messages[0] ?? "")
    expect(mail.to?.map(({ address }) => address)).toEqual([email])
    expect(mail.text).toContain("http://localhost:3000/sign-in")
    expect(mail.text).not.toContain("token=")
    for (let again = 0; again < 8; again++) expect((await find(email)).status).toBe(204)
    await vi.waitFor(() => expect(server.messages).toHaveLength(signInLimits.linksPerNetwork), { timeout: 20_000 })
    await vi.waitFor(async () => expect(await rows()).toHaveLength(1), { timeout: 20_000 })
    expect(server.messages).toHaveLength(signInLimits.linksPerNetwork)
  })
})

async function person(): Promise<string> {
  const { userId } = await newWorld()
  const email = `person-${randomUUID()}@example.com`
  await pool().query("UPDATE users SET email = $2 WHERE id = $1", [userId, email])
  return email
}

function linkIn({ text = "" }: { text?: string }): URL {
  return new URL(/http:\S+\/sign-in\/link\S+/.exec(text)?.[0] ?? "")
}

function wish(email: unknown, headers: Record<string, string> = {}, wanted?: string) {
  return api("POST /v1/session/links", {
    body: { email, wanted },
    headers: { "x-client-ip": "192.0.2.200", ...headers },
  })
}

async function rows() {
  return (
    await pool().query<{ put_off: boolean }>(
      "SELECT attempts = 1 AND due_at < now() + interval '20 seconds' AS put_off FROM system_mails",
    )
  ).rows
}

/** Mails that wait for the relay: due in some 15 seconds. */
async function putOff(): Promise<number> {
  const due = "due_at BETWEEN now() + interval '5 seconds' AND now() + interval '16 seconds'"
  return (await pool().query(`SELECT 1 FROM system_mails WHERE attempts > 0 AND ${due}`)).rowCount ?? 0
}

async function waiting(): Promise<number> {
  return (await pool().query("SELECT 1 FROM system_mails")).rowCount ?? 0
}

async function statements(work: () => Promise<unknown>): Promise<number> {
  const spy = vi.spyOn(pool(), "query")
  await work()
  // The announcement of work is one for all that a process commits within a moment.
  const count = spy.mock.calls.filter(([query]) => !isAnnouncement(query)).length
  spy.mockRestore()
  return count
}

function isAnnouncement(query: unknown): boolean {
  return typeof query === "object" && query !== null && "name" in query && query.name === "jobs.announce"
}
