import { dkimVerify } from "mailauth/lib/dkim/verify"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  deliverDue,
  emailRow,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Relays } from "@/lib/delivery/regions/relays"
import { generateDkimKey, keyPurpose } from "@/lib/domains/keys/dkim-keys"
import { seal } from "@/lib/platform/crypto"
import { transaction } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"

let sender: Sending
let server: FaultServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
  server = await faultServer({ RCPT: (_, count) => (count === 1 ? "451 4.7.1 greylisted" : "250 ok") })
  relays = relayAt(server.port)
})

afterAll(async () => {
  await relays.close()
  await server.close()
})

test("a mail composed before a rotation keeps its signature, valid while the old TXT exists; later mails use the new key", async () => {
  const [before = ""] = await sendMail(sender)
  await deliverDue(relays)
  expect(await emailRow(before)).toMatchObject({ status: "sending" })

  const rotated = await rotate(sender)
  const [after = ""] = await sendMail(sender)
  await passWait(before)
  await deliverDue(relays)
  expect([await emailRow(before), await emailRow(after)]).toMatchObject([
    { status: "delivered" },
    { status: "delivered" },
  ])

  const raws = new Map(server.messages.map((message) => [/^Message-ID: (\S+)/im.exec(message)?.[1], message]))
  const old = raws.get((await emailRow(before)).message_id) ?? ""
  const fresh = raws.get((await emailRow(after)).message_id) ?? ""
  expect(old).toContain(`s=${sender.selector};`)
  expect(fresh).toContain(`s=${rotated.selector};`)

  const both = { [sender.selector]: sender.publicKey, [rotated.selector]: rotated.publicKey }
  expect(await verdict(old, both)).toBe("pass")
  expect(await verdict(fresh, both)).toBe("pass")
  expect(await verdict(old, { [rotated.selector]: rotated.publicKey })).not.toBe("pass")
})

/** As lib/domains rotates: the key in use is retired and destroyed, another one signs from then on. */
async function rotate({ projectId, domainId }: Sending) {
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKey()
  const keyId = newId()
  const selector = `mr${domainId.slice(-6)}b`
  await transaction(async (client) => {
    await client.query(
      "UPDATE dkim_keys SET state = 'retired', private_key = NULL WHERE domain_id = $1 AND state = 'active'",
      [domainId],
    )
    await client.query(
      `INSERT INTO dkim_keys (id, project_id, domain_id, selector, public_key, private_key, state, status)
        VALUES ($1, $2, $3, $4, $5, $6, 'active', 'verified')`,
      [keyId, projectId, domainId, selector, publicKeyBase64, seal(privateKeyPem, keyPurpose(keyId))],
    )
  })
  return { selector, publicKey: publicKeyBase64 }
}

/** The result of an independent verifier while these keys are published. */
async function verdict(message: string, published: Record<string, string>): Promise<string | undefined> {
  const { results } = await dkimVerify(Buffer.from(message, "latin1"), {
    resolver: async (name: string) => {
      const key = published[name.split(".")[0] ?? ""]
      if (key && name.endsWith(`._domainkey.${sender.domain}`)) return [[`v=DKIM1; k=rsa; p=${key}`]]
      throw Object.assign(new Error("no such name"), { code: "ENOTFOUND" })
    },
  })
  return results[0]?.status.result
}
