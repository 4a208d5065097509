import { cutText } from "@/lib/platform/text"
import type { MimeHeader } from "@/lib/platform/mime/mime-parts"
import type { References } from "@/lib/returns/returned-mail"

export const noReferences: References = { verp: null, ref: null, messageId: null, unsubscribeToken: null }

/** What the header of one of our mails, as it came back, says about which one it is. */
export function referencesIn(original: MimeHeader): References {
  return {
    verp: verpIn(original.get("return-path")) ?? verpIn(original.get("x-mailroom-ref")),
    ref: wordOf(original.get("x-mailroom-ref")),
    messageId: messageIdIn(original.get("message-id")),
    unsubscribeToken: unsubscribeTokenIn(original.all("list-unsubscribe").join(" ")),
  }
}

/** Each reference from the first place that has it. */
export function firstReferences(...places: Partial<References>[]): References {
  const first = <K extends keyof References>(name: K) => places.find((place) => place[name])?.[name] ?? null
  return {
    verp: first("verp"),
    ref: first("ref"),
    messageId: first("messageId"),
    unsubscribeToken: first("unsubscribeToken"),
  }
}

/** A local part of the form of our return paths, alone or before an `@`. Whether it is one, its keyed hash says. */
export function verpIn(text: string): string | null {
  return /(?<![\w+.=-])[a-z2-7]{39}(?=@|>|\s|$)/i.exec(text.slice(0, 2_000))?.[0].toLowerCase() ?? null
}

export function messageIdIn(text: string): string | null {
  return /<[^<>\s]{1,990}>/.exec(text)?.[0] ?? null
}

/** At most ten. */
export function messageIdsIn(text: string): string[] {
  return (text.match(/<[^<>\s]{1,990}>/g) ?? []).slice(0, 10)
}

function wordOf(text: string): string | null {
  return text === "" ? null : cutText(text, 200)
}

/** The token of `https://…/u/<token>`, else the local part of `mailto:u-<…>@…`. */
function unsubscribeTokenIn(text: string): string | null {
  const start = text.slice(0, 8_000)
  return (
    /\/u\/([\w-]{44})(?![\w-])/.exec(start)?.[1] ?? /mailto:(u-[a-z2-7]{39})@/i.exec(start)?.[1]?.toLowerCase() ?? null
  )
}
