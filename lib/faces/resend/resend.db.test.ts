import { Resend } from "resend"
import { afterEach, describe, expect, test } from "vitest"
import { FaceServer } from "@/e2e/support/faces"
import { newReceiver } from "@/e2e/support/webhooks/http-receiver"
import { dispatched, newWebhook } from "@/e2e/support/webhooks/receiver"
import { api } from "@/e2e/support/world"
import { endAll, settled, work } from "@/e2e/support/webhooks/working"
import { pool } from "@/lib/platform/database/db"

const server = new FaceServer()
const clientOf = (key: string) => new Resend(key, { baseUrl: `${server.origin}/resend` })
afterEach(endAll)

// What an answer holds is checked by the test that reads it.
type Data = any // eslint-disable-line @typescript-eslint/no-explicit-any
type Outcome = { data: Data; error: { name: string; statusCode: number | null; message: string } | null }

/** The calls that were answered: the method, and what it was asked. */
const answered: string[] = []

async function ok(call: string, outcome: PromiseLike<unknown>): Promise<Data> {
  const { data, error } = (await outcome) as Outcome
  expect(error, call).toBeNull()
  answered.push(call)
  return data
}

const least = { from: "hello@acme.test", to: "ada@lovelace.example", subject: "Order", text: "Sent." }

describe("resend's SDK, with another base URL and key", () => {
  test("emails", async () => {
    const { emails, batch } = clientOf(server.world.apiKey)
    const sent = await ok(
      "emails.send",
      emails.send({
        ...{ from: "Acme <hello@acme.test>", to: ["ada@lovelace.example"], cc: "bob@lovelace.example" },
        ...{ bcc: ["eve@lovelace.example"], replyTo: "help@acme.test", subject: "Order", html: "<p>Sent.</p>" },
        ...{ text: "Sent.", headers: { "X-Order": "8841" }, tags: [{ name: "plan", value: "pro" }] },
        attachments: [{ filename: "bill.txt", content: Buffer.from("bill"), contentType: "text/plain" }],
      }),
    )
    const read = await ok("emails.get", emails.get(sent.id))
    expect(read).toMatchObject({
      ...{ object: "email", id: sent.id, from: "Acme <hello@acme.test>", to: ["ada@lovelace.example"] },
      ...{ cc: ["bob@lovelace.example"], reply_to: ["help@acme.test"], subject: "Order", html: "<p>Sent.</p>" },
      ...{ last_event: "queued", scheduled_at: null, tags: [{ name: "plan", value: "pro" }] },
    })
    const made = await ok("emails.create", emails.create({ ...least, topicId: undefined }))
    const first = await ok("emails.list", emails.list({ limit: 1 }))
    expect(first).toMatchObject({ object: "list", has_more: true, data: [{ id: made.id }] })
    const next = await ok("emails.list after", emails.list({ limit: 1, after: made.id }))
    expect(next).toMatchObject({ has_more: false, data: [{ id: sent.id }] })
    expect(await ok("emails.list before", emails.list({ before: sent.id }))).toMatchObject({ data: [{ id: made.id }] })

    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const later = await ok("emails.send scheduled", emails.send({ ...least, scheduledAt: at(1) }))
    const moved = at(2)
    await ok("emails.update", emails.update({ id: later.id, scheduledAt: moved }))
    expect(await server.email(later.id)).toMatchObject({ status: "scheduled", scheduledAt: moved })
    await ok("emails.cancel", emails.cancel(later.id))
    expect(await ok("emails.get cancelled", emails.get(later.id))).toMatchObject({ last_event: "canceled" })

    await server.template("welcome")
    const template = { id: "welcome", variables: { who: "Ada" } }
    const { subject: _, text: __, ...email } = least
    const filled = await ok("emails.send template", emails.send({ ...email, template } as never))
    expect(await server.email(filled.id)).toMatchObject({ subject: "Hi Ada" })

    const all = await ok("batch.send", batch.send([least, { ...least, to: "bob@lovelace.example" }]))
    expect(await server.email(all.data[1].id)).toMatchObject({ to: ["bob@lovelace.example"] })
    const valid = await ok(
      "batch.create permissive",
      batch.create([least, { ...least, to: "nobody" }, { ...least, subject: "cut \ud83d" }], {
        batchValidation: "permissive",
      }),
    )
    expect(valid).toMatchObject({ data: [{ id: expect.any(String) }], errors: [{ index: 1 }, { index: 2 }] })
    expect(valid.errors[0].message).toMatch(/^\/to\/0: /)
  })

  test("an idempotency key makes one email of several calls, and one batch of several batches", async () => {
    const { emails, batch } = clientOf(server.world.apiKey)
    const once = { idempotencyKey: "order/8841" }
    const first = await ok("emails.send idempotent", emails.send(least, once))
    expect(await ok("emails.send again", emails.send(least, once))).toEqual(first)
    const both = await ok("batch.send idempotent", batch.send([least, least], { idempotencyKey: "batch/1" }))
    expect(both.data[0].id).not.toBe(both.data[1].id)
    expect(await ok("batch.send again", batch.send([least, least], { idempotencyKey: "batch/1" }))).toEqual(both)
  })

  test("segments, which were audiences, topics and contact properties", async () => {
    const { segments, audiences, topics, contactProperties } = clientOf(server.world.apiKey)
    for (const [name, api] of [
      ["segments", segments],
      ["audiences", audiences],
    ] as const) {
      const made = await ok(`${name}.create`, api.create({ name: `Readers by ${name}` }))
      expect(made).toMatchObject({ object: "segment", name: `Readers by ${name}` })
      await ok(`${name}.update`, api.update(made.id, { name: `All by ${name}` }))
      expect(await ok(`${name}.get`, api.get(made.id))).toMatchObject({ name: `All by ${name}` })
      expect(await ok(`${name}.list`, api.list({ limit: 1 }))).toMatchObject({ data: [{ id: made.id }] })
      expect(await ok(`${name}.remove`, api.remove(made.id))).toEqual({ object: "segment", id: made.id, deleted: true })
    }
    const topic = await ok(
      "topics.create",
      topics.create({ name: "News", description: "Weekly", defaultSubscription: "opt_in" }),
    )
    await ok("topics.update", topics.update({ id: topic.id, name: "Daily" }))
    expect(await ok("topics.get", topics.get(topic.id))).toMatchObject({
      name: "Daily",
      default_subscription: "opt_in",
    })
    expect((await ok("topics.list", topics.list())).data).toMatchObject([{ id: topic.id, description: "Weekly" }])
    await ok("topics.remove", topics.remove(topic.id))

    const fallback = { key: "seats", type: "number", fallbackValue: 3 } as const
    const property = await ok("contactProperties.create", contactProperties.create(fallback))
    await ok("contactProperties.update", contactProperties.update({ id: property.id, fallbackValue: 4 } as never))
    expect(await ok("contactProperties.get", contactProperties.get(property.id))).toMatchObject({
      ...{ key: "seats", type: "number", fallbackValue: 4 },
    })
    expect(await ok("contactProperties.list", contactProperties.list())).toMatchObject({ data: [{ key: "seats" }] })
    await ok("contactProperties.remove", contactProperties.remove(property.id))
  })

  test("contacts by id and by address, their segments and topics", async () => {
    const { contacts, segments, topics, contactProperties } = clientOf(server.world.apiKey)
    const segment = await ok("segments.create for contacts", segments.create({ name: "Readers" }))
    const topic = await ok(
      "topics.create for contacts",
      topics.create({ name: "News", defaultSubscription: "opt_out" }),
    )
    await ok("contactProperties.create text", contactProperties.create({ key: "plan", type: "string" } as never))
    const email = "grace@hopper.example"
    const made = await ok(
      "contacts.create",
      contacts.create({
        ...{ email, firstName: "Grace", unsubscribed: false, properties: { plan: "pro" } },
        ...{ segments: [{ id: segment.id }], topics: [{ id: topic.id, subscription: "opt_in" }] },
      } as never),
    )
    const other = await ok(
      "contacts.create audience",
      contacts.create({ audienceId: segment.id, email: "ada@lovelace.example", lastName: "Lovelace" }),
    )
    expect(await ok("contacts.get text", contacts.get(made.id))).toMatchObject({
      ...{ object: "contact", email, first_name: "Grace", last_name: null, unsubscribed: false },
      properties: { plan: { value: "pro" } },
    })
    for (const [how, named] of [
      ["id", { id: made.id }],
      ["email", { email }],
    ] as const) {
      await ok(`contacts.update ${how}`, contacts.update({ ...named, lastName: `by ${how}` } as never))
      expect(await ok(`contacts.get ${how}`, contacts.get(named as never))).toMatchObject({ last_name: `by ${how}` })
      const inAudience = { ...named, audienceId: segment.id } as never
      await ok(
        `contacts.update audience ${how}`,
        contacts.update({ ...(inAudience as object), firstName: "G" } as never),
      )
      expect(await ok(`contacts.get audience ${how}`, contacts.get(inAudience))).toMatchObject({ first_name: "G" })
      const contact = "email" in named ? named : { contactId: named.id }
      expect(await ok(`contacts.segments.list ${how}`, contacts.segments.list(contact as never))).toMatchObject({
        data: [{ id: segment.id, name: "Readers" }],
      })
      const member = { ...contact, segmentId: segment.id } as never
      expect(await ok(`contacts.segments.remove ${how}`, contacts.segments.remove(member))).toEqual({
        ...{ id: segment.id, deleted: true },
      })
      await ok(`contacts.segments.add ${how}`, contacts.segments.add(member))
      await ok(
        `contacts.topics.update ${how}`,
        contacts.topics.update({ ...named, topics: [{ id: topic.id, subscription: "opt_out" }] } as never),
      )
      expect(await ok(`contacts.topics.list ${how}`, contacts.topics.list(named as never))).toMatchObject({
        data: [{ id: topic.id, name: "News", subscription: "opt_out" }],
      })
    }
    expect(await ok("contacts.list", contacts.list({ limit: 1 }))).toMatchObject({
      ...{ has_more: true, data: [{ id: other.id }] },
    })
    expect(await ok("contacts.list after", contacts.list({ limit: 1, after: other.id }))).toMatchObject({
      ...{ has_more: false, data: [{ id: made.id }] },
    })
    expect(await ok("contacts.list before", contacts.list({ before: made.id }))).toMatchObject({
      ...{ has_more: false, data: [{ id: other.id }] },
    })
    const members = [{ id: other.id }, { id: made.id }]
    expect(await ok("contacts.list segment", contacts.list({ segmentId: segment.id }))).toMatchObject({ data: members })
    expect(
      await ok("contacts.list audience", contacts.list({ audienceId: segment.id, after: other.id })),
    ).toMatchObject({
      data: [{ id: made.id }],
    })
    await ok("contacts.remove email", contacts.remove({ email }))
    await ok("contacts.remove audience", contacts.remove({ id: other.id, audienceId: segment.id }))
  })

  test("templates", async () => {
    const { templates } = clientOf(server.world.apiKey)
    const made = await ok(
      "templates.create",
      templates.create({
        ...{ name: "receipt", subject: "Order {{{order}}}", html: "<p>{{{order}}} for {{{total}}}</p>" },
        variables: [
          { key: "order", type: "string" },
          { key: "total", type: "number", fallbackValue: 0 },
        ],
      } as never),
    )
    await ok("templates.update", templates.update(made.id, { text: "Order {{{order}}}" } as never))
    await ok("templates.publish", templates.publish("receipt"))
    expect(await ok("templates.get", templates.get("receipt"))).toMatchObject({
      ...{ object: "template", id: made.id, status: "published", subject: "Order {{order}}" },
      variables: [{ key: "order" }, { key: "total", type: "number", fallback_value: 0 }],
    })
    const copy = await ok("templates.duplicate", templates.duplicate(made.id))
    expect((await ok("templates.list", templates.list({ limit: 1 }))).data).toMatchObject([{ id: copy.id }])
    await ok("templates.remove", templates.remove(copy.id))
  })

  test("broadcasts", async () => {
    const { broadcasts, segments } = clientOf(server.world.apiKey)
    const segment = await ok("segments.create for broadcasts", segments.create({ name: "Everyone" }))
    const content = { from: "news@acme.test", subject: "News", html: "<p>News</p>", segmentId: segment.id }
    const made = await ok(
      "broadcasts.create",
      broadcasts.create({ ...content, name: "November", replyTo: "a@acme.test" }),
    )
    await ok("broadcasts.update", broadcasts.update(made.id, { subject: "More news" }))
    expect(await ok("broadcasts.get", broadcasts.get(made.id))).toMatchObject({
      ...{ object: "broadcast", name: "November", subject: "More news", segment_id: segment.id, status: "draft" },
      reply_to: ["a@acme.test"],
    })
    // Placeholders of both kinds are ours from then on.
    const greeting = { subject: "{{{FIRST_NAME|Reader}}}, news", html: "<p>Hi {{{contact.first_name|there}}}</p>" }
    await ok("broadcasts.update", broadcasts.update(made.id, greeting))
    expect(await ok("broadcasts.get", broadcasts.get(made.id))).toMatchObject({
      ...{ subject: "{{contact.firstName | Reader}}, news", html: "<p>Hi {{contact.firstName | there}}</p>" },
    })
    const copy = await ok("broadcasts.duplicate", broadcasts.duplicate(made.id))
    expect((await ok("broadcasts.list", broadcasts.list({ limit: 1 }))).data).toMatchObject([{ id: copy.id }])
    await ok("broadcasts.remove", broadcasts.remove(copy.id))
    await ok("broadcasts.send", broadcasts.send(made.id))
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString()
    const later = await ok(
      "broadcasts.create scheduled",
      broadcasts.create({ ...content, send: true, scheduledAt } as never),
    )
    await ok("broadcasts.cancel", broadcasts.cancel(later.id))
    expect(await ok("broadcasts.get cancelled", broadcasts.get(later.id))).toMatchObject({ status: "canceled" })
  })

  test("a copy of a broadcast shows each contact their own name, as the original does", async () => {
    const { apiKey: key, project: projectId } = server.world
    const { broadcasts, segments } = clientOf(key)
    const segment = await ok("segments.create for a copy", segments.create({ name: "Copied to" }))
    const html = "<p>Hi {{{contact.first_name|there}}}</p>"
    const made = await ok(
      "broadcasts.create with placeholders",
      broadcasts.create({ from: "news@acme.test", subject: "News", html, segmentId: segment.id }),
    )
    const copy = await ok("broadcasts.duplicate with placeholders", broadcasts.duplicate(made.id))
    const { json } = await api("GET /v1/projects/{projectId}/broadcasts/{broadcastId}", {
      ...{ key, params: { projectId, broadcastId: copy.id } },
    })
    expect(json).toMatchObject({ placeholders: true, html: "<p>Hi {{contact.firstName | there}}</p>" })
  })

  test("domains", async () => {
    const { domains } = clientOf(server.world.apiKey)
    const made = await ok("domains.create", domains.create({ name: "news.acme.test" }))
    expect(made).toMatchObject({ name: "news.acme.test", status: "pending" })
    expect(made.records.map(({ record }: { record: string }) => record)).toEqual(
      expect.arrayContaining(["SPF", "DKIM"]),
    )
    // A check, or a change of its settings, makes it no younger.
    await pool().query("UPDATE domains SET updated_at = now() + interval '1 hour' WHERE name = 'news.acme.test'")
    const { created_at } = await ok("domains.get", domains.get(made.id))
    expect(created_at, "when it was registered").toBe(made.created_at)
    const { data } = await ok("domains.list", domains.list())
    expect(data).toHaveLength(2)
    expect(data.find(({ id }: Data) => id === made.id)).toMatchObject({ created_at })
    await ok("domains.remove", domains.remove(made.id))
  })

  test("suppressions", async () => {
    const { suppressions } = clientOf(server.world.apiKey)
    const email = "gone@hopper.example"
    const { id } = await ok("suppressions.add", suppressions.add({ email }))
    expect(await ok("suppressions.get", suppressions.get(email))).toMatchObject({ id, email, origin: "manual" })
    expect((await ok("suppressions.list", suppressions.list({ origin: "manual" }))).data).toMatchObject([{ id }])
    await ok("suppressions.batch.add", suppressions.batch.add({ emails: ["x@hopper.example", "y@hopper.example"] }))
    await ok("suppressions.batch.remove", suppressions.batch.remove({ emails: ["x@hopper.example"] }))
    expect(await ok("suppressions.remove", suppressions.remove(email))).toMatchObject({ id, deleted: true })
  })

  test("webhooks, and a delivery of ours verified", async () => {
    const { webhooks } = clientOf(server.world.apiKey)
    const endpoint = "https://8.8.8.8/hook"
    const made = await ok("webhooks.create", webhooks.create({ endpoint, events: ["email.delivered"] }))
    expect(made).toMatchObject({ object: "webhook", signing_secret: expect.stringMatching(/^whsec_/) })
    await ok("webhooks.update", webhooks.update(made.id, { events: ["email.bounced"], status: "disabled" } as never))
    expect(await ok("webhooks.get", webhooks.get(made.id))).toMatchObject({ endpoint, status: "disabled" })
    await ok("webhooks.list", webhooks.list())
    const rotated = await ok("webhooks.rotateSigningSecret", webhooks.rotateSigningSecret(made.id))
    expect(rotated.signing_secret).not.toBe(made.signing_secret)
    await ok("webhooks.remove", webhooks.remove(made.id))

    const receiver = await newReceiver()
    const ours = await newWebhook(server.world, receiver.url)
    await dispatched(server.world, 1)
    work()
    await settled(ours.id)
    const [delivery] = receiver.received
    if (!delivery) throw new Error("Nothing was delivered.")
    const headers = {
      id: String(delivery.headers["webhook-id"]),
      timestamp: String(delivery.headers["webhook-timestamp"]),
      signature: String(delivery.headers["webhook-signature"]),
    }
    const verify = (payload: string) => webhooks.verify({ payload, headers, webhookSecret: ours.secret })
    expect(verify(delivery.body)).toMatchObject({ type: "email.delivered" })
    expect(() => verify(delivery.body.replace("delivered", "bounced"))).toThrow()
    answered.push("webhooks.verify")
    await receiver.close()
  })

  test("these are at least 64 methods of it", () => {
    const methods = new Set(answered.map((call) => call.split(" ")[0]))
    expect(methods.size).toBeGreaterThanOrEqual(64)
  })
})

describe("a refusal is the error that the SDK returns", () => {
  const refusalOf = async (outcome: PromiseLike<unknown>) => ((await outcome) as Outcome).error

  test("a wrong key, and one without the permission", async () => {
    expect(await refusalOf(clientOf("mr_live_wrong").emails.send(least))).toEqual({
      ...{ name: "invalid_api_key", statusCode: 403, message: expect.stringContaining("unknown") },
    })
    expect(await refusalOf(clientOf(await server.key("emails:read")).emails.send(least))).toEqual({
      ...{ name: "restricted_api_key", statusCode: 401, message: expect.stringContaining("emails:send") },
    })
  })

  test("a tag that is given twice, where it is", async () => {
    const tags = ["plan", "plan"].map((name) => ({ name, value: "pro" }))
    const { error } = await clientOf(server.world.apiKey).emails.send({ ...least, tags })
    expect(error?.message, "the refusal").toBe("/tags/1/name: Is given twice.")
  })

  test("an unknown field, one that is not supported and an invalid one by their names", async () => {
    const { emails, batch, broadcasts } = clientOf(server.world.apiKey)
    const raw = (body: object) =>
      fetch(`${server.origin}/resend/emails`, {
        method: "POST",
        headers: { authorization: `Bearer ${server.world.apiKey}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      })
    const unknown = await raw({ ...least, shout: true })
    expect([unknown.status, await unknown.json()]).toEqual([
      422,
      { name: "validation_error", statusCode: 422, message: "/shout: Unknown field." },
    ])
    expect(await refusalOf(emails.send({ ...least, replyTo: "nobody" }))).toMatchObject({
      ...{ name: "validation_error", message: expect.stringMatching(/^\/reply_to: /) },
    })
    const attachments = [{ path: "https://acme.test/bill.pdf", filename: "bill.pdf" }]
    expect(await refusalOf(emails.send({ ...least, attachments }))).toMatchObject({
      message: expect.stringContaining("/attachments/0/path: Is not supported here"),
    })
    expect(await refusalOf(batch.send([least, { ...least, to: "nobody" }]))).toMatchObject({
      message: expect.stringMatching(/^\/1\/to\/0: /),
    })
    const html = '<a href="{{{RESEND_UNSUBSCRIBE_URL}}}">Unsubscribe</a>'
    const broadcast = { from: "news@acme.test", subject: "News", html, segmentId: "seg_1" }
    expect(await refusalOf(broadcasts.create(broadcast))).toMatchObject({
      message: expect.stringContaining("/html: Leave RESEND_UNSUBSCRIBE_URL out"),
    })
  })

  test("the daily quota, another domain, another project's email and a path that is not there", async () => {
    const exhausted = clientOf(await server.exhausted())
    expect(await refusalOf(exhausted.emails.send(least))).toMatchObject({
      name: "daily_quota_exceeded",
      statusCode: 429,
    })
    const own = clientOf(server.world.apiKey)
    const from = "hello@other.example"
    expect(await refusalOf(own.emails.send({ ...least, from }))).toMatchObject({
      name: "validation_error",
      statusCode: 403,
    })
    const { id } = await ok("emails.send", own.emails.send(least))
    const foreign = clientOf(await server.foreignKey())
    expect(await refusalOf(foreign.emails.get(id))).toMatchObject({ name: "not_found", statusCode: 404 })
    expect(await refusalOf(foreign.emails.cancel(id))).toMatchObject({ name: "not_found", statusCode: 404 })
    expect(await refusalOf(own.emails.share(id, {} as never))).toMatchObject({ name: "not_found", statusCode: 404 })
  })

  test("an email to a suppressed recipient is accepted and not sent, as there", async () => {
    await server.suppress("gone@lovelace.example")
    const { emails } = clientOf(server.world.apiKey)
    const { id } = await ok("emails.send", emails.send({ ...least, to: "gone@lovelace.example" }))
    expect(await ok("emails.get", emails.get(id))).toMatchObject({ last_event: "suppressed" })
  })

  test("requests of a face and of our own API count in one rate limit", async () => {
    const key = await server.key("emails:send")
    const remaining = async () => {
      const outcome = (await clientOf(key).emails.send(least)) as { headers: Record<string, string> | null }
      return Number(outcome.headers?.["x-ratelimit-remaining"])
    }
    const before = await remaining()
    await api("POST /v1/emails", { key, body: { ...least, to: [least.to] } })
    expect(await remaining()).toBe(before - 2)
  })
})
