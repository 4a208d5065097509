import { expect, it } from "vitest"
import { percent } from "@/components/overview/percent"

it("a rate keeps the digits that matter, and only all of it reads 100%", () => {
  expect([0, 0.0005, 0.001, 0.05, 0.5, 0.98765, 0.99999, 1].map(percent)).toEqual([
    "0%",
    "0.05%",
    "0.10%",
    "5%",
    "50%",
    "98.8%",
    "99.9%",
    "100%",
  ])
})
