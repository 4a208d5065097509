import { expect, test } from "vitest"
import { keyState, type KeyWire, presetOf, presets } from "@/components/api-keys/key-words"
import { grantable } from "@/lib/access/permissions"

const now = Date.parse("2026-11-19T14:00:00Z")
const key = (enabled: boolean, expiresAt?: string) => ({ enabled, ...(expiresAt && { expiresAt }) }) as KeyWire

test("a key that ends within a week says when, as the old key of a rotation does", () => {
  expect(keyState(key(true), now)).toMatchObject({ tone: "good", word: "Active" })
  expect(keyState(key(true, "2026-11-27T14:00:00Z"), now).word).toBe("Active")
  expect(keyState(key(true, "2026-11-23T09:40:00Z"), now)).toMatchObject({ tone: "warn", word: "Ends in 3 days" })
  expect(keyState(key(true, "2026-11-19T15:30:00Z"), now).word).toBe("Ends in 1 hour")
})

test("a key that does not work says whether it expired or was revoked", () => {
  expect(keyState(key(false, "2026-11-18T00:00:00Z"), now).word).toBe("Expired")
  expect(keyState(key(false, "2026-12-18T00:00:00Z"), now).word).toBe("Revoked")
  expect(keyState(key(false), now).word).toBe("Revoked")
})

test("everything that a developer may give is their preset of everything, and less than an owner's", () => {
  const given = grantable("developer")
  expect(presets.everything.filter((one) => !given.includes(one))).toEqual(["projects:write"])
  expect(presetOf(given, { ...presets, everything: given })).toBe("everything")
  expect(presetOf(given)).toBe("custom")
  expect(grantable("owner")).toEqual(presets.everything)
})
