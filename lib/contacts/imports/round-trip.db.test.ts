import fc from "fast-check"
import { beforeEach, expect, test } from "vitest"
import { api, newWorld, type World } from "@/e2e/support/world"
import { contacts, createImporting, type Importing } from "@/e2e/support/contacts/importing"
import { pool } from "@/lib/platform/database/db"
import { assertInTime } from "@/e2e/support/properties"

let world: World
let importing: Importing

const properties = [
  { key: "plan", type: "string" },
  { key: "seats", type: "number" },
  // Called like fields, and like each other.
  { key: "phone", type: "string" },
  { key: "email", type: "string" },
  { key: "Plan_", type: "string" },
  { key: "tier", type: "string", fallbackValue: "basic" },
]

beforeEach(async () => {
  world = await newWorld()
  importing = createImporting(world)
  for (const property of properties) await importing.post("/v1/projects/{projectId}/contact-properties", property)
})

async function exported(): Promise<string> {
  const { response } = await api(`GET ${contacts}/export`, importing.at())
  return response.text()
}

/** What an import brings back, by address. */
async function held(): Promise<unknown[]> {
  const { rows } = await pool().query(
    "SELECT email, first_name, last_name, phone, properties, unsubscribed FROM contacts WHERE project_id = $1 ORDER BY email",
    [world.projectId],
  )
  return rows
}

/** Every column that is the contact's own, of each line of an export. */
const ownColumns = (csv: string) =>
  csv
    .split(/\r\n(?="|$)/)
    .map((line) => line.replace(/("[^"]*",){3}"[^"]*"$/, ""))
    .sort()

async function wipe() {
  await pool().query("DELETE FROM contacts WHERE project_id = $1", [world.projectId])
  await pool().query("DELETE FROM suppressions WHERE project_id = $1", [world.projectId])
}

test("an export holds every contact, safe for spreadsheets, and an import after a wipe brings each back as it was", async () => {
  await importing.post(contacts, {
    email: "=1+1@lovelace.example",
    firstName: '=HYPERLINK("http://evil.test","x")',
    lastName: "'=1",
    phone: "+49 30 901820",
    properties: { plan: "@SUM(A1)\r\n 'and more' ", seats: "-5", phone: "+1", email: "-", Plan_: "\t=1", tier: "gold" },
  })
  await importing.post(contacts, {
    email: "grace@hopper.example",
    firstName: " G ",
    lastName: 'Hop"per, G.',
    unsubscribed: true,
    properties: { seats: "-1.50e2" },
  })
  await importing.post(contacts, { email: "bare@x.example" })
  const [before, csv] = [await held(), await exported()]
  expect(csv.split("\r\n")[0]).toBe(
    "email,firstName,lastName,phone,unsubscribed,plan,seats,phone,email,Plan_,tier,segments,createdAt,updatedAt,id",
  )
  expect(csv).toContain(`"'=1+1@lovelace.example","'=HYPERLINK(""http://evil.test"",""x"")","''=1","'+49 30 901820"`)

  await wipe()
  expect(await importing.bring(csv)).toMatchObject({ status: "completed", processed: 3, created: 3, failed: 0 })
  expect(await held()).toEqual(before)
  expect(ownColumns(await exported())).toEqual(ownColumns(csv))
})

test("the fallback of a property is nobody's own value: not in an export, not after an import", async () => {
  await importing.post(contacts, { email: "ada@lovelace.example" })
  expect((await importing.contact("ada@lovelace.example")).properties).toEqual({ tier: "basic" })
  const csv = await exported()
  expect(csv).not.toContain("basic")
  await importing.bring(csv)
  expect(await held()).toMatchObject([{ properties: {} }])
})

test("whatever text contacts hold, an import brings it back character by character", { timeout: 120_000 }, async () => {
  const text = fc
    .oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({ unit: fc.constantFrom(..."''=+-@\"\",; \u00a0x"), maxLength: 8 }),
    )
    .map((one) => one.toWellFormed().replaceAll(/[\p{Cc}\u2028\u2029\ufffd]/gu, ""))
  const lines = fc
    .tuple(text, fc.constantFrom("", "\n", "\r\n", "\t", "\u2028", "\r"), text)
    .map((parts) => parts.join("") || "x")
  const number = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom("-0", "0.50", "1E+5"),
  )
  const contact = fc.record({
    firstName: text,
    lastName: text,
    phone: text.map(within50),
    properties: fc.record({ plan: lines, email: lines, seats: number }, { requiredKeys: [] }),
  })
  await assertInTime(
    fc.asyncProperty(fc.array(contact, { minLength: 1, maxLength: 20 }), async (all) => {
      await wipe()
      for (const [at, one] of all.entries()) {
        const { status } = await importing.post(contacts, { ...one, email: `c${at}@x.example` })
        expect(status).toBe(201)
      }
      const [before, csv] = [await held(), await exported()]
      await wipe()
      expect(await importing.bring(csv)).toMatchObject({ processed: all.length, created: all.length, failed: 0 })
      expect(await held()).toEqual(before)
    }),
    { numRuns: 8 },
  )
})

function within50(text: string): string {
  return text.slice(0, 50).replace(/[\ud800-\udbff]$/, "")
}
