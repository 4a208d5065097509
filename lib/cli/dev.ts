import { runAll } from "@/lib/cli/supervisor/run-all"
import { printAndExit } from "@/lib/cli/print"

try {
  await runAll("development")
  process.exit(0)
} catch (error) {
  printAndExit(error)
}
