import type { Dns } from "@/lib/platform/dns/dns"

/** Name servers that never answer, so that what a rotation finds does not hang on what runs on this machine. */
const silence = async () => ({ kind: "error" as const, reason: "timeout" as const, askedServers: [] })
export const silentDns: Dns = { txt: silence, mx: silence, cname: silence, ns: silence, addresses: silence }
