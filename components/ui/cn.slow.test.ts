import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { extendTailwindMerge } from "tailwind-merge"
import { expect, test } from "vitest"
import { cn } from "@/components/ui/cn"

const reference = extendTailwindMerge({ cacheSize: 0, extend: { theme: { shadow: ["control", "float"] } } })

/** Words of CSS and English that are utilities of Tailwind too, and that no element has as one. */
const prose = ["clear-both", "collapse", "filter", "float-left", "ring", "table-column", "@container"]

test("any two utilities of the product are merged as by tailwind-merge", () => {
  const words = ["app", "components"]
    .flatMap((folder) => readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => join(folder, file)))
    .filter((file) => /\.tsx?$/.test(file) && !/\bcn\./.test(file))
    .flatMap((file) => readFileSync(file, "utf8").split(/[\s"'`]+/))
  const utilities = [...new Set(words.map((word) => /^(?:\S+:)?([^:[\]]*(?:\[\S*\])?)$/.exec(word)?.[1] ?? ""))].filter(
    (word) => word && !prose.includes(word) && reference(`${word} ${word}`) === word,
  )
  // Utilities that differ in a number alone are of one kind.
  const shapes = [...new Map(utilities.map((word) => [word.replaceAll(/[\d.]+/g, "0"), word])).values()]
  const pairs = [
    ...utilities.map((word) => `${word} ${word}`),
    ...shapes.flatMap((earlier) => shapes.map((later) => `${earlier} ${later}`)),
  ]
  const wrong = pairs.filter((pair) => cn(pair) !== reference(pair))
  expect(utilities.length).toBeGreaterThan(500)
  expect(wrong).toEqual([])
})
