import { execFileSync } from "node:child_process"
import { expect, it } from "vitest"
import { curlOf, firstCurl } from "@/components/emails/curl"

it("a shell reads back exactly the email, whatever quotes and dollars it contains", () => {
  const email = {
    id: "email_1",
    status: "sent",
    from: "O'Hara <a@b.example>",
    to: ["c@d.example"],
    subject: `It's "$HOME" \`id\` \\n`,
    text: "line\nline 'two'",
    testMode: false,
    createdAt: "2026-11-21T14:02:10.000Z",
  }
  const command = curlOf(email, "http://localhost:3000").replace(/^curl/, 'printf "%s\\n"')
  const printed = execFileSync("/bin/sh", ["-c", `MAILROOM_API_KEY=k\n${command}`], { encoding: "utf8" })
  expect(printed).toContain("http://localhost:3000/v1/emails\n-H\nAuthorization: Bearer k\n")
  const body = JSON.parse(printed.slice(printed.indexOf("\n{")))
  expect(body).toEqual({ from: email.from, to: email.to, subject: email.subject, text: email.text })
})

it("a newsletter stays one: its topic and category are in the command", () => {
  const kind = { topicId: "top_1", sendTimeCategory: "marketing" } as const
  const email = {
    id: "email_1",
    status: "sent",
    from: "a@b.example",
    to: ["c@d.example"],
    subject: "News",
    testMode: false,
    createdAt: "2026-11-21T14:02:10.000Z",
    ...kind,
  }
  const command = curlOf(email, "http://h")
  expect(JSON.parse(command.slice(command.indexOf("{"), command.lastIndexOf("'")))).toMatchObject(kind)
})

it("the first email needs nothing but a key", () => {
  expect(firstCurl("http://h", "hello@acme.test", "ada@example.test")).toContain('"from": "hello@acme.test"')
})
