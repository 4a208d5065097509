import { randomBytes, randomUUID } from "node:crypto"
import { beforeEach, describe, expect, test } from "vitest"
import { api, newSession } from "@/e2e/support/world"
import { passwordMatches } from "@/lib/access/credentials/passwords"
import { findPerson } from "@/lib/access/people/data"
import { sha256 } from "@/lib/platform/crypto"
import { pool, unscopedTransaction } from "@/lib/platform/database/db"
import { found, foundIn } from "@/lib/projects/installation/store"

let token: string

beforeEach(async () => {
  token = randomBytes(32).toString("base64url")
  await pool().query(
    `INSERT INTO installation (id, setup_token_hash) VALUES (1, $1)
      ON CONFLICT (id) DO UPDATE SET setup_token_hash = $1, completed_at = NULL`,
    [sha256(token)],
  )
})

describe("the first run", () => {
  test("makes owner, organization and project, who can sign in", async () => {
    const email = address()
    const { status, json } = await setUp({ email: email.toUpperCase() })
    expect(status).toBe(201)
    expect(json.projectId).toMatch(/^proj_/)
    const person = await findPerson(email)
    expect(await passwordMatches(person?.passwordHash ?? null, "correct horse battery")).toBe(true)
    const { rows } = await pool().query(
      "SELECT m.role, p.region, p.slug FROM members m JOIN projects p ON p.organization_id = m.organization_id WHERE m.user_id = $1",
      [person?.id],
    )
    expect(rows).toEqual([{ role: "owner", region: "eu-west-1", slug: "main" }])
    const entries = await pool().query(
      `SELECT action, changes->>'targetName' AS name FROM audit_entries
        WHERE actor_id = $1 AND request_id IS NOT NULL ORDER BY id`,
      [person?.id],
    )
    expect(entries.rows).toEqual([
      { action: "installation.set_up", name: null },
      { action: "organization.created", name: expect.any(String) },
      { action: "member.joined", name: email },
      { action: "project.created", name: "Main" },
    ])
  })

  test("makes its owner the operator of the installation, and nobody who founds an organization later", async () => {
    const [first, later] = [address(), address()]
    await setUp({ email: first })
    const project = { name: "Main", slug: "main", region: "eu-west-1" }
    await found({ email: later, passwordHash: "none", organization: "Later", project })
    expect(await isOperator(first)).toBe(true)
    expect(await isOperator(later)).toBe(false)
  })

  test("over, it lets organizations be founded side by side: none waits for another one's commit", async () => {
    await setUp({})
    const founding = () => ({
      email: address(),
      passwordHash: "none",
      organization: "Later",
      project: { name: "Main", slug: "main", region: "eu-west-1" },
    })
    await unscopedTransaction(async (tx) => {
      expect(await foundIn(founding(), tx), "the first, which is not committed").not.toBeNull()
      expect(await found(founding()), "the second").not.toBeNull()
    })
  })

  test("twenty at once make one owner; the rest, and all later ones, are 404", async () => {
    const emails = Array.from({ length: 20 }, address)
    const answers = await Promise.all(emails.map((email) => setUp({ email })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(19)
    const { rows } = await pool().query("SELECT count(*)::int AS made FROM users WHERE email = ANY ($1)", [emails])
    expect(rows[0].made).toBe(1)
    expect((await setUp({})).json.code).toBe("setup.not_found")
  })

  test("is 404 with a wrong token, the same as when it is over", async () => {
    const wrong = await setUp({ token: "nonsense" })
    await setUp({})
    const over = await setUp({})
    expect({ status: wrong.status, code: wrong.json.code, detail: wrong.json.detail }).toEqual({
      status: over.status,
      code: over.json.code,
      detail: over.json.detail,
    })
  })

  test("reports every fault at its field and can be tried again", async () => {
    const faulty = await setUp({
      email: "nobody",
      password: "short",
      project: { name: "", slug: "Not A Slug", region: "mars-1" },
    })
    expect(faulty.status).toBe(400)
    const pointers = faulty.json.errors.map(({ pointer }: { pointer: string }) => pointer)
    expect(pointers).toEqual(expect.arrayContaining(["/password", "/project/name", "/project/slug", "/project/region"]))
    const address = await setUp({ email: "nobody" })
    expect(address.json.errors[0].pointer).toBe("/email")
    expect((await setUp({})).status).toBe(201)
  })
})

function address(): string {
  return `owner-${randomUUID()}@example.com`
}

/** As the session of that person says. */
async function isOperator(email: string): Promise<boolean> {
  const person = await findPerson(email)
  const { json } = await api("GET /v1/session", { cookie: await newSession(person?.id ?? "") })
  return json.user.operator
}

function setUp(fields: Record<string, unknown>) {
  const project = { name: "Main", slug: "main", region: "eu-west-1" }
  const body = {
    token,
    name: "Ada",
    email: address(),
    password: "correct horse battery",
    organization: "Acme",
    project,
    ...fields,
  }
  return api("POST /v1/setup", { body })
}
