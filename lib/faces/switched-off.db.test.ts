import { describe, expect, test } from "vitest"
import { FaceServer } from "@/e2e/support/faces"
import { provideEnv } from "@/lib/platform/env/env"

const server = new FaceServer()

const paths: [path: string, body: unknown][] = [
  ["/resend/emails", { name: "not_found", statusCode: 404, message: expect.stringContaining("API_FACES") }],
  [
    "/sendgrid/v3/mail/send",
    { errors: [{ message: expect.stringContaining("API_FACES"), field: null, help: expect.any(String) }] },
  ],
  ["/postmark/email", { ErrorCode: 300, Message: expect.stringContaining("API_FACES") }],
  ["/mailgun/v3/acme.test/messages", { message: expect.stringContaining("API_FACES") }],
]

const ask = async (path: string) => {
  const response = await fetch(`${server.origin}${path}`, {
    ...{ method: "POST", body: "{}", headers: { "content-type": "application/json" } },
  })
  return { status: response.status, body: await response.json() }
}

describe("API_FACES", () => {
  test.each(paths)("none: %s is not found, in the words of its service", async (path, body) => {
    provideEnv({ API_FACES: "none" })
    expect(await ask(path)).toEqual({ status: 404, body })
  })

  test("a list leaves those that it names", async () => {
    provideEnv({ API_FACES: "postmark, resend" })
    expect((await ask("/postmark/email")).status).toBe(401)
    expect((await ask("/resend/emails")).status).toBe(401)
    expect((await ask("/mailgun/v3/acme.test/messages")).status).toBe(404)
  })

  test("a path that the service does not have here is 404, and a method that it has not 405 with Allow", async () => {
    provideEnv({ API_FACES: "" })
    expect(await ask("/resend/nothing")).toMatchObject({ status: 404, body: { name: "not_found" } })
    const response = await fetch(`${server.origin}/postmark/email`)
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
  })
})
