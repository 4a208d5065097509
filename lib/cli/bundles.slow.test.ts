import { build, type BuildOptions } from "esbuild"
import { builtinModules } from "node:module"
import { beforeAll, describe, expect, test } from "vitest"
import { bundleOptions, bundles, inOneByteCharacters, ofDevelopment } from "./bundles.mjs"
import { packagesOfRelease, packagesOfRunning } from "./install.mjs"

const commands = Object.keys(bundles).filter((command) => !ofDevelopment.includes(command))

test.each(commands)("%s starts where only the packages are installed that it needs", async (command) => {
  const names = bundles[command as keyof typeof bundles]
  const options = bundleOptions(process.cwd(), names) as BuildOptions
  const { metafile } = await build({ ...options, metafile: true, logLevel: "silent" })
  const outputs = Object.values(metafile?.outputs ?? {})
  const loaded = outputs.flatMap(({ imports }) =>
    imports.filter(({ external }) => external).map(({ path }) => packageOf(path)),
  )
  expect(loaded.length).toBeGreaterThan(0)
  const isOfRelease = command !== "build"
  const installed = new Set(
    (isOfRelease ? packagesOfRelease : packagesOfRunning)(process.cwd()).map((path) =>
      path.replace("node_modules/", ""),
    ),
  )
  const missing = loaded.filter((name) => !installed.has(name) && !builtinModules.includes(name))
  // The typed client is made with the packages of development.
  expect([...new Set(missing)]).toEqual(command === "build" ? ["openapi-typescript"] : [])
})

/** Programs that run for days, and what few installations or few of their moments use: 20 MB of memory each. */
const programs = ["start", "web", "heavy", "worker", "mail", "sandbox", "documents"]
const rarelyUsed = /^(@aws-sdk\/|mailauth$|openapi-typescript$|@modelcontextprotocol\/)/

describe("a program that runs for days", () => {
  let outputs: Record<string, { imports: { path: string; kind: string; external?: boolean }[] }>
  beforeAll(async () => {
    const options = bundleOptions(process.cwd(), programs) as BuildOptions
    outputs = (await build({ ...options, metafile: true })).metafile?.outputs ?? {}
  })

  test.each(programs)("%s loads at its start no package that few use", (program) => {
    const { imports } = outputs[`dist/${program}.js`] ?? { imports: [] }
    const atStart = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => path)
    expect(atStart.length).toBeGreaterThan(0)
    expect(atStart.filter((path) => rarelyUsed.test(path))).toEqual([])
  })

  test("that hands mail in or keeps files loads them once they are needed", () => {
    const later = (outputs["dist/worker.js"]?.imports ?? []).filter(({ kind }) => kind === "dynamic-import")
    expect(later.map(({ path }) => path)).toEqual(
      expect.arrayContaining(["@aws-sdk/client-s3", "@aws-sdk/client-sesv2", "@aws-sdk/client-sqs"]),
    )
  })
})

test("a program has no character that takes two bytes of memory, and matches the same texts", async () => {
  const program = String.raw`export const [ends, people, faces] = [/[.。．｡]$/, /收件人|отправител/u, /^[😀é]+$/u]`
  const { outputFiles } = await build({ stdin: { contents: program }, format: "esm", write: false })
  const text = inOneByteCharacters(outputFiles[0]?.contents ?? new Uint8Array()).toString()
  expect(text).not.toMatch(/[^\x00-\xff]/)
  const { ends, people, faces } = (await import(`data:text/javascript,${encodeURIComponent(text)}`)) as Record<
    string,
    RegExp
  >
  expect(
    ["例え。", "例え", "х отправитель", "😀é", "😁"].map((each) => [ends, people, faces].map((one) => one?.test(each))),
  ).toEqual([
    [true, false, false],
    [false, false, false],
    [false, true, false],
    [false, false, true],
    [false, false, false],
  ])
})

/** `@scope/name` or `name` of what is imported. */
function packageOf(path: string): string {
  const parts = path.replace("node:", "").split("/")
  return path.startsWith("@") ? parts.slice(0, 2).join("/") : (parts[0] ?? "")
}
