import { afterEach, beforeEach, expect, test } from "vitest"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, newSending, relayAt, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { expectProblem } from "@/e2e/support/expect-problem"
import { api } from "@/e2e/support/world"
import type { Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"
import { encodeId } from "@/lib/platform/ids"

let sender: Sending
let server: FaultServer | undefined
let relays: Relays | undefined

beforeEach(async () => {
  sender = await newSending()
})
afterEach(async () => {
  await relays?.close()
  await server?.close()
  relays = server = undefined
})

async function deliver(faults: Faults = {}) {
  server = await faultServer(faults)
  relays = relayAt(server.port)
  await deliverDue(relays)
}

const of = (emailId: string) => ({
  key: sender.apiKey,
  params: { projectId: sender.project, emailId: encodeId("email", emailId) },
})

test("an email that was given up still says after how many attempts when these are no longer stored", async () => {
  const [id = ""] = await sendMail(sender, { giveUpAfterSeconds: 600 })
  await pool().query("UPDATE emails SET created_at = created_at - interval '590 seconds' WHERE id = $1", [id])
  await deliver({ RCPT: "450 4.2.1 Try again later" })
  const explain = async () => (await api("GET /v1/projects/{projectId}/emails/{emailId}/explanation", of(id))).json
  expect((await explain()).cause).toMatch(/^We gave up on ada@lovelace\.example after one attempt because .+\.$/)

  await pool().query("UPDATE deliveries SET attempt_count = 12 WHERE email_id = $1", [id])
  // As the end of their retention does, a month at a time.
  await pool().query("DELETE FROM delivery_attempts WHERE email_id = $1", [id])
  const told = await explain()
  expect(told).toMatchObject({ status: "failed", cause: "We gave up on ada@lovelace.example after 12 attempts." })
  expect(told.recipients[0].evidence).toBe("The server said “450 4.2.1 Try again later”.")
})

test("a message that was removed with its body is not announced for later", async () => {
  const [id = ""] = await sendMail(sender)
  const raw = () => api("GET /v1/projects/{projectId}/emails/{emailId}/raw", of(id))
  const missing = async () => {
    const answer = await raw()
    expectProblem(answer, 404, "email.raw_not_found")
    return answer.json.detail as string
  }
  expect(await missing()).toBe("The message is composed at its first delivery attempt. Try again after that.")
  await deliver()
  expect((await raw()).status).toBe(200)
  await pool().query("UPDATE email_bodies SET text = NULL, raw = NULL, emptied_at = now() WHERE email_id = $1", [id])
  expect(await missing()).toBe("The message is no longer stored: bodies are kept for 90 days.")
})
