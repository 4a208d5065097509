import { expect, it } from "vitest"
import { pageKind, withRecent, type Recent } from "@/components/layout/palette/recents"

const recent = (n: number): Recent => ({ href: `/projects/p/emails/${n}`, label: `Email ${n}`, kind: "Email" })

it("the newest comes first, each address once, and at most five are stored", () => {
  const many = [1, 2, 3, 4, 5, 6].reduce<Recent[]>((kept, n) => withRecent(kept, recent(n)), [])
  expect(many.map(({ label }) => label)).toEqual(["Email 6", "Email 5", "Email 4", "Email 3", "Email 2"])
  expect(withRecent(many, { ...recent(3), label: "Renamed" }).map(({ label }) => label)).toEqual([
    "Renamed",
    "Email 6",
    "Email 5",
    "Email 4",
    "Email 2",
  ])
})

it("only pages of single things are remembered", () => {
  const id = "01k9q3f7c2e8m9v4x6y8z0a1b3"
  expect(pageKind(`/projects/p/emails/email_${id}`)).toBe("Email")
  expect(pageKind(`/projects/p/domains/dom_${id}`)).toBe("Domain")
  expect(pageKind("/projects/p/emails")).toBe(null)
  expect(pageKind("/projects/p/emails/compose")).toBe(null)
  expect(pageKind("/projects/p")).toBe(null)
})
