import { z } from "zod"
import type { ContactFilter } from "@/lib/contacts/list-choice-sql"
import { parseAddress } from "@/lib/addresses/address"
import { id } from "@/lib/platform/schema"

/** The query parameters that choose among the contacts of a project; all are additive. */
export function contactFilterQuery() {
  return {
    email: z.string().min(1).max(320).optional().describe("Exact address, compared without case."),
    search: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("Part of the address or of the name, compared without case."),
    segmentId: id("seg").optional().describe("Members of this segment."),
    topicId: id("top")
      .optional()
      .describe("Contacts subscribed to this topic, by their own preference or by its default."),
    unsubscribed: z
      .codec(z.enum(["true", "false"]), z.boolean(), {
        decode: (text) => text === "true",
        encode: (value) => (value ? "true" : "false"),
      })
      .optional()
      .meta({ type: "boolean", enum: undefined }),
  }
}

/** The filter of these parameters; an invalid address matches no contact. */
export function filterOf({ email, search, segmentId, topicId, unsubscribed }: ContactFilter): ContactFilter {
  const address = email === undefined ? undefined : parseAddress(email)
  return { email: address && (address.ok ? address.canonical : ""), search, segmentId, topicId, unsubscribed }
}
