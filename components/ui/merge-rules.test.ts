import { readdirSync, readFileSync } from "node:fs"
import { createTailwindMerge, twMerge } from "tailwind-merge"
import { expect, test } from "vitest"
import { mergeRules } from "@/components/ui/merge-rules"

const merge = createTailwindMerge(mergeRules)

/** Every word of the source that Tailwind could take for a class, without its modifiers. */
function classesOfTheSource(): string[] {
  const files = ["components", "app"].flatMap((folder) =>
    readdirSync(folder, { recursive: true }).map((name) => `${folder}/${String(name)}`),
  )
  const words = files
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file) && !file.endsWith("merge-rules.ts"))
    .flatMap((file) => readFileSync(file, "utf8").split(/[\s"'`{}<>;]+/))
    .map((word) => word.slice(word.search(/[^:]*$/)))
  // What tailwind-merge knows, it drops where it stands twice; a property such as `flex` may be a word of prose too.
  return [...new Set(words)].filter((word) => /^[a-z-][^:]*$/.test(word) && twMerge(`${word} ${word}`) === word)
}

test("of any two classes that our pages use, the same one wins as by the rules of all of Tailwind", () => {
  const classes = classesOfTheSource()
  expect(classes.length).toBeGreaterThan(300)
  const wrong: string[] = []
  // One of each kind is enough to hold all against: those of a kind replace each other.
  const kinds: string[] = []
  for (const one of classes) {
    if (!kinds.some((other) => merge(`${one} ${other}`) === other && merge(`${other} ${one}`) === one)) kinds.push(one)
  }
  for (const pair of kinds.flatMap((kind) => classes.flatMap((one) => [`${kind} ${one}`, `${one} ${kind}`]))) {
    if (merge(pair) !== twMerge(pair)) wrong.push(`${pair}: ${merge(pair)}, not ${twMerge(pair)}`)
  }
  expect(wrong).toEqual([])
})
