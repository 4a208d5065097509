import { spawn } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { print } from "@/lib/server/processes/print"

/**
 * One tool to run, with what it is for in a word or two. `failures` names what failed, a line each: it is printed
 * before the output of the tool, which can be thousands of lines long.
 */
export type Step = {
  name: string
  args: string[]
  env?: Record<string, string>
  /** Another Node than this process runs on. */
  program?: string
  failures?: () => string[]
}
export type StepOutcome = { name: string; passed: boolean; output: string }

/**
 * Runs the steps of a lane one after the other, and two lanes at once, in the given order. Prints each outcome, and the
 * output of failed steps.
 */
export async function runLanes(lanes: readonly Step[][]): Promise<StepOutcome[]> {
  const waiting = [...lanes]
  const done: StepOutcome[] = []
  const run = async () => {
    for (let lane = waiting.shift(); lane; lane = waiting.shift())
      for (const step of lane) done.push(await runStep(step))
  }
  await Promise.all([run(), run()])
  return done
}

export async function runStep({ name, args, env, program = process.execPath, failures }: Step): Promise<StepOutcome> {
  const startedAt = Date.now()
  const child = spawn(program, args, {
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const chunks: Buffer[] = []
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk))
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve))
  const output = Buffer.concat(chunks).toString()
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1)
  print(`${code === 0 ? "passed" : "FAILED"}  ${name} (${seconds} s)`)
  if (code !== 0) {
    for (const failure of failures?.() ?? []) print(`  failed: ${failure}`)
    print(output.trimEnd())
  }
  return { name, passed: code === 0, output }
}

/** The script of a package's command, so that it is run by this Node and not through a shell. */
export function binary(packageName: string, command = packageName): string {
  // Read by its path: not every package lets `package.json` be resolved.
  const folder = join(process.cwd(), "node_modules", packageName)
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as {
    bin: string | Record<string, string>
  }
  const script = typeof bin === "string" ? bin : bin[command]
  if (!script) throw new Error(`${packageName} has no command ${command}.`)
  return join(folder, script)
}

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
