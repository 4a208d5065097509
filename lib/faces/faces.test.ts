import { readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { endpoints } from "@/lib/api/registry"
import { sendEach } from "@/lib/faces/face"
import { mailgun } from "@/lib/faces/mailgun/api"
import { postmark } from "@/lib/faces/postmark/api"
import { resend } from "@/lib/faces/resend/api"
import { sendgrid } from "@/lib/faces/sendgrid/api"
import { fieldTables } from "@/lib/faces/tables"
import { faceNames } from "@/lib/platform/env/fields"
import { pathOf } from "@/lib/platform/http/endpoint"

const faces = [resend, sendgrid, postmark, mailgun]
const operations = faces.flatMap((face) => face.operations)

test("each face has its name, its paths below it, and operations that only keys with a permission may call", () => {
  expect(faces.map(({ name }) => name)).toEqual(faceNames)
  for (const { name, operations: own } of faces)
    for (const operation of own) {
      expect(pathOf(operation).startsWith(`/${name}/`), operation.route).toBe(true)
      expect(operation.access, operation.route).toEqual({
        credential: "key",
        anyOf: [expect.stringMatching(/^\w+:\w+$/)],
      })
    }
})

test("routes and names of operations are unique, also among our own, whose document has none of them", () => {
  const all = [...endpoints, ...operations]
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length)
  expect(new Set(all.map(({ route }) => route)).size).toBe(all.length)
})

test("the tables of the guide say of each field what becomes of it", () => {
  for (const name of faceNames) {
    const rows = fieldTables(name).match(/^\| `.*$/gm) ?? []
    expect(rows.length > 2, name).toBe(true)
    expect(
      rows.filter((row) => !/^\| `[\w:…-]+` \| \S.* \|$/.test(row)),
      name,
    ).toEqual([])
  }
})

test("each face is served by the web server before Next, and passed over by the proxy of pages", () => {
  const launch = readFileSync("lib/cli/bundles.mjs", "utf8")
  const proxy = readFileSync("proxy.ts", "utf8")
  for (const name of faceNames) {
    expect(launch).toContain(`"${name}"`)
    expect(proxy).toContain(`|${name}/|`)
    expect(readFileSync(`app/${name}/[...path]/route.ts`, "utf8")).toContain(`serveFace(${name})`)
  }
})

test("emails that are too large together are refused once so many bytes of them are made, however many are asked for", async () => {
  let made = 0
  const sendAt = () => {
    made++
    return { from: "a@b.test", to: "a@b.test", subject: "s", html: "a".repeat(2_000_000) }
  }
  const sent = sendEach({} as never, 900, sendAt, () => ({}), {} as never)
  await expect(sent, "the refusal").rejects.toThrow("The messages of one request may hold 67108864 bytes")
  expect(made, "emails of 2 MB that were made for a limit of 64 MiB").toBe(34)
})
