import { readdirSync, readFileSync } from "node:fs"
import { twMerge } from "tailwind-merge"
import { expect, test } from "vitest"
import { mergeClasses } from "@/components/ui/cn"

test("of any two classes that our pages use, the same one wins as by Tailwind's whole table", () => {
  const classes = classesOfPages()
  expect(classes.length).toBeGreaterThan(500)
  const differing: string[] = []
  for (const first of classes)
    for (const second of classes) {
      if (differing.length > 60) break
      const pair = `${first} ${second}`
      if (mergeClasses(pair) !== twMerge(pair)) differing.push(pair)
    }
  expect(differing).toEqual([])
})

/** Everything in our pages' source that Tailwind knows as a utility, one of each. */
function classesOfPages(): string[] {
  const texts = ["app", "components"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !file.includes(".test.") && !file.endsWith("ui/cn.ts"))
      .flatMap((file) => readFileSync(`${folder}/${file}`, "utf8").split(/[\s"'`]+/)),
  )
  const utilities = texts.filter((text) => text.length < 100).map(withoutVariants)
  return [...new Set(utilities)].filter((text) => !words.has(text) && isClass(text))
}

/** `lg:p-4` as `p-4`: classes of different variants never meet. */
function withoutVariants(text: string): string {
  return text.replace(/^(?:[^[\]:]|\[[^\]]*\])*:(?=[^\]:]+$)/, "")
}

/** Twice the same class is one; twice a word is two. */
function isClass(text: string): boolean {
  return twMerge(`${text} ${text}`) === text
}

/** English, or names in code; as classes nobody uses them. */
const words = new Set(["filter", "blur", "ring", "shadow", "transform", "outline", "resize", "collapse", "container"])
