import { expectProblem } from "@/e2e/support/expect-problem"
import { beforeAll, expect, test } from "vitest"
import { api, newWorld } from "@/e2e/support/world"
import { newSending, sendMail, type Sending } from "@/e2e/support/delivery/sending"
import { addEvents } from "@/lib/emails/data"
import { encodeId, newId } from "@/lib/platform/ids"

let sender: Sending
beforeAll(async () => {
  sender = await newSending()
})

const read = (emailId: string, key = sender.apiKey) =>
  api("GET /v1/metrics/emails/{id}", { key, params: { id: encodeId("email", emailId) } })

const happen = (emailId: string, given: readonly [type: string, by?: "machine"][]) =>
  addEvents(
    { project: { id: sender.projectId } },
    given.map(([type, by]) => ({
      ...{ emailId, deliveryId: newId(), type },
      data: (by === "machine" ? { machine: "true" } : {}) as Record<string, string>,
    })),
  )

test("a fresh email has nothing but its head", async () => {
  const [emailId = ""] = await sendMail(sender, { subject: "Hello" })
  const { status, json } = await read(emailId)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    ...{ emailId: encodeId("email", emailId), subject: "Hello", status: "queued", totalClicks: 0 },
    ...{ delivered: false, bounced: false, complained: false, opened: false, clicked: false },
    ...{ unsubscribed: false, readEngaged: false },
  })
  for (const field of ["readCategory", "readTimeSeconds", "topicId", "sentAt"]) expect(json).not.toHaveProperty(field)
})

test("what people did is told, repeated clicks counted, and what machines did is left out", async () => {
  const [emailId = ""] = await sendMail(sender)
  await happen(emailId, [["sent"], ["delivered"], ["opened", "machine"], ["clicked", "machine"]])
  expect((await read(emailId)).json).toMatchObject({ delivered: true, opened: false, clicked: false, totalClicks: 0 })
  await happen(emailId, [["opened"], ["clicked"], ["clicked"], ["clicked", "machine"], ["complained"]])
  const { json } = await read(emailId)
  expect(json).toMatchObject({ opened: true, clicked: true, totalClicks: 2, complained: true, bounced: false })
  expect(Date.parse(json.lastEventAt)).toBeLessThanOrEqual(Date.parse(json.computedAt) + 1_000)
})

test("one bounce of several recipients is told beside the delivery of another", async () => {
  const [emailId = ""] = await sendMail(sender)
  await happen(emailId, [["delivered"], ["bounced"], ["unsubscribed"]])
  expect((await read(emailId)).json).toMatchObject({ delivered: true, bounced: true, unsubscribed: true })
})

test("a bounce that was taken back is none, until the next one of the same recipient", async () => {
  const [emailId = ""] = await sendMail(sender)
  const deliveryId = newId()
  const tell = (type: string, data: Record<string, string> = {}) =>
    addEvents({ project: { id: sender.projectId } }, [{ emailId, deliveryId, type, data }])
  await tell("bounced")
  await tell("delivery_delayed", { reason: "bounce_taken_back" })
  await tell("delivered")
  expect((await read(emailId)).json).toMatchObject({ delivered: true, bounced: false })
  await tell("bounced")
  expect((await read(emailId)).json).toMatchObject({ delivered: true, bounced: true })
})

test("an email of another project is not found", async () => {
  const [emailId = ""] = await sendMail(sender)
  const { status, json } = await read(emailId, (await newWorld()).apiKey)
  expectProblem({ status, json }, 404, "email.not_found")
})
