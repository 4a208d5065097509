import { expect, it } from "vitest"
import { addressWithoutName, nameOf } from "@/components/emails/address"

it("a display name is left out, whatever it contains", () => {
  expect(addressWithoutName('"A <b>" <ada@b.example>')).toBe("ada@b.example")
  expect(addressWithoutName("ada@b.example")).toBe("ada@b.example")
})

it("the name of an address comes without its quotes, and is empty where there is none", () => {
  expect(nameOf('"O\'Hara, \\"Bo\\" <b>" <bo@b.example>')).toBe(`O'Hara, "Bo" <b>`)
  expect(nameOf("Ada <ada@b.example>")).toBe("Ada")
  expect(nameOf("ada@b.example")).toBe("")
  expect(nameOf("<ada@b.example>")).toBe("")
})
