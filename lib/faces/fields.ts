import { z } from "zod"
import { splitAddresses } from "@/lib/emails/header-rules"
import { bodyBytesMax } from "@/lib/emails/message-rules"
import { fieldsInvalid } from "@/lib/platform/http/problems"

/** A field of the service that is taken and has no effect here, with the reason. */
export function withoutEffect<S extends z.ZodType>(schema: S, reason: string) {
  return schema.optional().describe(`No effect: ${reason}`)
}

/** A field of the service that is refused, because an email without it would be another one. */
export function refused(reason: string) {
  return z.undefined(`Is not supported here: ${reason}`).optional().describe(`Refused: ${reason}`)
}

/** Labels of ours from a list of words. */
export function labelsOf(words: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(words.map((word) => [word, ""]))
}

/** An object without the fields that were not given. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

/** Whether a text is the id of a template here, or else a name. */
export function templateRef(text: string): { id: string } | { name: string } {
  return /^tpl_[0-9a-z]{26}$/.test(text) ? { id: text } : { name: text }
}

/** The addresses of a list in one text. */
export function addressList(text: string): string[] {
  return splitAddresses(text).filter((address) => address !== "")
}

/** An address with the name that is shown with it. */
export function mailbox({ email, name }: { email: string; name?: string | undefined }): string {
  return name ? `"${name.replace(/["\\]/g, "\\$&")}" <${email}>` : email
}

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
