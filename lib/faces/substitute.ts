import { bodyBytesMax } from "@/lib/emails/message-rules"
import { fieldsInvalid } from "@/lib/platform/http/problems"

/**
 * A text with its placeholders replaced, all at once, so that a value which looks like a placeholder stays as it is.
 * @throws requestInvalid at `pointer` before the text becomes longer than a body may be
 */
export function substituted(text: string, values: Readonly<Record<string, string>>, pointer: string): string {
  const names = Object.keys(values).filter((name) => name !== "")
  if (names.length === 0) return text
  // The longer of two that begin alike is meant.
  const sorted = names.sort((a, b) => b.length - a.length).map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"))
  let length = text.length
  return text.replace(new RegExp(sorted.join("|"), "g"), (name) => {
    const value = values[name] ?? ""
    length += value.length - name.length
    if (length > bodyBytesMax)
      throw fieldsInvalid([{ pointer, detail: `With its values, it is longer than ${bodyBytesMax} characters.` }])
    return value
  })
}
