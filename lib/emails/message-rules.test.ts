import { describe, expect, it, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import {
  bodyFault,
  contentIdFault,
  contentTypeFault,
  filenameFault,
  labelsFaults,
  mimePartCount,
  presentBody,
  repeatedContentIds,
  subjectFault,
} from "@/lib/emails/message-rules"

const sentence = expect.stringMatching(/^[A-Z].*\.$/)

describe("attachments", () => {
  it.each(["report.pdf", 'a "quoted" name.txt', "Übersicht 2026.csv", "a".repeat(255)])("takes the name %j", (name) => {
    expect(filenameFault(name)).toBeNull()
  })

  it.each(["", " ", "a/b", "a\\b", ".", "..", 'a"\r\nX: 1.txt', "a\0b", "a\u202excod.exe", "a".repeat(256)])(
    "refuses the name %j",
    (name) => expect(filenameFault(name)).toEqual(sentence),
  )

  it.each(["text/plain", "application/vnd.ms-excel", "text/calendar; charset=utf-8; method=REQUEST", 'a/b; x="y z"'])(
    "takes the type %j",
    (type) => expect(contentTypeFault(type)).toBeNull(),
  )

  it.each([
    "",
    "text",
    "text/",
    "/plain",
    "text/plain; ",
    "text/plain\r\nX: y",
    'text/plain; x="a\r\nb"',
    "multipart/mixed",
    "text/plain; boundary",
    `a/${"b".repeat(254)}`,
    `a/b${" ;".repeat(100)}`,
  ])("refuses the type %j", (type) => expect(contentTypeFault(type)).toEqual(sentence))

  it("takes a content id without brackets only", () => {
    expect(contentIdFault("logo@acme.example")).toBeNull()
    for (const id of ["", "<logo>", "lo go", "logo\r\n", "é", "l".repeat(129)])
      expect(contentIdFault(id)).toEqual(sentence)
  })

  it("counts bodies and attachments as MIME parts", () => {
    expect(mimePartCount({ text: "a", html: "b", attachments: [1, 2, 3] })).toBe(5)
    expect(mimePartCount({ text: "" })).toBe(1)
  })
})

describe("limits", () => {
  it("takes a subject of 998 characters and refuses one more, an empty one and one with a line break", () => {
    expect(subjectFault("s".repeat(998))).toBeNull()
    for (const subject of ["s".repeat(999), "", "  ", "a\nb", "a\r\nBcc: e@x", "a\u2029"])
      expect(subjectFault(subject)).toEqual(sentence)
  })

  it("takes a body of 2 MiB in UTF-8 and refuses one byte more, and a NUL", () => {
    expect(bodyFault("b".repeat(2 * 1024 * 1024))).toBeNull()
    expect(bodyFault("é".repeat(1024 * 1024))).toBeNull()
    for (const body of ["b".repeat(2 * 1024 * 1024 + 1), "é".repeat(1024 * 1024) + "b", "a\0b"])
      expect(bodyFault(body)).toEqual(sentence)
  })

  it("takes 50 labels with keys of 64 and values of 256 characters and no more", () => {
    const labels = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`key${n}`, "v"]))
    expect(labelsFaults(labels(50))).toEqual([])
    expect(labelsFaults({ ["k".repeat(64)]: "v".repeat(256) })).toEqual([])
    for (const faulty of [labels(51), { ["k".repeat(65)]: "v" }, { "": "v" }, { k: "v".repeat(257) }, { k: "\0" }])
      expect(labelsFaults(faulty).map((fault) => fault.sentence)).toEqual([sentence])
    const several = labelsFaults({ good: "v", ["k".repeat(65)]: "v", long: "v".repeat(257) })
    expect(
      several.map(({ key }) => key),
      "the keys with a fault",
    ).toEqual(["k".repeat(65), "long"])
  })
})

describe("presentBody", () => {
  it.each([
    null,
    undefined,
    "",
    " ",
    "\r\n\t\v\f",
    "\u00a0\u2003\u3000\u2028",
    "\u200b\u200d\u2060\ufeff",
    "\u00ad\u3164\u2800",
  ])("finds nothing in %j", (body) => expect(presentBody(body)).toBeUndefined())

  it.each(["a", " . ", "\u200b<p></p>", "\u0130", "👋", "0"])("returns %j as it is", (body) =>
    expect(presentBody(body)).toBe(body),
  )

  it("reads two mebibytes of white space in moments", measured, () => {
    const startedAt = performance.now()
    expect(presentBody(" ".repeat(2 * 2 ** 20))).toBeUndefined()
    expect(performance.now() - startedAt).toBeLessThan(1_000)
  })
})

test("attachments share a contentId whatever its letter case, and those without one share nothing", () => {
  const ids = (...contentIds: (string | undefined)[]) =>
    repeatedContentIds(contentIds.map((contentId) => ({ contentId })))
  expect(ids("logo", undefined, "LOGO", "photo", "logo", undefined)).toEqual([2, 4])
  expect(ids("logo@a", "logo@b")).toEqual([])
})
