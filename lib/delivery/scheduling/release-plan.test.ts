import { expect, test } from "vitest"
import { type Due, planRelease } from "@/lib/delivery/scheduling/data"

const allowance = { used: 9, daily: 10 }
const mail = (id: string, changes: Partial<Due> = {}): Due => ({
  id,
  subject: "Hello",
  to: ["ada@x.example"],
  testMode: false,
  domain: "acme.com",
  expired: false,
  reachable: true,
  domainDeleted: false,
  ...changes,
})

test("what the day still allows leaves in order; the rest waits, and what has waited too long ends", () => {
  const plan = planRelease([mail("a"), mail("b"), mail("c", { expired: true })], allowance)
  expect(plan.release.map(({ id }) => id)).toEqual(["a"])
  expect(plan.tomorrow.map(({ id }) => id)).toEqual(["b"])
  expect(plan.expired.map(({ id }) => id)).toEqual(["c"])
  expect(plan.cost).toBe(1)
})

test("test mail and mail that reaches nobody cost nothing, whatever the day allows", () => {
  const free = [mail("a", { testMode: true }), mail("b", { reachable: false })]
  expect(planRelease(free, { ...allowance, used: 10 })).toEqual({
    release: free,
    cost: 0,
    expired: [],
    tomorrow: [],
    withoutDomain: [],
  })
})

test("mail whose sending domain was deleted ends, costs nothing and takes no other mail's place in the day", () => {
  const plan = planRelease([mail("a", { domainDeleted: true }), mail("b")], allowance)
  expect(plan.withoutDomain.map(({ id }) => id)).toEqual(["a"])
  expect({ release: plan.release.map(({ id }) => id), cost: plan.cost }).toEqual({ release: ["b"], cost: 1 })
})
