import { randomBytes } from "node:crypto"
import { formatNumber } from "@/lib/platform/format"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { closeDatabase } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { log } from "@/lib/platform/log"
import { demoAddress, fillDemo } from "@/lib/demo/fill"
import { prepareInstallation } from "@/lib/server/processes/prepare"
import { print, printAndExit } from "@/lib/server/processes/print"
import { regionSettings } from "@/lib/regions/settings"

const emails = 20_000

log.level = "silent"
try {
  const startedAt = performance.now()
  const { postgres } = await prepareInstallation(print, { migrates: false })
  try {
    // With a relay, what waits would be sent to it: then the story has only what is over.
    const withQueue = Object.values(regionSettings().profiles).every(({ transport }) => transport === "sandbox")
    const password = randomBytes(9).toString("base64url")
    print("Filling the installation with 30 days of Harbor & Pine …")
    const demo = await fillDemo({ passwordHash: await hashPassword(password), now: new Date(), emails, withQueue })
    if (!demo)
      throw new Error(
        `The demo is there already: sign in as ${demoAddress}. A lost password is replaced by: npm run --silent admin -- sign-in-link --email ${demoAddress}`,
      )
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const counts = `${formatNumber(demo.emails)} emails with ${formatNumber(demo.events)} events over 30 days, in ${seconds} s.`
    const lines = [
      counts,
      "",
      `Sign in at   ${env().baseUrl}/sign-in`,
      `as           ${demoAddress}`,
      `password     ${password}`,
      `and look at  ${env().baseUrl}/projects/${demo.project}`,
    ]
    process.stdout.write(`${lines.join("\n")}\n`)
  } finally {
    await closeDatabase()
    await postgres?.close()
  }
  process.exit(0)
} catch (error) {
  printAndExit(error)
}
