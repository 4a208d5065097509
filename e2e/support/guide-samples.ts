import { guideNames, guideSource } from "@/lib/docs/guides"
import { nobody, permissionsFor, written, type Reader } from "@/lib/docs/reader-rules"

export type GuideSample = { guide: string; name: string; lang: string; code: string }

const sources = guideNames.map((guide) => ({ guide, source: guideSource(guide) }))

/** Every code sample of the guides as this reader sees them, with the name that the comment above it gives it. */
export function guideSamples(reader: Reader): GuideSample[] {
  return sources.flatMap(({ guide, source }) =>
    [...written(source, reader).matchAll(/(?:<!-- run: ([\w-]+) -->\n+)?```(\w*)\n([\s\S]*?)\n```/g)].map(
      ([, name = "", lang = "", code = ""]) => ({ guide, name, lang, code }),
    ),
  )
}

/** What each guide says that its key must be allowed to do. */
export const guidePermissions: ReadonlyMap<string, readonly string[]> = new Map(
  sources.map(({ guide, source }) => [guide, permissionsFor(source, nobody)]),
)
