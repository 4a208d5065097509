import { expect, test } from "vitest"
import { clicksCheck } from "@/components/compose/check"
import { noFields } from "@/components/compose/fields"

const linked = { ...noFields, text: "Read https://example.com/a" }
const around = { audience: { id: "seg_1" }, tracksClicks: false }
const withClicks = (clickTracking: "on" | "off") => ({ ...linked, tracking: { ...noFields.tracking, clickTracking } })

test("a broadcast with links says before it is sent that clicks will not be known, unless somebody has decided that", () => {
  expect(clicksCheck(linked, around)).toMatchObject({ tone: "wait", allowed: true, title: "Clicks are not tracked" })
  expect(clicksCheck({ ...linked, text: "No link" }, around), "without a link").toBeNull()
  expect(clicksCheck(linked, { tracksClicks: false }), "to addresses").toBeNull()
  expect(clicksCheck(linked, { ...around, tracksClicks: true }), "tracked by the project").toBeNull()
  for (const choice of ["on", "off"] as const) expect(clicksCheck(withClicks(choice), around), choice).toBeNull()
})
