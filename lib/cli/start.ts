import { runAll } from "@/lib/server/processes/run-all"
import { printAndExit } from "@/lib/server/processes/print"

const roles = process.argv.slice(3)
if (roles.length > 0) process.env.ROLES = roles.join(",")

try {
  await runAll("production")
  process.exit(0)
} catch (error) {
  printAndExit(error)
}
