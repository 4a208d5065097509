import { buildPages } from "@/lib/server/build/next-build"
import { print, printAndExit } from "@/lib/server/processes/print"

try {
  print((await buildPages(print)) ? "Built." : "Nothing has changed since the last build.")
} catch (error) {
  printAndExit(error)
}
