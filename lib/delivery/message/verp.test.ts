import { createHmac, randomUUID } from "node:crypto"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readUnsubscribeToken, unsubscribeToken } from "@/lib/delivery/message/unsubscribe"
import { deliveryOfVerp, verpFor } from "@/lib/delivery/message/proven-ids"

const keyed = (key: string) => (purpose: string, text: string) =>
  createHmac("sha256", `${key}/${purpose}`).update(text).digest()
const ours = keyed("ours")

describe("the return path", () => {
  it("identifies its delivery, in any letter case, and is the same on every attempt", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const local = verpFor(id, ours)
        expect(local).toMatch(/^[a-z2-7]{1,40}$/)
        expect(verpFor(id, ours)).toBe(local)
        expect(deliveryOfVerp(local, ours)).toBe(id)
        expect(deliveryOfVerp(local.toUpperCase(), ours)).toBe(id)
      }),
    )
  })

  it("cannot be made without the key, nor by changing one of ours", () => {
    const local = verpFor(randomUUID(), ours)
    expect(deliveryOfVerp(local, keyed("theirs"))).toBeNull()
    for (let at = 0; at < local.length; at += 1) {
      const other = local[at] === "a" ? "b" : "a"
      expect(deliveryOfVerp(local.slice(0, at) + other + local.slice(at + 1), ours)).toBeNull()
    }
  })

  it("is never found in other people's local parts", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => deliveryOfVerp(text, ours) === null))
    for (const text of ["", "postmaster", "a".repeat(39), "7".repeat(39), "a".repeat(40)])
      expect(deliveryOfVerp(text, ours)).toBeNull()
  })
})

describe("the unsubscribe token", () => {
  it("identifies its delivery and needs no escaping in a URL", () => {
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const token = unsubscribeToken(id, ours)
        expect(token).toMatch(/^[\w-]{44}$/)
        expect(readUnsubscribeToken(token, ours)).toBe(id)
      }),
    )
  })

  it("cannot be made without the key, nor by changing one of ours", () => {
    const token = unsubscribeToken(randomUUID(), ours)
    expect(readUnsubscribeToken(token, keyed("theirs"))).toBeNull()
    for (let at = 0; at < token.length; at += 1) {
      const other = token[at] === "A" ? "B" : "A"
      expect(readUnsubscribeToken(token.slice(0, at) + other + token.slice(at + 1), ours)).toBeNull()
    }
    for (const text of ["", token.slice(1), `${token}=`, `${token}A`, ` ${token}`, "A".repeat(44)])
      expect(readUnsubscribeToken(text, ours)).toBeNull()
  })

  it("does not open with the key of another purpose", () => {
    const id = randomUUID()
    expect(
      readUnsubscribeToken(
        unsubscribeToken(id, (_, text) => ours("verp-1", text)),
        ours,
      ),
    ).toBeNull()
  })
})
