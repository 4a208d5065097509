import { expect, it } from "vitest"
import { setupSteps } from "@/components/overview/setup-steps"

const done = (...given: Parameters<typeof setupSteps>[1][]) =>
  given.map((state) => setupSteps("proj_1", state).map((step) => step.done))

it("each step is done by its own rule and by no other", () => {
  expect(
    done(
      { domains: [], keys: [], emails: 0 },
      { domains: [{ id: "dom_1", status: "pending" }], keys: [{ enabled: false }], emails: 0 },
      { domains: [{ id: "dom_1", status: "degraded" }], keys: [{ enabled: true }], emails: 0 },
      {
        domains: [
          { id: "dom_1", status: "failed" },
          { id: "dom_2", status: "verified" },
        ],
        keys: [],
        emails: 1,
      },
    ),
  ).toEqual([
    [false, false, false, false],
    [true, false, false, false],
    [true, true, true, false],
    [true, true, false, true],
  ])
})

it("with one domain the DNS step leads straight to its records", () => {
  const [, dns] = setupSteps("proj_1", { domains: [{ id: "dom_1", status: "pending" }], keys: [], emails: 0 })
  expect(dns?.href).toBe("/projects/proj_1/domains/dom_1")
})
