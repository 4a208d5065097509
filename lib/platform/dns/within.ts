import type { Dns, DnsAnswer } from "@/lib/platform/dns/types"

/**
 * The same lookups with one allowance of time for all of them together: what is asked or still open when it ends is
 * answered as a timeout. Hostile zones can chain lookups, each within its own limit.
 */
export function withinMs(dns: Dns, totalMs: number): Dns {
  const deadline = performance.now() + totalMs
  /** A timer may fire a moment before the clock has come to its time. */
  let isOver = false
  return {
    txt: (name) => raced(() => dns.txt(name)),
    mx: (name) => raced(() => dns.mx(name)),
    cname: (name) => raced(() => dns.cname(name)),
    ns: (name) => raced(() => dns.ns(name)),
    addresses: (name) => raced(() => dns.addresses(name)),
  }

  async function raced<T>(ask: () => Promise<DnsAnswer<T>>): Promise<DnsAnswer<T>> {
    const leftMs = deadline - performance.now()
    const late: DnsAnswer<T> = { kind: "error", reason: "timeout", askedServers: [] }
    if (isOver || leftMs <= 0) return late
    let timer: NodeJS.Timeout | undefined
    const ended = new Promise<DnsAnswer<T>>((done) => {
      timer = setTimeout(() => {
        isOver = true
        done(late)
      }, leftMs)
    })
    return Promise.race([ask(), ended]).finally(() => clearTimeout(timer))
  }
}
