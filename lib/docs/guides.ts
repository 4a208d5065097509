import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fieldTables } from "@/lib/faces/tables"
import { type Guide, parseGuide } from "@/lib/docs/markdown"
import type { FaceName } from "@/lib/platform/env/fields"
import { nobody, written, type Reader } from "@/lib/docs/reader-rules"

/** In the order in which a newcomer reads them. */
const names = [
  "quickstart",
  "keys",
  "domains",
  "sending",
  "templates",
  "idempotency",
  "contacts",
  "broadcasts",
  "suppression",
  "events",
  "webhooks",
  "inbound",
  "tracking",
  "lists",
  "errors",
  "limits",
  "moving",
  "sdk",
  "mcp",
  "smtp",
  "other-services",
  "changes",
] as const

export type GuideName = (typeof names)[number]

/** The folder of their pages, where the prose is. */
export const guidesFolder = "app/docs/(guides)/[guide]"

let loaded: Map<string, Guide> | undefined

/** Every guide by its name, written for nobody in particular. Read once: the files come with the release. */
export function guides(): ReadonlyMap<string, Guide> {
  loaded ??= new Map(names.map((name) => [name, guideFor(name, nobody)]))
  return loaded
}

export function guideFor(name: GuideName, reader: Reader): Guide {
  return parseGuide(written(guideSource(name), reader))
}

const sources = new Map<GuideName, string>()

/** As it is in its file: for nobody yet. */
export function guideSource(name: GuideName): string {
  const known = sources.get(name)
  if (known !== undefined) return known
  const text = readFileSync(join(/* turbopackIgnore: true */ process.cwd(), guidesFolder, `${name}.md`), "utf8")
  const source = text.replace(/<!-- fields: (\w+) -->/g, (_, face: FaceName) => fieldTables(face))
  sources.set(name, source)
  return source
}

export const guideNames: readonly GuideName[] = names
