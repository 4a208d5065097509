import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

test.each(["lib", "components"] as const)("an exported name of %s means one thing", (layer) => {
  const homes = new Map<string, string[]>()
  for (const file of filesOf(layer))
    for (const name of exportedBy(file)) homes.set(name, [...(homes.get(name) ?? []), file])
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([])
})

function filesOf(layer: string): string[] {
  return (
    readdirSync(layer, { recursive: true, encoding: "utf8" })
      .filter((name) => /\.tsx?$/.test(name) && !/\.(test|d)\.tsx?$/.test(name))
      // Generated, and exported by the package alone.
      .filter((name) => name !== "client/schema.ts")
      .map((name) => join(layer, name))
  )
}

/** What a file declares and exports; what it passes on from another file is that file's. The formatter begins each such line alike. */
function exportedBy(file: string): string[] {
  const declarations = readFileSync(file, "utf8").matchAll(
    /^export (?:declare |abstract |async )*(?:function\*? |const |let |class |type |interface |enum )(\w+)/gm,
  )
  return [...new Set([...declarations].map(([, name = ""]) => name))]
}
