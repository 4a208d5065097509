import { formatNumber } from "@/lib/platform/format"

/** Why no request may be sent to an address. */
export type AddressRefusal = "not_public" | "plain"

/** Why no request may be sent to a URL, as a code with its facts. */
type TargetFaultFacts = {
  url_too_long: { charsMax: number }
  not_a_url: Record<string, never>
  not_https: Record<string, never>
  credentials: Record<string, never>
  port: { port: number }
  address: { address: string; why: AddressRefusal }
  this_machine: { host: string }
  private_name: { host: string }
  name_missing: { host: string }
  no_name_server: { host: string }
  no_address: Record<string, never>
  resolves_to: { address: string; why: AddressRefusal }
  leads_to: { address: string; why: AddressRefusal }
}
export type TargetFault = {
  [C in keyof TargetFaultFacts]: { code: C; facts: TargetFaultFacts[C] }
}[keyof TargetFaultFacts]

export const addressRefusals: Record<AddressRefusal, string> = {
  not_public: "the address is not public.",
  plain: "a public address must be reached by https.",
}

export function targetFaultSentence(fault: TargetFault): string {
  switch (fault.code) {
    case "url_too_long":
      return `The URL must be at most ${formatNumber(fault.facts.charsMax)} characters.`
    case "not_a_url":
      return "The URL must be a URL, such as https://example.com/webhooks."
    case "not_https":
      return "The URL must begin with https://."
    case "credentials":
      return "The URL must not contain a user name or password."
    case "port":
      return `The URL must not use port ${fault.facts.port}. Use 443, 80, or a port from 1024 that no other kind of service uses.`
    case "address":
      return `The URL must not name ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
    case "this_machine":
      return `The URL must not name ${fault.facts.host}, which is this machine.`
    case "private_name":
      return `The URL must have a public host name, not ${fault.facts.host}.`
    case "name_missing":
      return `The host name ${fault.facts.host} does not exist.`
    case "no_name_server":
      return `No name server answers for ${fault.facts.host}.`
    case "no_address":
      return "The host name has no address."
    case "resolves_to":
      return `The host resolves to ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
    case "leads_to":
      return `The connection leads to ${fault.facts.address}: ${addressRefusals[fault.facts.why]}`
  }
}
