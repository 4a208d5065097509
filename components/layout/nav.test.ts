import { expect, it } from "vitest"
import { isActive } from "@/components/layout/nav"

const domains = { href: "/projects/p/domains" }

it("marks the item of the page that is open and of the pages below it", () => {
  expect(isActive(domains, "/projects/p/domains")).toBe(true)
  expect(isActive(domains, "/projects/p/domains/dom_1")).toBe(true)
})

it("does not mark an item whose address merely begins alike", () => {
  expect(isActive(domains, "/projects/p/domains-old")).toBe(false)
})

it("does not mark an exact item for the pages below it", () => {
  expect(isActive({ href: "/projects/p", exact: true }, "/projects/p/domains")).toBe(false)
})
