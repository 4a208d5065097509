export type DnsHost = { host: string; port: number }

export type DnsMx = { exchange: string; priority: number }

export type DnsErrorReason = "timeout" | "unreachable" | "refused" | "server-failure" | "malformed" | "alias-loop"

export type DnsOutcome<T> =
  | { kind: "found"; values: T[] }
  /** `no-name`: NXDOMAIN; `no-data`: the name exists and has nothing of this type. */
  | { kind: "missing"; reason: "no-name" | "no-data" }
  | { kind: "error"; reason: DnsErrorReason }

/** The answer of most servers, and that of each; in a tie "found" wins. */
export type DnsAnswer<T> = DnsOutcome<T> & { askedServers: { server: string; answer: DnsOutcome<T> }[] }

export type DnsValues = { TXT: string; MX: DnsMx; CNAME: string; NS: string; ADDRESS: string }

/** Lookups never throw and end within seconds; names come back in lower case, without the final dot. */
export type Dns = {
  /** One text per record, its chunks joined (RFC 7208 3.3). */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<DnsMx>>
  /** The alias at this very name; it is not followed. */
  cname(name: string): Promise<DnsAnswer<string>>
  ns(name: string): Promise<DnsAnswer<string>>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<DnsAnswer<string>>
}
