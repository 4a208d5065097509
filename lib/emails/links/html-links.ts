import { readTags } from "@/lib/emails/links/html-tags"

/**
 * URLs of a document's hyperlinks (`a`, `area`), as they are written but for space around them; each once, in the order of the
 * document.
 */
export function hyperlinks(text: string): string[] {
  const found = new Set<string>()
  readTags(text, {
    onStart(tag) {
      if (tag.tagName !== "a" && tag.tagName !== "area") return
      const href = tag.attrs.find(({ name }) => name === "href")
      if (href) found.add(href.value.trim())
    },
  })
  return [...found]
}
