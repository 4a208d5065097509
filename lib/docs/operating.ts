import { readFileSync } from "node:fs"
import { join } from "node:path"
import { type Guide, parseGuide } from "@/lib/docs/markdown"

/** What who runs the installation reads: the same files as beside the code. */
const files = {
  operating: join("lib", "cli", "README.md"),
  hosts: join("lib", "deploy", "operating.md"),
} as const

export type OperatingPage = keyof typeof files

export const operatingPages = Object.keys(files) as OperatingPage[]

let loaded: Map<OperatingPage, Guide> | undefined

/** Both by their name. Read once: the files come with the release. */
export function operatingGuides(): ReadonlyMap<OperatingPage, Guide> {
  loaded ??= new Map(operatingPages.map((page) => [page, guideOf(files[page])]))
  return loaded
}

/** The words of the dashboard, which these files have in italics, are bold here as in the guides. */
function guideOf(file: string): Guide {
  const source = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), file), "utf8")
  const names = {
    "`lib/cli/README.md`": "[Operating Mailroom](/docs/operating)",
    "`lib/deploy/operating.md`": "[From one machine to several](/docs/hosts)",
  }
  const linked = Object.entries(names).reduce((text, [name, link]) => text.replaceAll(name, link), source)
  return parseGuide(linked.replaceAll(/(?<![\w`])_([^_`\n]+)_(?![\w`])/g, "**$1**"))
}
