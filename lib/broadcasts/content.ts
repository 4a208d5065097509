import type { Address } from "@/lib/addresses/address"
import { entries, StoredContent, type Content, type Entry } from "@/lib/broadcasts/content-schema"
import { headerOf } from "@/lib/emails/message-rows"
import type { Prisma } from "@/prisma/generated/client"

type Given = { from?: Address; replyTo?: Address | null; html?: string | null; text?: string | null }

/** The content as a request gives it, to store it; what is null stays null, and a body without content is left out. */
export function wireOf<Fields extends Given>({ from, replyTo, html, text, ...fields }: Fields) {
  return {
    ...fields,
    ...(html !== undefined && { html }),
    ...(text !== undefined && { text }),
    ...(from && { from: headerOf(from) }),
    ...(replyTo !== undefined && { replyTo: replyTo && headerOf(replyTo) }),
  }
}

/** As it was checked when it was stored, by this release or an earlier one. */
export function readContent(json: Prisma.JsonValue): Content {
  return StoredContent.parse(json)
}

export function entryText(one: Entry): string {
  if ("audience" in one) return one.audience
  return "contact" in one ? one.contact : headerOf(one)
}

/** Stored entries are those of an accepted request. */
export function readEntries(texts: readonly string[]): Entry[] {
  return entries.parse([...texts])
}
