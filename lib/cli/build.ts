import { buildPages } from "@/lib/cli/next-build"
import { say, sayAndExit } from "@/lib/cli/say"

try {
  say(buildPages(say) ? "Built." : "Nothing has changed since the last build.")
} catch (error) {
  sayAndExit(error)
}
