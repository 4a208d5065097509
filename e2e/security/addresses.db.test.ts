import fc from "fast-check"
import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { usedToday } from "@/e2e/support/used-today"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { assertInTime } from "@/e2e/support/properties"

// Attacks on senders and recipients, through the API.

beforeEach(() => pool().query("DELETE FROM rate_windows"))

let world: World
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world, "verified.test")
  await pool().query("UPDATE projects SET per_second_sends = 100000 WHERE id = $1", [world.projectId])
})

const mail = { from: "hello@verified.test", to: ["ada@lovelace.example"], subject: "Hello", text: "Hi", testMode: true }
const send = (change: Record<string, unknown>) =>
  api("POST /v1/emails", { key: world.apiKey, body: { ...mail, ...change } })

const injections = [
  "a@x.test\r\nBcc: e@x",
  "x@x>\r\nRCPT TO:<e@x",
  "x@x.test>\r\nRCPT TO:<e@x.test",
  "\n",
  "\r",
  "%0d%0a",
  "a%0d%0a@x.test",
  "a@x.test\u0085b",
  "a@x.test\u2028b",
  "a@x.test\u2029b",
  "a\u0000@x.test",
  "a\u0007@x.test",
]
const fanOuts = [
  "u@x.test,e@evil.test",
  "u@x.test, e@evil.test",
  "u@x.test;e@evil.test",
  "group:a@x,b@x;",
  "group:a@x.test,b@x.test;",
  "Foo <u@x>, e@evil",
  "Foo <u@x.test>, e@evil.test",
  "u@x.test e@evil.test",
]
const differentials = [
  '"e@attacker.com"@victim.com',
  '"xclow3n@gmail.com x"@internal.domain',
  "u\uff20evil@x",
  "u\uff20evil@x.test",
  "=?utf-8?q?u=40evil?=@x",
  "=?utf-8?q?u=40evil?=@x.test",
  "u@[127.0.0.1]",
  "u@[IPv6:::1]",
  "u@x:2025",
  "u@x.test:2025",
  "<@a,@b:u@x>",
  "<@a.test,@b.test:u@x.test>",
  "u(comment)@x.test",
  "u@x.test(comment)",
]

describe.each([
  ["from", (text: string) => ({ from: text }), "/from"],
  ["to", (text: string) => ({ to: ["ok@x.example", text] }), "/to/1"],
  ["a bare to", (text: string) => ({ to: text }), "/to"],
  ["cc", (text: string) => ({ cc: [text] }), "/cc/0"],
  ["bcc", (text: string) => ({ bcc: [text] }), "/bcc/0"],
  ["replyTo", (text: string) => ({ replyTo: text }), "/replyTo"],
] as const)("%s", (_, change, pointer) => {
  test.each([
    ["that would begin a line or a command", injections],
    ["that would reach several", fanOuts],
    ["that parsers read differently", differentials],
  ])("refuses text %s on its field, and nothing is written", async (_, texts) => {
    const before = await countEmails()
    for (const text of texts) {
      const { status, json } = await send(change(text))
      expect({ status, code: json.code }, text).toEqual({ status: 400, code: "request.invalid" })
      expect(json.errors.map((fault: { pointer: string }) => fault.pointer)).toContain(pointer)
    }
    expect(await countEmails()).toBe(before)
  })
})

describe("the sender", () => {
  test.each([
    ["a domain of nobody here", "ceo@bank.test", 422],
    ["a domain that only begins like ours", "a@verified.test.evil.test", 422],
    ["a subdomain", "a@mail.verified.test", 422],
    ["the parent", "a@test.test", 422],
    ["our address as the name of another", '"a@verified.test" <x@evil.test>', 422],
    ["a Cyrillic look-alike", "a@v\u0435rified.test", 422],
    ["two addresses", "a@verified.test, b@evil.test", 400],
    ["a NUL behind the domain", "a@verified.test\u0000.evil", 400],
    ["our domain in other letters", "a@VERIFIED.test", 201],
    ["our domain with a display name that is an address", '"x@evil.test" <a@verified.test>', 201],
  ])("with %s is %s: %i", async (_, from, status) => {
    const answer = await send({ from })
    expect(answer.status).toBe(status)
    if (status === 422) expect(answer.json.code).toBe("email.from_domain_not_verified")
  })

  test("must be on a domain of this project: one that another project has verified is refused", async () => {
    const other = await newWorld()
    await addVerifiedDomain(other, "others.test")
    expect((await send({ from: "a@others.test" })).status).toBe(422)
  })
})

describe("recipients", () => {
  test("are counted and billed one by one: an item is one address", async () => {
    const billed = await newWorld()
    await addVerifiedDomain(billed, "verified.test")
    const { json } = await api("POST /v1/emails", {
      key: billed.apiKey,
      body: { ...mail, testMode: false, to: ["a@x.example", "Foo <b@x.example>", "A@X.example"] },
    })
    expect(json.messages).toHaveLength(2)
    expect(await usedToday(billed)).toBe(2)
  })

  test.each(["u@suppressed.test", "U@SUPPRESSED.test", "U@suppressed.TEST", "Ulla <u@Suppressed.test>"])(
    "%s is the suppressed u@suppressed.test",
    async (to) => {
      await suppress("u@suppressed.test")
      const { status, json } = await send({ to: [to], testMode: false })
      expect({ status, jsonStatus: json.status }).toEqual({ status: 201, jsonStatus: "suppressed" })
    },
  )

  test.each([
    "u@sup\u00adpressed.test",
    "u@\uff53uppressed.test",
    "u@suppressed.test.",
    " u@suppressed.test",
    "u\u200b@suppressed.test",
    "u@suppressed\u3002test",
  ])("%j, which another reader would take for a suppressed address, is refused", async (to) => {
    await suppress("u@suppressed.test")
    expect((await send({ to: [to] })).status).toBe(400)
  })

  test("variations of case, dots and marks never reach a suppressed address: they are suppressed, refused, or another mailbox", async () => {
    await suppress("u@suppressed.test")
    const marks = ["\u00ad", "\u200b", "\u200d", "\u2060", "\ufeff", "\u0301", ".", " ", "\t"]
    const noise = fc.record({
      at: fc.nat(17),
      mark: fc.constantFrom(...marks, ""),
      upper: fc.array(fc.boolean(), { minLength: 17, maxLength: 17 }),
    })
    await assertInTime(
      fc.asyncProperty(noise, async ({ at, mark, upper }) => {
        const letters = [..."u@suppressed.test"].map((letter, index) => (upper[index] ? letter.toUpperCase() : letter))
        const to = [...letters.slice(0, at), mark, ...letters.slice(at)].join("")
        const { status, json } = await api("POST /v1/projects/{projectId}/emails/check-recipients", {
          key: world.apiKey,
          params: { projectId: world.project },
          body: { addresses: [to] },
        })
        expect(status).toBe(200)
        const [{ state }] = json.data
        // A dot or a combining mark makes another name; whatever a mail server would fold away must not.
        if (state === "sendable")
          expect(
            to
              .normalize("NFKC")
              .toLowerCase()
              .replace(/[\u00ad\u200b-\u200d\u2060\ufeff\s]/g, ""),
          ).not.toBe("u@suppressed.test")
      }),
      { numRuns: 60 },
    )
  })
})

describe.each(["from", "to", "replyTo"] as const)("any text as %s", (field) => {
  test("is refused, or is exactly one mailbox without a character that ends a line or a command", async () => {
    const pieces = fc.constantFrom(
      "a",
      "u@x.test",
      "@",
      "<",
      ">",
      '"',
      "\\",
      ",",
      ";",
      ":",
      "(",
      ")",
      "[",
      "]",
      " ",
      "\r\n",
      "\n",
      "\0",
      "\u0085",
      "\u2028",
      "\uff20",
      "=?utf-8?q?a?=",
      "RCPT TO:<e@x.test>",
      "Bcc: e@x.test",
      "é",
      ".test",
    )
    await assertInTime(
      fc.asyncProperty(fc.array(pieces, { minLength: 1, maxLength: 8 }), async (parts) => {
        const text = parts.join("")
        const { status, json } = await send({ [field]: field === "to" ? [text] : text })
        expect([201, 400, 422]).toContain(status)
        if (status !== 201) return
        const { rows } = await pool().query(
          "SELECT e.*, d.* FROM emails e JOIN deliveries d ON d.email_id = e.id WHERE e.id IN (SELECT id FROM emails WHERE project_id = $1 ORDER BY id DESC LIMIT 1)",
          [world.projectId],
        )
        expect(rows).toHaveLength(1)
        expect(json.messages).toBeUndefined()
        for (const value of Object.values(rows[0]))
          if (typeof value === "string") expect(value).not.toMatch(/[\r\n\0\u0085\u2028\u2029]/)
      }),
      { numRuns: 60 },
    )
  })
})

async function suppress(email: string) {
  await pool().query(
    "INSERT INTO suppressions (id, project_id, email, reason) VALUES ($1, $2, $3, 'manual') ON CONFLICT DO NOTHING",
    [newId(), world.projectId, email],
  )
}

async function countEmails(): Promise<number> {
  return (await pool().query("SELECT count(*)::int AS n FROM emails WHERE project_id = $1", [world.projectId])).rows[0]
    .n
}
