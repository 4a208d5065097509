import { dkimVerify } from "mailauth/lib/dkim/verify"
import { afterAll, beforeAll, expect, test } from "vitest"
import { api } from "@/e2e/support/world"
import { releaseRound } from "@/lib/delivery/scheduling/data"
import type { Relays } from "@/lib/delivery/regions/relays"
import { retainedSignersRound } from "@/lib/delivery/message/signers"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import {
  deliverDue,
  deliveryRows,
  emailRow,
  eventTypes,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { generateDkimKey, keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { removeDomain } from "@/lib/domains/registration/data"
import { rotateKeys } from "@/lib/domains/keys/data"
import { registrationsUnder } from "@/lib/domains/data"
import { open, seal } from "@/lib/platform/crypto"
import { connectionsOfPool, pool } from "@/lib/platform/database/db"
import { createDns } from "@/lib/platform/dns/dns"
import { startDnsServer, type TestDnsServer } from "@/e2e/support/platform/dns-server"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import type { Scope } from "@/lib/platform/http/scope"

let server: FaultServer
let relays: Relays
let nameServer: TestDnsServer

beforeAll(async () => {
  server = await faultServer({ RCPT: (_, count) => (count <= 10 ? "451 4.7.1 greylisted" : "250 ok") })
  relays = relayAt(server.port)
  nameServer = await startDnsServer()
})

afterAll(async () => {
  await relays.close()
  await server.close()
  await nameServer.close()
})

test("100 mails accepted before their domain was deleted are all sent with a valid signature, and the key is destroyed with the last", async () => {
  const sender = await newSending()
  const retried = await sendMany(sender, 10)
  await deliverDue(relays)
  const queued = await sendMany(sender, 90)
  const [later = ""] = await sendMail(sender, { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() })

  expect((await remove(sender)).status).toBe(204)
  expect(await keysOf(sender.domainId)).toBe(0)
  const again = await register(sender)
  expect(again.status).toBe(201)
  const refused = await api("POST /v1/emails", { key: sender.apiKey, body: mail(sender) })
  expect(refused.json.code).toBe("email.from_domain_not_verified")

  for (const id of retried) await passWait(id)
  await settle()
  await retainedSignersRound()
  expect(await retainedOf(sender.projectId)).toHaveLength(1)

  await deliverDue(relays)
  const rows = await Promise.all([...retried, ...queued].map(emailRow))
  expect(rows.filter(({ status }) => status === "delivered")).toHaveLength(100)
  const messages = server.messages.filter((raw) => raw.includes(`hello@${sender.domain}`))
  expect(messages).toHaveLength(100)
  expect(new Set(await Promise.all(messages.map((raw) => verdict(raw, sender))))).toEqual(new Set(["pass"]))

  while ((await retainedSignersRound()).more);
  expect(await retainedOf(sender.projectId)).toEqual([])
  expect(await keysOf(decodeId("dom", again.json.id) ?? "")).toBe(2)
  expect(JSON.stringify(again.json)).not.toContain(sender.publicKey)
  expect(await emailRow(later)).toMatchObject({ status: "scheduled" })
})

test("scheduled mail of a deleted domain fails at its time with the reason, though the key is retained for other mail", async () => {
  const sender = await newSending()
  const [queued = ""] = await sendMail(sender)
  const [later = ""] = await sendMail(sender, { scheduledAt: new Date(Date.now() + 60_000).toISOString() })
  await remove(sender)
  await releaseRound()
  expect(await emailRow(later)).toMatchObject({ status: "scheduled" })
  await pool().query("UPDATE emails SET due_at = now() - interval '1 second' WHERE id = $1", [later])
  await releaseRound()
  const reason = { reason: "schedule_domain_deleted", reason_facts: { domain: sender.domain } }
  expect(await emailRow(later)).toMatchObject({ status: "failed", ...reason, due_at: null })
  expect(await deliveryRows(later)).toMatchObject([{ status: "failed", ...reason, diagnostic: null }])
  expect(await eventTypes(later)).toEqual(["scheduled", "failed"])
  await deliverDue(relays)
  expect(await emailRow(queued)).toMatchObject({ status: "delivered" })
})

test("a deletion during a rotation keeps the key that is in use after it, and no other", async () => {
  for (let round = 0; round < 6; round++) {
    const sender = await newSending()
    const standby = await addStandby(sender)
    const scope = {
      project: { id: sender.projectId, organizationId: sender.organizationId },
      organization: { id: sender.organizationId },
      principal: { kind: "key", keyId: sender.keyId },
      request: { id: newId(), ip: "127.0.0.1" },
    } as unknown as Scope
    const fresh = { id: newId(), publicKey: "x", sealedPrivateKey: Buffer.from("x") }
    const [rotated, removed] = await Promise.all([
      rotateKeys(scope, sender.domainId, fresh, new Date()),
      removeDomain(scope, sender.domainId),
    ])
    expect(removed).toBe(true)
    const [kept] = await retainedOf(sender.projectId)
    expect(kept?.selector).toBe(rotated === "done" ? standby.selector : sender.selector)
    expect(open(kept?.private_key ?? Buffer.alloc(0), keyPurpose(kept?.key_id ?? "")).toString()).toContain(
      "PRIVATE KEY",
    )
    expect(await keysOf(sender.domainId)).toBe(0)
  }
})

test("more domains than a process has connections are deleted at once", async () => {
  const senders = await Promise.all(Array.from({ length: connectionsOfPool + 2 }, () => newSending()))
  const answers = await Promise.all(
    senders.map(({ apiKey, project, domainId }) =>
      api("DELETE /v1/projects/{projectId}/domains/{domainId}", {
        key: apiKey,
        params: { projectId: project, domainId: encodeId("dom", domainId) },
      }),
    ),
  )
  expect(answers.map(({ status }) => status)).toEqual(senders.map(() => 204))
})

test("a key without waiting mail is destroyed within the next rounds, however many emails have ended", async () => {
  const sender = await newSending()
  const ids = await sendMany(sender, 3)
  await deliverDue(relays)
  expect(await emailRow(ids[0] ?? "")).toMatchObject({ status: "delivered" })
  await remove(sender)
  await retainedSignersRound()
  expect(await retainedOf(sender.projectId)).toHaveLength(1)
  await settle()
  while ((await retainedSignersRound()).more);
  expect(await retainedOf(sender.projectId)).toEqual([])
})

test("the sandbox's zone publishes the records of a deleted domain as long as its key is retained", async () => {
  const sender = await newSending()
  const names = async () =>
    (await registrationsUnder(sender.domain, ["eu-west-1"], new Date())).flatMap(({ records }) =>
      records.map(({ name }) => name),
    )
  const before = await names()
  expect(before).toEqual([
    `${sender.selector}._domainkey.${sender.domain}`,
    sender.mailFromDomain,
    sender.mailFromDomain,
    `links.${sender.domain}`,
  ])
  await remove(sender)
  expect(await names()).toEqual(before)
  await settle()
  while ((await retainedSignersRound()).more);
  expect(await names()).toEqual([])
})

const mail = (sender: Sending) => ({
  from: `hello@${sender.domain}`,
  to: ["ada@lovelace.example"],
  subject: "Hello",
  text: "Hi",
})

async function sendMany(sender: Sending, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, (_, at) => ({ ...mail(sender), to: [`ada+${at}@lovelace.example`] }))
  const { json } = await api("POST /v1/emails/batch", { key: sender.apiKey, body: { items } })
  return json.results.map(({ id }: { id: string }) => decodeId("email", id) ?? "")
}

function remove({ apiKey, project, domainId }: Sending) {
  const params = { projectId: project, domainId: encodeId("dom", domainId) }
  return api("DELETE /v1/projects/{projectId}/domains/{domainId}", { key: apiKey, params })
}

function register({ apiKey, project, domain }: Sending) {
  const io = { dns: createDns({ servers: [nameServer], timeoutMs: 200, totalMs: 1_000 }) }
  const body = { domain, region: "eu-west-1" }
  return api("POST /v1/projects/{projectId}/domains", { key: apiKey, params: { projectId: project }, body, io })
}

/** Lets the seconds pass in which a send that began before the deletion may still be stored. */
async function settle(): Promise<void> {
  await pool().query("UPDATE retained_signers SET deleted_at = deleted_at - interval '15 seconds'")
}

async function keysOf(domainId: string): Promise<number> {
  return (await pool().query("SELECT 1 FROM dkim_keys WHERE domain_id = $1", [domainId])).rowCount ?? 0
}

async function retainedOf(projectId: string): Promise<{ selector: string; key_id: string; private_key: Buffer }[]> {
  return (
    await pool().query("SELECT selector, key_id, private_key FROM retained_signers WHERE project_id = $1", [projectId])
  ).rows
}

let standbyPair: ReturnType<typeof generateDkimKey> | undefined

async function addStandby({ projectId, domainId, selector }: Sending): Promise<{ selector: string }> {
  const { privateKeyPem, publicKeyBase64 } = await (standbyPair ??= generateDkimKey())
  const id = newId()
  const standby = `${selector.slice(0, -1)}b`
  await pool().query(
    `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state, status)
      VALUES ($1, $2, $3, $4, $5, $6, 'standby', 'verified')`,
    [id, projectId, domainId, standby, publicKeyBase64, seal(privateKeyPem, keyPurpose(id))],
  )
  return { selector: standby }
}

async function verdict(raw: string, { selector, domain, publicKey }: Sending): Promise<string | undefined> {
  const { results } = await dkimVerify(Buffer.from(raw, "latin1"), {
    resolver: async (name: string) => {
      if (name === `${selector}._domainkey.${domain}`) return [[`v=DKIM1; k=rsa; p=${publicKey}`]]
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
    },
  })
  return results[0]?.status.result
}
