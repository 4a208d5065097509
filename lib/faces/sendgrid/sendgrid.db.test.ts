import sgMail from "@sendgrid/mail"
import { describe, expect, test, vi } from "vitest"
import { FaceServer } from "@/e2e/support/faces"
import { api } from "@/e2e/support/world"

const server = new FaceServer()

type MailService = typeof sgMail

function serviceOf(key: string): MailService {
  // Its types do not say that the module has its class.
  const service = new (sgMail as unknown as { MailService: new () => MailService }).MailService()
  // It warns that the key does not begin with SG.
  vi.spyOn(console, "warn").mockImplementation(() => {})
  service.setApiKey(key)
  const { client } = service as unknown as { client: { setDefaultRequest(name: string, value: string): void } }
  client.setDefaultRequest("baseUrl", `${server.origin}/sendgrid/`)
  return service
}
const service = () => serviceOf(server.world.apiKey)

const least = { from: "hello@acme.test", to: "ada@lovelace.example", subject: "Order", text: "Sent." }

const idOf = ([response]: [{ statusCode: number; headers: unknown }, unknown]) => {
  expect(response.statusCode).toBe(202)
  return (response.headers as Record<string, string>)["x-message-id"] ?? ""
}

/** The newest emails of the project, as lists show them. */
async function newest(count: number) {
  const params = { projectId: server.world.project }
  const { json } = await api("GET /v1/projects/{projectId}/emails", {
    ...{ key: server.world.apiKey, params, query: { size: count } },
  })
  return json.data
}

describe("@sendgrid/mail, with another base URL and key", () => {
  test("send: text alone", async () => {
    expect(await server.email(idOf(await service().send(least)))).toMatchObject({ subject: "Order", text: "Sent." })
  })

  test("send: names, copies, address for replies and headers", async () => {
    const id = idOf(
      await service().send({
        ...{ ...least, from: { email: "hello@acme.test", name: "Acme, Inc." }, html: "<p>Sent.</p>" },
        ...{ to: { email: "ada@lovelace.example", name: "Ada" }, cc: "bob@lovelace.example" },
        ...{ bcc: ["eve@lovelace.example"], replyTo: "help@acme.test", headers: { "X-Order": "8841" } },
      }),
    )
    expect(await server.email(id)).toMatchObject({
      ...{ from: '"Acme, Inc." <hello@acme.test>', cc: ["bob@lovelace.example"], bcc: ["eve@lovelace.example"] },
      ...{ replyTo: "help@acme.test", html: "<p>Sent.</p>" },
    })
  })

  test("send: attachments", async () => {
    const attachments = [
      { content: "YmlsbA==", filename: "bill.pdf", type: "application/pdf", disposition: "attachment" },
      { content: "cGljdHVyZQ==", filename: "logo.png", type: "image/png", disposition: "inline", contentId: "logo" },
    ]
    idOf(await service().send({ ...least, html: '<img src="cid:logo">', attachments }))
  })

  test("send: categories and custom arguments", async () => {
    const id = idOf(await service().send({ ...least, categories: ["orders", "mail"], customArgs: { order: "8841" } }))
    expect(await server.email(id)).toMatchObject({ tags: { orders: "", mail: "" }, metadata: { order: "8841" } })
  })

  test("send: a time", async () => {
    const sendAt = Math.floor(Date.now() / 1000) + 3600
    const id = idOf(await service().send({ ...least, sendAt }))
    expect(await server.email(id)).toMatchObject({
      status: "scheduled",
      scheduledAt: new Date(sendAt * 1000).toISOString(),
    })
  })

  test("send: a template with data", async () => {
    const templateId = `d-${await server.template("welcome")}`
    const { subject: _, text: __, ...email } = least
    const id = idOf(await service().send({ ...email, templateId, dynamicTemplateData: { who: "Ada" } }))
    expect(await server.email(id)).toMatchObject({ subject: "Hi Ada", html: "<p>Hi Ada</p>" })
  })

  test("send: tracking and test mode", async () => {
    const id = idOf(
      await service().send({
        ...{ ...least, html: "<p>Sent.</p>", mailSettings: { sandboxMode: { enable: true } } },
        trackingSettings: { openTracking: { enable: true }, clickTracking: { enable: false, enableText: false } },
      }),
    )
    expect(await server.email(id)).toMatchObject({
      testMode: true,
      trackingSettings: { openTracking: true, clickTracking: false },
    })
  })

  test("send: personalizations with a subject, arguments and replaced texts of their own", async () => {
    idOf(
      await service().send({
        ...{ from: "hello@acme.test", subject: "For {{name}}", text: "Hi {{name}}", html: "<p>{{name}}</p>" },
        personalizations: [
          { to: "ada@lovelace.example", substitutions: { name: "Ada {{order}}", order: "1" }, customArgs: { n: "1" } },
          { to: "bob@lovelace.example", subject: "Yours", substitutions: { name: "Bob" } },
        ],
      } as never),
    )
    expect(
      (await newest(2)).map(({ to, subject }: { to: string[]; subject: string }) => [to[0], subject]).sort(),
    ).toEqual(
      // A value that looks like a placeholder stays as it is.
      [
        ["ada@lovelace.example", "For Ada {{order}}"],
        ["bob@lovelace.example", "Yours"],
      ],
    )
  })

  test("sendMultiple: an email for each address", async () => {
    idOf(await service().sendMultiple({ ...least, to: ["ada@lovelace.example", "bob@lovelace.example"] }))
    expect((await newest(2)).map(({ to }: { to: string[] }) => to).sort()).toEqual([
      ["ada@lovelace.example"],
      ["bob@lovelace.example"],
    ])
  })

  test("send: a list of emails", async () => {
    const sent = await service().send([least, { ...least, subject: "Another" }])
    expect(sent).toHaveLength(2)
    for (const each of sent) idOf(each as never)
  })
})

type Refused = {
  code: number
  response: { body: { errors: { message: string; field: string | null; help: string }[] } }
}

async function refusalOf(key: string, email: object): Promise<Refused> {
  return serviceOf(key)
    .send(email as never)
    .then(
      () => {
        throw new Error("It was sent.")
      },
      (error: unknown) => error as Refused,
    )
}

describe("a refusal has the errors that the SDK shows", () => {
  test("a wrong key is 401, one without the permission 403", async () => {
    const wrong = await refusalOf("mr_live_wrong", least)
    expect([wrong.code, wrong.response.body.errors[0]?.help]).toEqual([401, "auth.invalid_credentials"])
    const readOnly = await refusalOf(await server.key("emails:read"), least)
    expect([readOnly.code, readOnly.response.body.errors[0]?.message]).toEqual([
      403,
      expect.stringContaining("emails:send"),
    ])
  })

  test("an unknown field, one that is not supported and an invalid address are named where they are", async () => {
    const errorsOf = async (email: object) => {
      const { code, response } = await refusalOf(server.world.apiKey, email)
      expect(code).toBe(400)
      return response.body.errors
    }
    expect(await errorsOf({ ...least, batchId: "b1" })).toMatchObject([
      { field: "batch_id", message: expect.stringMatching(/^\/batch_id: Is not supported here: cancel/) },
    ])
    const settings = { mailSettings: { footer: { enable: true, text: "x", html: "x" } } }
    expect(await errorsOf({ ...least, ...settings })).toMatchObject([{ field: "mail_settings.footer" }])
    expect(await errorsOf({ ...least, to: "nobody" })).toMatchObject([{ field: "personalizations.0.to.0" }])
  })

  test("a time that is not in seconds is refused, by the name of its field", async () => {
    for (const sendAt of [1_764_518_400_000, 1_764_518_400_000_000, Number.MAX_SAFE_INTEGER]) {
      const { code, response } = await refusalOf(server.world.apiKey, { ...least, sendAt })
      expect(code).toBe(400)
      expect(response.body.errors).toMatchObject([
        { field: "send_at", message: "/send_at: Must be Unix seconds, not milliseconds." },
      ])
    }
  })

  test("one invalid personalization keeps all from being sent", async () => {
    const [before] = await newest(1)
    const personalizations = [{ to: "ada@lovelace.example" }, { to: "nobody" }]
    const { to: _, ...email } = least
    const { response } = await refusalOf(server.world.apiKey, { ...email, personalizations })
    expect(response.body.errors).toMatchObject([{ field: "personalizations.1.to.0" }])
    expect((await newest(1))[0].id).toBe(before.id)
  })

  test("the daily quota is 429, and another project's template is none", async () => {
    const quota = await refusalOf(await server.exhausted(), least)
    expect([quota.code, quota.response.body.errors[0]?.help]).toEqual([429, "quota.daily_exceeded"])
    const templateId = `d-${await server.template("private")}`
    const { subject: _, text: __, ...email } = least
    const foreign = await refusalOf(await server.foreignKey(), {
      ...email,
      templateId,
      dynamicTemplateData: { who: "A" },
    })
    expect(foreign.response.body.errors).toMatchObject([{ field: "template_id.id" }])
  })

  test("an email to a suppressed recipient is accepted and not sent, as there", async () => {
    await server.suppress("gone@lovelace.example")
    const id = idOf(await service().send({ ...least, to: "gone@lovelace.example" }))
    expect(await server.email(id)).toMatchObject({ status: "suppressed" })
  })
})
