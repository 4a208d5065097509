import { parseAsString, parseAsStringLiteral } from "nuqs/server"

/** What the address of the list says, for the server and the browser. */
export const contactFilters = {
  search: parseAsString.withDefault(""),
  state: parseAsStringLiteral(["subscribed", "unsubscribed"] as const),
  segment: parseAsString.withDefault(""),
  topic: parseAsString.withDefault(""),
}

export type ContactFilters = {
  search: string
  state: "subscribed" | "unsubscribed" | null
  segment: string
  topic: string
}

/** The same as parameters of the API. */
export function contactListQuery({ search, state, segment, topic }: ContactFilters) {
  const unsubscribed = state && (state === "unsubscribed" ? "true" : "false")
  return { search, segmentId: segment, topicId: topic, ...(unsubscribed ? { unsubscribed } : {}) }
}

export function hasContactFilters({ search, state, segment, topic }: ContactFilters): boolean {
  return Boolean(search || state || segment || topic)
}
