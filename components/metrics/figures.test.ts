import { expect, it } from "vitest"
import { clickedFigure, openedFigure, deliveredFigure } from "@/components/metrics/figures"

const counts = {
  accepted: 46,
  excluded: { unsubscribed: 0, suppressed: 0, topicOptOut: 0, left: 0 },
  ...{ sent: 46, delivered: 45, bounced: 1, complained: 0, opened: 0, clicked: 0, unsubscribed: 0, failed: 0 },
}
const tracked = { opens: true, clicks: false }

it("what is not tracked is said to be so instead of 0, and what is tracked is 0 where nobody did it", () => {
  expect(openedFigure({ counts, tracked })).toEqual({ value: "0", of: "0.00% of delivered" })
  expect(clickedFigure({ counts, tracked })).toEqual({ none: "Not tracked" })
  expect(clickedFigure({ counts: { ...counts, clicked: 9 }, tracked })).toEqual({
    value: "9",
    of: "20.00% of delivered",
  })
})

it("behind a relay that reports nothing, delivery is not reported, and shares are of what was sent", () => {
  const relay = { ...counts, delivered: 0, opened: 23, deliveryReported: false, deliveryNotReported: 45 }
  expect(deliveredFigure(counts)).toEqual({ value: "45", of: "97.83% of sent" })
  expect(deliveredFigure(relay)).toEqual({ none: "Delivery not reported" })
  expect(deliveredFigure({ ...relay, delivered: 5, deliveryNotReported: 40 })).toEqual({
    ...{ value: "5", of: "not reported of 40" },
  })
  expect(openedFigure({ counts: relay, tracked })).toEqual({ value: "23", of: "50.00% of sent" })
})
