import { expect, test } from "vitest"
import type { Email } from "@/components/emails/queries"
import { NewEmail } from "@/lib/emails/send/schema"
import { bodyOfFields, fieldsOfBody, noFields, type Fields } from "@/components/compose/fields"

const least: Fields = {
  ...noFields,
  from: " Acme <hello@acme.test> ",
  to: "ada@x.example",
  subject: "Hello",
  text: "Hi",
}

test("a plain email makes the shortest request", () => {
  expect(bodyOfFields(least)).toEqual({
    from: "Acme <hello@acme.test>",
    to: ["ada@x.example"],
    subject: "Hello",
    text: "Hi",
  })
})

test("every field of the form lands in the request, in a form that the API takes", () => {
  const body = bodyOfFields({
    ...least,
    to: "ada@x.example\nbob@x.example",
    cc: "c@x.example",
    bcc: "d@x.example; e@x.example",
    replyTo: "help@acme.test",
    html: "<p>Hi</p>",
    headers: [
      { name: " X-Order ", value: "7" },
      { name: "", value: "" },
    ],
    tags: [{ name: "kind", value: "receipt" }],
    metadata: [{ name: "order", value: "" }],
    attachments: [
      { filename: "a.png", content: "aGk=", contentType: "image/png", bytes: 2, contentId: "logo", inline: true },
    ],
    topicId: "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
    sendTimeCategory: "marketing",
    tracking: { openTracking: "on", clickTracking: "off", readEngagement: "", unsubscribeTracking: "" },
    when: "later",
    scheduledAt: "2027-01-02T03:04",
    windowStart: "2027-01-02T03:00",
    windowEnd: "2027-01-02T05:00",
    testMode: true,
    giveUpHours: "1.5",
    idempotencyKey: "once",
  })
  expect(body).toMatchObject({
    to: ["ada@x.example", "bob@x.example"],
    bcc: ["d@x.example", "e@x.example"],
    headers: { "X-Order": "7" },
    metadata: { order: "" },
    topicId: "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
    trackingSettings: { openTracking: true, clickTracking: false },
    scheduledAt: new Date("2027-01-02T03:04").toISOString(),
    giveUpAfterSeconds: 5400,
    testMode: true,
  })
  expect(NewEmail.safeParse(body).error).toBeUndefined()
})

test("a template gives subject and bodies, whatever had been written before it was chosen", () => {
  const values = { plan: "pro", note: "" }
  const body = bodyOfFields({
    ...least,
    html: "<p>Hi</p>",
    template: "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3",
    templateValues: values,
  })
  expect(body).toMatchObject({
    subject: "",
    template: { id: "tpl_01k9q3f7c2e8m9v4x6y8z0a1b3", variables: { plan: "pro" } },
  })
  for (const name of ["html", "text"]) expect(body).not.toHaveProperty(name)
  expect(body.template?.variables).not.toHaveProperty("note")
  expect(NewEmail.safeParse(body).error).toBeUndefined()
})

test("a topic in To is the mail's topic: the one chosen beside it is not sent", () => {
  const [inTo, chosen] = ["top_01k9q3f7c2e8m9v4x6y8z0a1b3", "top_01k9q3f7c2e8m9v4x6y8z0a1b4"]
  expect(bodyOfFields({ ...least, to: inTo, topicId: chosen })).toMatchObject({ to: [inTo] })
  expect(bodyOfFields({ ...least, to: inTo, topicId: chosen })).not.toHaveProperty("topicId")
  expect(bodyOfFields({ ...least, to: inTo.replace("top", "seg"), topicId: chosen })).toMatchObject({ topicId: chosen })
})

test("a newsletter that is sent again is one: topic, category and tracking stay", () => {
  const newsletter: Email = {
    id: "email_x",
    status: "delivered",
    from: "Acme <hello@acme.test>",
    to: ["ada@x.example"],
    subject: "News",
    text: "Hi",
    topicId: "top_01k9q3f7c2e8m9v4x6y8z0a1b3",
    sendTimeCategory: "digest",
    trackingSettings: { openTracking: false, unsubscribeTracking: true },
    testMode: false,
    createdAt: "2026-01-01T03:04:00.000Z",
  }
  expect(bodyOfFields(fieldsOfBody(newsletter))).toMatchObject({
    topicId: newsletter.topicId,
    sendTimeCategory: "digest",
    trackingSettings: { openTracking: false },
  })
})

test("an email that is sent again has its content and recipients, and none of its state", () => {
  const email: Email = {
    id: "email_x",
    status: "bounced",
    from: "Acme <hello@acme.test>",
    to: ["ada@x.example", "bob@x.example"],
    cc: ["c@x.example"],
    subject: "Hello",
    html: "<p>Hi</p>",
    tags: { kind: "receipt" },
    testMode: false,
    scheduledAt: "2026-01-02T03:04:00.000Z",
    createdAt: "2026-01-01T03:04:00.000Z",
  }
  expect(bodyOfFields(fieldsOfBody(email))).toEqual({
    from: "Acme <hello@acme.test>",
    to: ["ada@x.example", "bob@x.example"],
    cc: ["c@x.example"],
    subject: "Hello",
    html: "<p>Hi</p>",
    tags: { kind: "receipt" },
  })
})
