import { buildPages } from "@/lib/server/build/next-build"
import { makeRelease } from "@/lib/cli/release"
import { print, printAndExit } from "@/lib/server/processes/print"

try {
  print((await buildPages(print)) ? "Built." : "Nothing has changed since the last build.")
  if (!process.argv.includes("--pages"))
    print(`${makeRelease()} runs at any path, on hosts of this platform (${process.platform}-${process.arch}).`)
} catch (error) {
  printAndExit(error)
}
