import { runAll } from "@/lib/server/processes/run-all"
import { printAndExit } from "@/lib/server/processes/print"

try {
  await runAll("development")
  process.exit(0)
} catch (error) {
  printAndExit(error)
}
