import { binary, type Step } from "./steps"

/** What can be said of the code without running the product. */
export function checkLanes(): Step[][] {
  return [
    [
      // Types of the routes (`PageProps`) are Next's to write, and tsc needs them.
      { name: "route types", args: [binary("next"), "typegen"] },
      { name: "types", args: [binary("typescript", "tsc"), "--noEmit", "--pretty", "false"] },
      {
        name: "order of the house",
        args: [binary("dependency-cruiser", "depcruise"), "--config", ".dependency-cruiser.cjs", "app", "components", "lib", "e2e"],
      },
      { name: "nothing unused", args: [binary("knip"), "--no-progress"] },
    ],
    [
      {
        name: "lint",
        args: [binary("eslint"), "--max-warnings=0", "--cache", "--cache-location", "node_modules/.cache/eslint/", "."],
      },
    ],
  ]
}

export const unitTests = (...more: string[]): Step => ({
  name: "unit tests",
  args: [binary("vitest"), "run", "--project", "unit", ...more],
  // Those of servers and time-outs wait for most of their time.
  env: { VITEST_MAX_WORKERS: "4" },
})
