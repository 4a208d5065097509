import { expect, test } from "vitest"
import { splitTypedAddresses } from "@/components/compose/addresses"

test("addresses are separated by comma, semicolon or line, and empty ones are dropped", () => {
  expect(splitTypedAddresses("a@x.example, b@x.example;c@x.example\n\n d@x.example ,")).toEqual([
    "a@x.example",
    "b@x.example",
    "c@x.example",
    "d@x.example",
  ])
  expect(splitTypedAddresses(" \n ")).toEqual([])
})

test("a comma in a quoted name is part of it, and a quote that never ends does not swallow the next line", () => {
  expect(splitTypedAddresses('"Lovelace, Ada" <ada@x.example>, b@x.example')).toEqual([
    '"Lovelace, Ada" <ada@x.example>',
    "b@x.example",
  ])
  expect(splitTypedAddresses('"Ada <ada@x.example>\nb@x.example')).toEqual(['"Ada <ada@x.example>', "b@x.example"])
})
