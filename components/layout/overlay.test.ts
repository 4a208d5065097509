import { expect, it } from "vitest"
import { closeOverlay, openOverlay, overlayShown } from "@/components/layout/overlay"

it("the palette that is gone only once the next thing has come does not take that down with it", () => {
  openOverlay("palette")
  openOverlay("new-project")
  closeOverlay("palette")
  expect(overlayShown()).toBe("new-project")
  closeOverlay("new-project")
  expect(overlayShown()).toBeNull()
})
