import { buildPages } from "@/lib/server/build/next-build"
import { makeRelease } from "@/lib/cli/release"
import { print, printAndExit } from "@/lib/server/processes/print"

try {
  if (process.argv.includes("--client")) await buildClient()
  else await buildProduct()
} catch (error) {
  printAndExit(error)
}

async function buildProduct() {
  print((await buildPages(print)) ? "Built." : "Nothing has changed since the last build.")
  if (!process.argv.includes("--pages"))
    print(`${makeRelease()} runs at any path, on hosts of this platform (${process.platform}-${process.arch}).`)
}

async function buildClient() {
  // Its generator is a package of development.
  const { makeClientPackage } = await import("@/lib/cli/client-package")
  print(`${await makeClientPackage()} is a package: npm install ./dist/client`)
}
