import { parseArgs } from "node:util"
import { usage, flags, regionArgument } from "@/lib/cli/admin-arguments"
import { checkSetup } from "@/lib/delivery/setup/report"
import { installationRows } from "@/lib/delivery/setup/installation-rules"
import type { SetupReport } from "@/lib/delivery/setup/schema"
import { relayConfig, type RelayConfig } from "@/lib/delivery/setup/relay-config"
import { env } from "@/lib/platform/env/env"
import { regionSettings, isLoopback } from "@/lib/regions/settings"

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

/** Not 25, which returned mail comes to. */
const usualRelayPort = 10_025

/** Prints the configuration of a Postfix on this server as a region's relay: JSON, and the files as text on stderr. */
export function relayConfigOf(args: string[]): () => Promise<RelayConfig> {
  const region = regionArgument(flags(args, "region").region)
  return async () => {
    const { profiles, inbound } = regionSettings()
    const profile = profiles[region]
    const own = profile.transport === "smtp" && isLoopback(profile.smtp.host) ? profile.smtp.port : usualRelayPort
    const config = relayConfig({ region, service: env(), relayPort: own, inboundPort: inbound.port })
    process.stderr.write(asText(config))
    return config
  }
}

function asText({ mainCf, masterCf, env: line, hostName }: RelayConfig): string {
  return `/etc/postfix/main.cf, as a whole:

${mainCf}
/etc/postfix/master.cf, in place of the line that begins with "smtp inet":

${masterCf}
At your DNS provider, and for its reverse DNS at the company that rents you the server:

${hostName} A the address of this server
the address of this server PTR ${hostName}

.env of Mailroom:

${line}

Then run "postfix check && systemctl restart postfix", restart Mailroom, and run the loop test of the region.
`
}
