/** What is found by name; domains, contacts and emails have lists that search. */
export const foundKinds = ["topic", "segment", "template", "broadcast", "api_key", "webhook"] as const

export type FoundKind = (typeof foundKinds)[number]
