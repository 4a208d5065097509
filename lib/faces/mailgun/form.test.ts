import { describe, expect, test } from "vitest"
import { parseBody } from "@/lib/platform/http/perform"
import { formAsJson, fromMailgun, MailgunMessage } from "@/lib/faces/mailgun/schema"

const fields: [string, string][] = [
  ["to", "ada@lovelace.example"],
  ["to", "bob@lovelace.example"],
  ["subject", "Grüße + 1 & more"],
  ["h:X-Order", "1"],
  ["h:X-Trace", "2"],
  ["v:order", "8841"],
]
const expected = {
  ...{ to: ["ada@lovelace.example", "bob@lovelace.example"], subject: "Grüße + 1 & more" },
  ...{ h: { "X-Order": "1", "X-Trace": "2" }, v: { order: "8841" } },
}

const ask = (body: BodyInit, type?: string) =>
  new Request("http://localhost/", { method: "POST", body, ...(type ? { headers: { "content-type": type } } : {}) })
const read = async (request: Request, bytesMax = 10_000) =>
  JSON.parse(Buffer.from(await formAsJson(request, bytesMax)).toString())

test("both encodings of a form mean the same", async () => {
  expect(await read(ask(new URLSearchParams(fields)))).toEqual(expected)
  const form = new FormData()
  for (const [name, value] of fields) form.append(name, value)
  expect(await read(ask(form))).toEqual(expected)
})

test("a file keeps its name, type and bytes", async () => {
  const form = new FormData()
  form.append("attachment", new Blob([new Uint8Array([0, 255, 10])], { type: "image/png" }), "ä.png")
  expect(await read(ask(form))).toEqual({
    attachment: { filename: "ä.png", contentType: "image/png", content: "AP8K" },
  })
})

test("what is no form, is malformed, too long or in too many parts is refused", async () => {
  const code = (request: Request, bytesMax?: number) =>
    read(request, bytesMax).catch((problem: { kind: { code: string } }) => problem.kind.code)
  expect(await code(ask("{}", "application/json"))).toBe("request.unsupported_media_type")
  expect(await code(ask("x", "multipart/form-data"))).toBe("request.invalid")
  expect(await code(ask("--a\r\nbroken", "multipart/form-data; boundary=a"))).toBe("request.invalid")
  expect(await code(ask(new URLSearchParams(fields)), 20)).toBe("request.too_large")
  const many = Array.from({ length: 2_001 }, (_, at): [string, string] => [`f${at}`, "1"])
  expect(await code(ask(new URLSearchParams(many)), 100_000)).toBe("request.invalid")
  const form = new FormData()
  for (const [name, value] of many) form.append(name, value)
  expect(await code(ask(form), 1_000_000)).toBe("request.invalid")
})

describe("variables of recipients", () => {
  const variablesOf = (json: string) => {
    const form = { from: "a@acme.test", to: "ada@lovelace.example", "recipient-variables": json }
    return parseBody(MailgunMessage, form)["recipient-variables"]
  }

  test("are texts by the address as it is compared", () => {
    const json = '{"Ada@Lovelace.example":{"name":"Ada","count":2.5,"old":true,"none":null}}'
    expect(variablesOf(json)).toEqual(
      new Map([["ada@lovelace.example", { name: "Ada", count: "2.5", old: "true", none: "" }]]),
    )
  })

  test.each([
    ["[]", "/recipient-variables: Must be an object in JSON"],
    ["{", "/recipient-variables: Must be an object in JSON"],
    ['{"a@b.test":{"x":1,"x":2}}', "/recipient-variables: Must be an object in JSON, without repeated names."],
    ['{"a@b.test":"Ada"}', "/recipient-variables/a@b.test: Must be an object."],
    ['{"a@b.test":{"x":[]}}', "/recipient-variables/a@b.test/x: Must be a text"],
    ['{"a@b.test":{"x":12345678901234567890}}', "/recipient-variables/a@b.test/x: Must be a text"],
  ])("%s is refused where it is", (json, sentence) => {
    expect(() => variablesOf(json)).toThrow(sentence)
  })
})

test("two headers whose names differ only in upper and lower case are refused, as two values of one name are", () => {
  const read = (h: object) => parseBody(MailgunMessage, { from: "a@acme.test", to: "ada@lovelace.example", h })
  expect(() => read({ "Reply-To": "a@acme.test", "reply-to": "b@acme.test" }), "two spellings").toThrow(
    "/h/reply-to: Is given twice.",
  )
  expect(() => read({ "Reply-To": ["a@acme.test", "b@acme.test"] }), "two values").toThrow(
    "/h/Reply-To: Must be a string",
  )
})

describe("the time of an email", () => {
  const timeOf = (text: string) => {
    const form = { from: "a@acme.test", to: "ada@lovelace.example", "o:deliverytime": text }
    return fromMailgun(parseBody(MailgunMessage, form), ["ada@lovelace.example"]).scheduledAt
  }

  test.each([
    ["Mon, 30 Nov 2026 10:00:00 GMT", "2026-11-30T10:00:00Z"],
    ["Tue, 1 Dec 2026 09:05:00 -0000", "2026-12-01T09:05:00Z"],
    ["1 Dec 2026 9:05 +0530", "2026-12-01T09:05:00+0530"],
    ["Tue, 01 Dec 2026 09:05:00 EST", "2026-12-01T09:05:00-0500"],
    ["Tue, 01 Dec 2026 09:05:00 +0000 (UTC)", "2026-12-01T09:05:00+0000"],
  ])("%s is %s", (text, time) => {
    expect(timeOf(text)).toBe(time)
  })

  test.each(["2026-12-01T09:05:00+01:00", "Mon, 30 Nov 2026 10:00:00", "foo 5", "tomorrow", ""])(
    "%j is left to the check of our own API",
    (text) => {
      expect(timeOf(text)).toBe(text)
    },
  )
})
