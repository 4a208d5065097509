import { describe, expect, test } from "vitest"
import { importRows } from "@/components/suppressions/import-form"

describe("rows of an import", () => {
  test("are one address a line", () => {
    expect(importRows("ada@x.example\r\n\n bob@x.example ")).toEqual([
      { email: "ada@x.example" },
      { email: "bob@x.example" },
    ])
  })

  test("are found by their column names, whatever other columns there are", () => {
    const text =
      '\ufeff"Name","E-Mail","Reason"\n"Ada, Countess","ada@x.example","COMPLAINT"\n"Bob ""B""",bob@x.example,unknown\n'
    expect(importRows(text)).toEqual([{ email: "ada@x.example", reason: "complaint" }, { email: "bob@x.example" }])
  })

  test("without heads are the address and the reason; semicolons and tabs part cells too", () => {
    expect(importRows("ada@x.example;bounce\nbob@x.example\tmanual")).toEqual([
      { email: "ada@x.example", reason: "bounce" },
      { email: "bob@x.example", reason: "manual" },
    ])
  })

  test("of our own export are what was exported", () => {
    expect(
      importRows('email,reason,created_at\r\n"\'=1+1@x.example","unsubscribe","2026-11-21T10:00:00.000Z"\r\n'),
    ).toEqual([{ email: "=1+1@x.example", reason: "unsubscribe" }])
    expect(importRows('email\r\n"\'\'=1@x.example"\r\n"\'+1@x.example"\r\n')).toEqual([
      { email: "'=1@x.example" },
      { email: "+1@x.example" },
    ])
  })
})
