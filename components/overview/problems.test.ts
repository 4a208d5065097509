import { expect, it } from "vitest"
import { newest } from "@/components/overview/problems"

it("shows the newest five problems of the last seven days, of whatever status", () => {
  const now = Date.parse("2026-11-20T12:00:00Z")
  const at = (hoursAgo: number) => ({ createdAt: new Date(now - hoursAgo * 3_600_000).toISOString() })
  const hours = newest([8, 1, 200, 3, 2, 169, 4, 5].map(at), now).map(
    ({ createdAt }) => (now - Date.parse(createdAt)) / 3_600_000,
  )
  expect(hours).toEqual([1, 2, 3, 4, 5])
  expect(newest([at(168.1), at(167.9)], now)).toEqual([at(167.9)])
})
