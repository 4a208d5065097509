import type { Dns, DnsAnswer, DnsMx } from "@/lib/platform/dns/types"

type Kind = keyof Dns
type Value<K extends Kind> = K extends "mx" ? DnsMx : string

export type RecordedDns = {
  dns: Dns
  /** The same answers as one server gave them; where it was not asked, as all gave them. */
  as(server: string): Dns
}

/** Lookups that ask every question once and remember who answered what. */
export function recordedDns(real: Dns): RecordedDns {
  const asked = new Map<string, Promise<DnsAnswer<unknown>>>()

  return {
    dns: dnsOf(once),
    as: (server) =>
      dnsOf(async (kind, name) => {
        const answer = await once(kind, name)
        const own = answer.askedServers.find((each) => each.server === server)
        return own ? { ...own.answer, askedServers: [own] } : answer
      }),
  }

  function once<K extends Kind>(kind: K, name: string): Promise<DnsAnswer<Value<K>>> {
    const question = `${kind} ${name.toLowerCase()}`
    const answer = asked.get(question) ?? real[kind](name)
    asked.set(question, answer)
    // The key names the kind, and the kind the type of its values.
    return answer as Promise<DnsAnswer<Value<K>>>
  }
}

function dnsOf(answer: <K extends Kind>(kind: K, name: string) => Promise<DnsAnswer<Value<K>>>): Dns {
  return {
    txt: (name) => answer("txt", name),
    mx: (name) => answer("mx", name),
    cname: (name) => answer("cname", name),
    ns: (name) => answer("ns", name),
    addresses: (name) => answer("addresses", name),
  }
}
