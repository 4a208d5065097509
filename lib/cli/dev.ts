import { runAll } from "./run-all"
import { sayAndExit } from "./say"

try {
  await runAll("development")
  process.exit(0)
} catch (error) {
  sayAndExit(error)
}
