import { afterEach, expect, test } from "vitest"
import { env, parseSettings, provideEnv } from "@/lib/platform/env/env"
import { securityText } from "@/lib/platform/http/security-text"

const now = new Date("2026-01-02T03:04:05Z")

afterEach(() => provideEnv({ SECURITY_CONTACT: "" }))

test("security.txt names whom the operator set, until when, and where it belongs", async () => {
  provideEnv({ SECURITY_CONTACT: "security@example.com" })
  const answer = securityText(now)
  expect({ status: answer.status, contentType: answer.headers.get("content-type") }).toEqual({
    status: 200,
    contentType: "text/plain; charset=utf-8",
  })
  expect((await answer.text()).split("\n")).toEqual([
    "Contact: mailto:security@example.com",
    "Expires: 2026-07-01T03:04:05.000Z",
    `Canonical: ${env().baseUrl}/.well-known/security.txt`,
    "",
  ])
})

test("without a contact there is none", async () => {
  const answer = securityText(now)
  expect({ status: answer.status, code: (await answer.json()).code }).toEqual({
    status: 404,
    code: "request.not_found",
  })
})

test.each(["nobody", "http://example.com/security", "javascript:alert(1)", "a@b\nExpires: never"])(
  "%j is no contact",
  (contact) => {
    expect(() => parseSettings({ SECURITY_CONTACT: contact })).toThrow(/SECURITY_CONTACT: must be an address/)
  },
)
