import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { guidesFolder } from "@/lib/docs/guides"

export type GuideSample = { guide: string; name: string; lang: string; code: string }

/** Every code sample of the guides, with the name that the comment above it gives it. */
export function guideSamples(): GuideSample[] {
  return readdirSync(guidesFolder)
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) => {
      const source = readFileSync(join(guidesFolder, file), "utf8")
      return [...source.matchAll(/(?:<!-- run: ([\w-]+) -->\n+)?```(\w*)\n([\s\S]*?)\n```/g)].map(
        ([, name = "", lang = "", code = ""]) => ({ guide: file.replace(/\.md$/, ""), name, lang, code }),
      )
    })
}
