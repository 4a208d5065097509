import { decodeWords } from "postal-mime"
import { cutText } from "@/lib/platform/text"

/** The first header of a name as a reader sees it: unfolded, encoded words decoded, at most 1,000 characters. */
export function headerOf(raw: Buffer, name: string): string | null {
  const end = raw.indexOf("\r\n\r\n")
  const head = raw.toString("utf8", 0, end === -1 ? raw.length : end)
  const wanted = `${name.toLowerCase()}:`
  const line = head.split(/\r\n(?![ \t])/).find((each) => each.slice(0, wanted.length).toLowerCase() === wanted)
  if (line === undefined) return null
  const value = line
    .slice(wanted.length)
    .replace(/\r\n[ \t]+/g, " ")
    .trim()
  return cutText(decodeWords(value), 1_000)
}
