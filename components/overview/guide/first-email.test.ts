import { expect, it } from "vitest"
import { firstEmail } from "@/components/overview/guide/steps"

const about = { from: "hello@acme.test", baseUrl: "http://localhost:3000", projectId: "proj_1" }

it("greets by the first name, and a name that is markup stays a name", () => {
  expect(firstEmail({ ...about, person: { email: "ada@acme.test", name: "Ada Lovelace" } })).toMatchObject({
    to: ["ada@acme.test"],
    text: expect.stringMatching(/^Hello Ada,\n/),
  })
  const { html } = firstEmail({ ...about, person: { email: "x@acme.test", name: "<b>x</b>" } })
  expect(html).toContain("Hello &lt;b&gt;x&lt;/b&gt;,")
  expect(firstEmail({ ...about, person: { email: "x@acme.test" } }).text).toMatch(/^Hello,\n/)
})
