import { buildPages } from "@/lib/cli/next-build"
import { print, printAndExit } from "@/lib/cli/print"

try {
  print((await buildPages(print)) ? "Built." : "Nothing has changed since the last build.")
} catch (error) {
  printAndExit(error)
}
