import type { Dns, DnsAnswer, DnsOutcome } from "@/lib/platform/dns/types"

/** What stands in the DNS of the story at one moment: values by type and name. */
export type Published = { type: "TXT" | "MX" | "CNAME" | "NS" | "A"; name: string; value: string; priority?: number }[]

/** Lookups that find what is published and nothing else, asked at nobody. */
export function publishedDns(published: Published): Dns {
  const at = (type: Published[number]["type"], name: string) =>
    published.filter((record) => record.type === type && record.name === name.toLowerCase())
  const texts = async (type: Published[number]["type"], name: string) =>
    answer(at(type, name).map(({ value }) => value))
  return {
    txt: (name) => texts("TXT", name),
    cname: (name) => texts("CNAME", name),
    ns: (name) => texts("NS", name),
    addresses: (name) => texts("A", name),
    mx: async (name) =>
      answer(at("MX", name).map(({ value, priority }) => ({ exchange: value, priority: priority ?? 10 }))),
  }
}

function answer<T>(values: T[]): DnsAnswer<T> {
  const outcome: DnsOutcome<T> = values.length > 0 ? { kind: "found", values } : { kind: "missing", reason: "no-name" }
  return { ...outcome, askedServers: [{ server: "ada.ns.cloudflare.com", answer: outcome }] }
}
