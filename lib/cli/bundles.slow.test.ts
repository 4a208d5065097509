import { build, type BuildOptions } from "esbuild"
import { builtinModules } from "node:module"
import { expect, test } from "vitest"
import { bundleOptions, bundles, ofDevelopment } from "./bundles.mjs"
import { packagesOfRelease, packagesOfRunning } from "./install.mjs"

const commands = Object.keys(bundles).filter((command) => !ofDevelopment.includes(command))

test.each(commands)("%s starts where only the packages are installed that it needs", async (command) => {
  const names = bundles[command as keyof typeof bundles]
  const options = bundleOptions(process.cwd(), names) as BuildOptions
  const { metafile } = await build({ ...options, metafile: true, logLevel: "silent" })
  const outputs = Object.values(metafile?.outputs ?? {})
  const loaded = outputs.flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => packageOf(path)),
  )
  expect(loaded.length).toBeGreaterThan(0)
  const isOfRelease = command !== "build"
  const installed = new Set(
    (isOfRelease ? packagesOfRelease : packagesOfRunning)(process.cwd()).map((path) =>
      path.replace("node_modules/", ""),
    ),
  )
  const missing = loaded.filter((name) => !installed.has(name) && !builtinModules.includes(name))
  expect([...new Set(missing)]).toEqual([])
})

/** `@scope/name` or `name` of what is imported. */
function packageOf(path: string): string {
  const parts = path.replace("node:", "").split("/")
  return path.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "")
}
