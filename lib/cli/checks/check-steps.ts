import { binary, type Step } from "@/lib/cli/checks/steps"

const caches = "node_modules/.cache"

/** The checks that need no running product, those that take longest first. The steps of a lane need each other. */
export function checkLanes(): Step[][] {
  return [
    [
      // Next generates the types of the routes (`PageProps`) that the compiler needs. TypeScript 7 is there for this check
      // alone: it takes a third of the time, and Next does not work with it yet.
      { name: "route types", args: [binary("next"), "typegen"] },
      {
        name: "types",
        args: [
          binary("typescript-7", "tsc"),
          "--noEmit",
          "--pretty",
          "false",
          "--tsBuildInfoFile",
          `${caches}/types.tsbuildinfo`,
        ],
      },
    ],
    [
      {
        name: "layer order",
        args: [
          binary("dependency-cruiser", "depcruise"),
          "--config",
          ".dependency-cruiser.cjs",
          "--cache",
          `${caches}/dependency-cruiser`,
          "--cache-strategy",
          "content",
          "app",
          "components",
          "lib",
          "e2e",
        ],
      },
    ],
    [{ name: "dead code", args: [binary("knip"), "--no-progress", "--cache", "--cache-location", `${caches}/knip`] }],
    [{ name: "lint", args: [binary("oxlint"), "--deny-warnings", "--report-unused-disable-directives"] }],
    [{ name: "format", args: [binary("oxfmt"), "--check"] }],
  ]
}

export const unitTests = (...more: string[]): Step => ({
  name: "unit tests",
  args: [binary("vitest"), "run", "--project", "unit", ...more],
})
