import { runAll } from "@/lib/cli/supervisor/run-all"
import { printAndExit } from "@/lib/cli/print"

try {
  await runAll("production")
  process.exit(0)
} catch (error) {
  printAndExit(error)
}
