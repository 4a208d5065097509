import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parseGuide, type Guide } from "@/lib/docs/markdown"

/** In the order in which a newcomer reads them. */
const names = [
  "quickstart",
  "domains",
  "idempotency",
  "webhooks",
  "events",
  "suppression",
  "errors",
  "limits",
  "sdk",
] as const

type GuideName = (typeof names)[number]

/** The folder of their pages, where the prose is. */
export const guidesFolder = "app/docs/(guides)/[guide]"

let loaded: Map<string, Guide> | undefined

/** Every guide by its name. Read once: the files come with the release. */
export function guides(): ReadonlyMap<string, Guide> {
  loaded ??= new Map(names.map((name) => [name, parseGuide(guideSource(name))]))
  return loaded
}

function guideSource(name: GuideName): string {
  return readFileSync(join(/* turbopackIgnore: true */ process.cwd(), guidesFolder, `${name}.md`), "utf8")
}

export const guideNames: readonly GuideName[] = names
