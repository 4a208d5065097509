import { parseArgs } from "node:util"
import { usage } from "@/lib/cli/admin-arguments"
import { checkSetup } from "@/lib/delivery/setup/report"
import { installationRows } from "@/lib/delivery/setup/installation-rules"
import type { SetupReport } from "@/lib/delivery/setup/schema"

/** Checks the sending set-up: a table on stderr unless `--json`, and exit code 1 unless all required rows are ok. */
export function doctor(args: string[]): () => Promise<SetupReport> {
  const isQuiet = wantsJson(args)
  return async () => {
    const report = await checkSetup()
    if (!isQuiet) process.stderr.write(tableOf(report))
    return report
  }
}

function wantsJson(args: string[]): boolean {
  try {
    return parseArgs({ args, options: { json: { type: "boolean" } }, strict: true }).values.json === true
  } catch (error) {
    throw usage((error as Error).message)
  }
}

/** A line for each fact and row, and below what is not right what to do. */
export function tableOf({ installation, regions, rows }: SetupReport): string {
  const facts = installationRows(installation, new Date()).map(
    ({ name, value, attention }) => `${(attention ? "attention" : "").padEnd(10)} ${name.padEnd(20)} ${value}`,
  )
  const heads = regions.map(({ message }) => message)
  const lines = rows.flatMap(({ state, kind, title, region, address, message, fix }) => {
    const about = [title, address ?? region].filter(Boolean).join(", ")
    const line = `${state.padEnd(10)} ${kind.padEnd(12)} ${about}`
    return fix === undefined ? [line] : [line, `           ${message}`, `           ${fix}`]
  })
  const none = regions.length === 0 ? ["No region sends to others: nothing has to be set up."] : []
  return `${[...facts, ...heads, ...none, ...lines].join("\n")}\n`
}
