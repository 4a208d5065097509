import { runAll } from "@/lib/cli/supervisor/run-all"
import { sayAndExit } from "@/lib/cli/say"

try {
  await runAll("production")
  process.exit(0)
} catch (error) {
  sayAndExit(error)
}
