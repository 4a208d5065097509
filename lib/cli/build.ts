import { buildPages } from "./next-build"
import { say, sayAndExit } from "./say"

try {
  say(buildPages(say) ? "Built." : "Nothing has changed since the last build.")
} catch (error) {
  sayAndExit(error)
}
