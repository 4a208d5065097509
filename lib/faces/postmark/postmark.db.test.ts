import { Errors, ServerClient } from "postmark"
import { describe, expect, test } from "vitest"
import { FaceServer } from "@/e2e/support/faces"

const server = new FaceServer()

const clientOf = (key: string) =>
  new ServerClient(key, { requestHost: `127.0.0.1:${server.port}/postmark`, useHttps: false })
const client = () => clientOf(server.world.apiKey)

const least = { From: "hello@acme.test", To: "ada@lovelace.example", Subject: "Order", TextBody: "Sent." }

describe("postmark's SDK, with another host and key", () => {
  test("sendEmail sends what it says", async () => {
    const sent = await client().sendEmail({
      ...{ From: "Acme <hello@acme.test>", To: '"Lovelace, Ada" <ada@lovelace.example>', Cc: "bob@lovelace.example" },
      ...{ Bcc: "eve@lovelace.example", ReplyTo: "help@acme.test", Subject: "Order", Tag: "orders" },
      ...{ HtmlBody: '<p>Sent. <img src="cid:logo"></p>', TextBody: "Sent.", Metadata: { order: "8841" } },
      Headers: [{ Name: "X-Order", Value: "8841" }],
      Attachments: [
        { Name: "logo.png", Content: "cGljdHVyZQ==", ContentType: "image/png", ContentID: "cid:logo" },
        { Name: "bill.pdf", Content: "YmlsbA==", ContentType: "application/pdf", ContentID: null },
      ],
    } as never)
    expect(sent).toEqual({
      ...{ To: '"Lovelace, Ada" <ada@lovelace.example>', Cc: "bob@lovelace.example", Bcc: "eve@lovelace.example" },
      ...{ SubmittedAt: expect.stringMatching(/Z$/), MessageID: expect.stringMatching(/^email_/) },
      ...{ ErrorCode: 0, Message: "OK" },
    })
    expect(await server.email(sent.MessageID)).toMatchObject({
      ...{ to: ['"Lovelace, Ada" <ada@lovelace.example>'], cc: ["bob@lovelace.example"], replyTo: "help@acme.test" },
      ...{ subject: "Order", text: "Sent.", tags: { tag: "orders" }, metadata: { order: "8841" } },
    })
  })

  test("sendEmail sets tracking and the stream", async () => {
    const sent = await client().sendEmail({
      ...{ ...least, HtmlBody: "<p>News</p>", TrackOpens: true, TrackLinks: "HtmlOnly", MessageStream: "broadcast" },
    } as never)
    expect(await server.email(sent.MessageID)).toMatchObject({
      sendTimeCategory: "marketing",
      trackingSettings: { openTracking: true, clickTracking: true },
    })
  })

  test("sendEmailBatch answers for each email, and one that is refused does not keep the others", async () => {
    const results = await client().sendEmailBatch([
      least,
      { ...least, To: "nobody" },
      { ...least, Shout: true } as never,
      { ...least, To: "bob@lovelace.example" },
      { ...least, Subject: "cut \ud83d" },
      null as never,
    ])
    expect(results.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300, 300, 0, 300, 300])
    expect(results[1]?.Message).toMatch(/^\/To\/0: /)
    expect(results[2]?.Message).toBe("/Shout: Unknown field.")
    expect(await server.email(results[3]?.MessageID ?? "")).toMatchObject({ to: ["bob@lovelace.example"] })
  })

  test("sendEmailWithTemplate fills a template by its name and by its id", async () => {
    const TemplateId = (await server.template("welcome")) as never
    const { Subject: _, TextBody: __, ...email } = least
    const model = { ...email, TemplateModel: { who: "Ada" } }
    for (const ref of [{ TemplateAlias: "welcome" }, { TemplateId }]) {
      const sent = await client().sendEmailWithTemplate({ ...model, ...ref })
      expect(await server.email(sent.MessageID)).toMatchObject({ subject: "Hi Ada", html: "<p>Hi Ada</p>" })
    }
  })

  test("sendEmailBatchWithTemplates answers for each email", async () => {
    await server.template("order")
    const { Subject: _, TextBody: __, ...email } = least
    const results = await client().sendEmailBatchWithTemplates([
      { ...email, TemplateAlias: "order", TemplateModel: { who: "Ada" } },
      { ...email, TemplateAlias: "order", TemplateModel: {} },
    ])
    expect(results.map(({ ErrorCode }) => ErrorCode)).toEqual([0, 300])
    expect(results[1]?.Message).toContain("who")
  })
})

describe("a refusal is the error that the SDK makes of Postmark's", () => {
  const refusalOf = async (key: string, email: object = least) =>
    clientOf(key)
      .sendEmail(email as never)
      .then(
        () => {
          throw new Error("It was sent.")
        },
        (error: unknown) => error as Errors.PostmarkError,
      )

  test("a wrong key, and one without the permission", async () => {
    const wrong = await refusalOf("mr_live_wrong")
    expect(wrong).toBeInstanceOf(Errors.InvalidAPIKeyError)
    expect(wrong).toMatchObject({ code: 10, statusCode: 401, message: expect.stringContaining("unknown, expired") })
    const readOnly = await refusalOf(await server.key("emails:read"))
    expect(readOnly).toBeInstanceOf(Errors.InvalidAPIKeyError)
    expect(readOnly.message).toContain("emails:send")
  })

  test("an unknown field is named, and an invalid one by its own name", async () => {
    const unknown = await refusalOf(server.world.apiKey, { ...least, Shout: true })
    expect(unknown).toBeInstanceOf(Errors.InvalidEmailRequestError)
    expect(unknown).toMatchObject({ code: 300, statusCode: 422, message: "/Shout: Unknown field." })
    expect((await refusalOf(server.world.apiKey, { ...least, To: "nobody" })).message).toMatch(/^\/To\/0: /)
  })

  test("a header that is given twice is refused where it is, in upper or lower case", async () => {
    const Headers = ["X-Order", "X-Trace", "x-order"].map((Name) => ({ Name, Value: "1" }))
    const { message } = await refusalOf(server.world.apiKey, { ...least, Headers })
    expect(message, "the refusal").toBe("/Headers/2/Name: Is given twice.")
  })

  test("a suppressed recipient is named", async () => {
    await server.suppress("gone@lovelace.example")
    const refusal = await refusalOf(server.world.apiKey, { ...least, To: "gone@lovelace.example" })
    expect(refusal).toBeInstanceOf(Errors.InactiveRecipientsError)
    expect(refusal).toMatchObject({ code: 406, recipients: ["gone@lovelace.example"] })
  })

  test("the daily quota, a domain of nobody and another project's template", async () => {
    const quota = await refusalOf(await server.exhausted())
    expect(quota).toBeInstanceOf(Errors.RateLimitExceededError)
    expect(await refusalOf(server.world.apiKey, { ...least, From: "hello@other.example" })).toMatchObject({ code: 400 })
    const TemplateId = await server.template("private")
    const { Subject: _, TextBody: __, ...email } = least
    const foreign = await clientOf(await server.foreignKey())
      .sendEmailWithTemplate({ ...email, TemplateId, TemplateModel: { who: "Ada" } } as never)
      .catch((error: unknown) => error)
    expect(foreign).toMatchObject({ code: 300, message: expect.stringContaining("/Template/id") })
  })
})
