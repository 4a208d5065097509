import { expect, it } from "vitest"
import { closeOverlay, openOverlay, overlayShown } from "@/components/layout/overlay"

it("a palette that closes after the next overlay has opened does not close that one", () => {
  openOverlay("palette")
  openOverlay("new-project")
  closeOverlay("palette")
  expect(overlayShown()).toBe("new-project")
  closeOverlay("new-project")
  expect(overlayShown()).toBeNull()
})
