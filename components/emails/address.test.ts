import { expect, it } from "vitest"
import { bareAddress } from "@/components/emails/address"

it("a display name is left out, whatever it contains", () => {
  expect(bareAddress('"A <b>" <ada@b.example>')).toBe("ada@b.example")
  expect(bareAddress("ada@b.example")).toBe("ada@b.example")
})
