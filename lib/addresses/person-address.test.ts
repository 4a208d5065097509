import { expect, test } from "vitest"
import { personAddress } from "@/lib/addresses/address"

test.each([
  [" Ada@Example.COM ", "ada@example.com"],
  ["ada@bücher.test", "ada@xn--bcher-kva.test"],
  ["ada@XN--BCHER-KVA.test", "ada@xn--bcher-kva.test"],
])("the address of a person is stored in one form: %j", (text, stored) => {
  expect(personAddress(text)).toBe(stored)
})

test.each([
  ...["ada", "@example.com", "ada@", "ada@example", "ada@example.com.", "ada@b@example.com", "ada <ada@example.com>"],
  ...[
    "ada@example.com/path",
    "ada@example.com:25",
    "ada@example.com?x",
    "ada@example.com#x",
    "ada@exam%70le.com",
    "ada@exam\\ple.com",
  ],
  ...["ada@xn--zzzzzz.test", "ada@xn--.test"],
])("%j is no address of a person", (text) => {
  expect(personAddress(text)).toBeNull()
})
