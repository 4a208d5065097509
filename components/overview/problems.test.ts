import { expect, it } from "vitest"
import { problemsOf } from "@/components/overview/queries"

const now = Date.parse("2026-11-24T12:00:00Z")
const email = (id: string, hoursAgo: number, to: string, error?: string) => ({
  id,
  status: error ? ("bounced" as const) : ("complained" as const),
  to: [to],
  createdAt: new Date(now - hoursAgo * 3_600_000).toISOString(),
  ...(error ? { error } : {}),
})

it("the newest five causes of the last seven days, the newest first", () => {
  const emails = [9, 2, 1, 200, 5, 3, 7].map((hours) => email(String(hours), hours, `ada@b${hours}.example`))
  expect(problemsOf(emails, now).map(({ email: { id } }) => id)).toEqual(["1", "2", "3", "5", "7"])
})

it("emails to one domain with the same reason are one problem, told by the newest of them", () => {
  const emails = [
    email("a", 3, "Ada <ada@b.example>", "full"),
    email("b", 1, "eve@b.example", "full"),
    email("c", 2, "eve@b.example", "unknown"),
    email("d", 2, "eve@c.example", "full"),
  ]
  expect(problemsOf(emails, now).map(({ email: { id }, domain, count }) => [id, domain, count])).toEqual([
    ["b", "b.example", 2],
    ["c", "b.example", 1],
    ["d", "c.example", 1],
  ])
})

it("suppressed emails are one problem, whatever their domains", () => {
  const suppressed = [email("a", 1, "ada@b.example"), email("b", 2, "eve@c.example")].map((one) => ({
    ...one,
    status: "suppressed" as const,
  }))
  expect(problemsOf(suppressed, now)).toMatchObject([{ email: { id: "a" }, domain: "", count: 2 }])
})
