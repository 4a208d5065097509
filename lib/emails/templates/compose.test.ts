import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createContactComposer, neededContactKeys, shownContactKeys } from "@/lib/emails/templates/compose"

const source = {
  subject: "{{contact.firstName | there}}",
  html: "<p>{{contact.firstName}} {{contact.email}} {{plan}}</p>",
}

describe("a template for contacts of any kind", () => {
  test("names what it shows of them, and what of that has no fallback", () => {
    expect(shownContactKeys(source)).toEqual(["firstName", "email"])
    expect(neededContactKeys(source)).toEqual(["firstName", "email"])
    expect(neededContactKeys({ subject: source.subject })).toEqual([])
  })

  test("leaves out what a contact lacks where it has no fallback", () => {
    const compose = createContactComposer({ source, values: { plan: "pro" } })
    const ada = new Map([["firstName", "Ada"]])
    expect([compose.subject(new Map()), compose.bodies(new Map()).html]).toEqual(["there", "<p>  pro</p>"])
    expect([compose.subject(ada), compose.bodies(ada).html]).toEqual(["Ada", "<p>Ada  pro</p>"])
  })

  test("whatever a contact's values hold, there is something to send, and in HTML they are text", () => {
    const compose = createContactComposer({ source, values: { plan: "pro" } })
    const value = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(" ", "\0", "<b>", "{{plan}}", "x".repeat(2_000)),
    )
    fc.assert(
      fc.property(value, (firstName) => {
        const contact = new Map([["firstName", firstName]])
        expect(compose.subject(contact).trim()).not.toBe("")
        expect(compose.bodies(contact).html?.match(/[<>]/g)).toEqual(["<", ">", "<", ">"])
      }),
    )
  })
})
