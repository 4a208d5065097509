import { runAll } from "./run-all"
import { sayAndExit } from "./say"

try {
  await runAll("production")
  process.exit(0)
} catch (error) {
  sayAndExit(error)
}
