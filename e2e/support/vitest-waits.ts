import { vi } from "vitest"

/** A machine that stands still for a while fails nothing: vitest's own limit is a second. */
const patience = { timeout: 20_000 }

const { waitFor, waitUntil } = vi
// A worker that does not isolate its files runs this for each of them.
if (waitFor.name !== "waitPatiently") {
  vi.waitFor = function waitPatiently(check, options) {
    return waitFor(check, typeof options === "number" ? options : { ...patience, ...options })
  }
  vi.waitUntil = (check, options) =>
    waitUntil(check, typeof options === "number" ? options : { ...patience, ...options })
}
