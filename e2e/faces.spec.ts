import { expect, test } from "@playwright/test"
import { createSampleOrganization } from "@/e2e/support/sample-organization"

// On both mounts: the web server of `npm start`, and Next alone.

test("the APIs of other services take an email, refuse in their own form, and leave unknown paths to nobody", async ({
  request,
}) => {
  const { apiKey, baseUrl } = await createSampleOrganization("faces")
  const mail = { from: "hello@faces.test", to: "ada@lovelace.example", subject: "Hello", text: "Hi" }
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` })
  const basic = (key: string) => ({ authorization: `Basic ${Buffer.from(`api:${key}`).toString("base64")}` })

  const byResend = await request.post("/resend/emails", { headers: bearer(apiKey), data: mail })
  expect([byResend.status(), await byResend.json()]).toEqual([200, { id: expect.stringMatching(/^email_/) }])
  const byMailgun = await request.post("/mailgun/v3/faces.test/messages", { headers: basic(apiKey), form: mail })
  expect([byMailgun.status(), await byMailgun.json()]).toEqual([
    ...[200, { id: expect.stringMatching(/^<.+>$/), message: "Queued. Thank you." }],
  ])
  const { id } = (await byResend.json()) as { id: string }
  const ours = await fetch(`${baseUrl}/v1/emails/${id}`, { headers: bearer(apiKey) })
  expect(await ours.json()).toMatchObject({ to: ["ada@lovelace.example"], subject: "Hello" })

  const wrong = bearer("mr_live_wrong")
  const refused = [
    await request.post("/resend/emails", { headers: wrong, data: mail }),
    await request.post("/sendgrid/v3/mail/send", { headers: wrong, data: {} }),
    await request.post("/postmark/email", { headers: { "x-postmark-server-token": "mr_live_wrong" }, data: {} }),
    await request.post("/mailgun/v3/faces.test/messages", { headers: basic("mr_live_wrong"), form: mail }),
  ]
  expect(refused.map((answer) => answer.status())).toEqual([403, 401, 401, 401])
  expect(await Promise.all(refused.map((answer) => answer.json()))).toEqual([
    { statusCode: 403, name: "invalid_api_key", message: expect.any(String) },
    { errors: [expect.objectContaining({ message: expect.any(String) })] },
    { ErrorCode: 10, Message: expect.any(String) },
    { message: expect.any(String) },
  ])
  expect((await request.get("/resend/nothing", { headers: bearer(apiKey) })).status()).toBe(404)
})
