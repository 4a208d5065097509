import type { Address } from "@/lib/addresses/address"
import type { Entry } from "@/lib/broadcasts/content-schema"
import { decodeId } from "@/lib/platform/ids"

/** One entry of the recipients: a single address or contact, or the members of a topic or segment. */
export type RecipientSource =
  | { kind: "contact"; id: string }
  | { kind: "address"; address: Address }
  | { kind: "top"; id: string; publicId: string }
  | { kind: "seg"; id: string; publicId: string }

/**
 * The entries in the order in which they are walked: who is named first, so that a member of a segment who is named too is
 * recognized without asking the database. The order is the same at every claim.
 */
export function sourcesOf(entries: readonly Entry[]): RecipientSource[] {
  const sources = entries.flatMap((entry) => sourceOf(entry) ?? [])
  const isNamed = ({ kind }: RecipientSource) => kind === "contact" || kind === "address"
  return [...sources.filter(isNamed), ...sources.filter((source) => !isNamed(source))]
}

function sourceOf(entry: Entry): RecipientSource | null {
  if ("address" in entry) return { kind: "address", address: entry }
  if ("contact" in entry) return withId("con", entry.contact, (id) => ({ kind: "contact", id }))
  const kind = entry.audience.startsWith("top_") ? "top" : "seg"
  return withId(kind, entry.audience, (id) => ({ kind, id, publicId: entry.audience }))
}

function withId(
  prefix: "con" | "top" | "seg",
  text: string,
  make: (id: string) => RecipientSource,
): RecipientSource | null {
  const id = decodeId(prefix, text)
  return id === null ? null : make(id)
}

/** The entries before one of them, by kind, as the statements of the walk take them. */
export function earlierThan(sources: readonly RecipientSource[], position: number) {
  const before = sources.slice(0, position)
  const idsOf = (kind: "contact" | "top" | "seg") => before.flatMap((one) => (one.kind === kind ? one.id : []))
  const addresses = before.flatMap((one) => (one.kind === "address" ? one.address.canonical : []))
  return { contacts: idsOf("contact"), topics: idsOf("top"), segments: idsOf("seg"), addresses }
}
