import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { addVerifiedDomain } from "@/e2e/support/examples"
import { api, newWorld, type World } from "@/e2e/support/world"
import { createImporting } from "@/e2e/support/contacts/importing"
import { unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { hmac } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { decodeId } from "@/lib/platform/ids"
import { unsubscribe } from "@/lib/tracking/links"

let world: World
let left: string
let other: string
beforeAll(async () => {
  world = await newWorld()
  await addVerifiedDomain(world)
  left = await newTopic("Left")
  other = await newTopic("Other")
})

let email: string
let serial = 0
beforeEach(() => {
  email = `reader${++serial}@x.example`
})

const at = () => ({ key: world.apiKey, params: { projectId: world.project } })

async function newTopic(name: string): Promise<string> {
  const body = { name, defaultSubscription: "opt_in" }
  return (await api("POST /v1/projects/{projectId}/topics", { ...at(), body })).json.id
}

/** A token of a mail to the address, which is no contact. */
async function newToken(topicId?: string): Promise<string> {
  const mail = { from: "Acme <news@acme.test>", to: email, subject: "News", text: "Hi" }
  const { json } = await api("POST /v1/emails", {
    key: world.apiKey,
    body: { ...mail, ...(topicId ? { topicId } : {}) },
  })
  const { rows } = await pool().query("SELECT id FROM deliveries WHERE email_id = $1", [decodeId("email", json.id)])
  return unsubscribeToken(rows[0].id, hmac)
}

const clicking = (token: string) => async () =>
  (await unsubscribe(new Request(`http://localhost:3000/u/${token}`, { method: "POST" }), token)).status

// Each has something to write last, so that a lock on that table holds its transaction open with all the rest written.
const body = () => ({ email, topics: [{ id: other, subscription: "opt_in" }] })
const creations = [
  [
    "creating the contact",
    "contact_activities",
    async () => (await api("POST /v1/projects/{projectId}/contacts", { ...at(), body: body() })).status,
  ],
  [
    "adding it by an upsert",
    "contact_activities",
    async () => (await api("PUT /v1/projects/{projectId}/contacts", { ...at(), body: body() })).status,
  ],
  ["importing it", "import_errors", async () => (await createImporting(world).bring(`email\n${email}\n`)).status],
] as const

type Leaving = {
  name: string
  /** Made before the race, such as the mail that carries the link. */
  prepare: () => Promise<() => Promise<number>>
  table: string
  holds: () => Promise<void>
}

async function expectUnsubscribed() {
  expect(await contact()).toMatchObject({ unsubscribed: true })
}

const leavings: Leaving[] = [
  {
    name: "from all",
    prepare: async () => clicking(await newToken()),
    table: "events",
    holds: expectUnsubscribed,
  },
  {
    name: "from a topic",
    prepare: async () => clicking(await newToken(left)),
    table: "events",
    holds: async () => expect((await contact()).topics).toContainEqual({ topicId: left, subscription: "opt_out" }),
  },
  {
    name: "from all by an import of suppressions",
    prepare: async () => async () => {
      const given = { suppressions: [{ email, reason: "unsubscribe" }] }
      return (await api("POST /v1/projects/{projectId}/suppressions/import", { ...at(), body: given })).status
    },
    table: "contact_activities",
    holds: expectUnsubscribed,
  },
]

const contact = async () =>
  (await api("GET /v1/projects/{projectId}/contacts", { ...at(), query: { email } })).json.data[0]

/** Lets `first` come as far as its last write and no further, until `second` waits too; then both go on. */
async function overlapping<A, B>(table: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
  const blocker = await pool().connect()
  try {
    await blocker.query("BEGIN")
    await blocker.query(`LOCK TABLE ${table} IN SHARE MODE`)
    const one = first()
    await waiting(1)
    const two = second()
    await waiting(2)
    await blocker.query("COMMIT")
    return await Promise.all([one, two])
  } finally {
    blocker.release()
  }
}

/** Until so many transactions of this database wait for a lock. */
async function waiting(count: number) {
  await expect
    .poll(
      async () => {
        const { rows } = await pool().query(
          "SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
        )
        return rows[0].n
      },
      { interval: 20 },
    )
    .toBe(count)
}

describe.each(leavings)("unsubscribing $name", ({ prepare, table: leavesLast, holds }) => {
  test.each(creations)(
    "while another transaction is %s and has not committed holds for the contact",
    async (_, table, create) => {
      const leave = await prepare()
      expect((await overlapping(table, create, leave))[1]).toBe(200)
      await holds()
    },
  )

  test.each(creations)("is seen by a transaction that is %s while it has not committed", async (_, _table, create) => {
    const leave = await prepare()
    expect((await overlapping(leavesLast, leave, create))[0]).toBe(200)
    await holds()
  })
})

test("unsubscribing from a topic that is deleted at that moment succeeds", async () => {
  const topic = await newTopic("Gone soon")
  const leave = clicking(await newToken(topic))
  const id = [decodeId("top", topic)]
  const blocker = await pool().connect()
  try {
    await blocker.query("BEGIN")
    await blocker.query("LOCK TABLE topic_opt_outs IN SHARE MODE")
    const leaving = leave()
    await waiting(1)
    // As the removal does it, whose own locks would wait for this one.
    const hiding = pool().query("UPDATE topics SET deleted_at = now() WHERE id = $1", id)
    const removing = hiding.then(() => pool().query("DELETE FROM topics WHERE id = $1", id)).catch(() => null)
    await Promise.race([removing, waiting(2)])
    await blocker.query("COMMIT")
    expect(await leaving).toBe(200)
    await removing
  } finally {
    blocker.release()
  }
})
