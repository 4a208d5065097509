import { isIPv4 } from "node:net"
import type { Evidence, EvidenceFacts } from "@/lib/delivery/setup/evidence"
import type { Checked, SetupContext, SetupSubject } from "@/lib/delivery/setup/types"

const noResolver: Evidence = { code: "not_set", facts: { setting: "MX_DNS" } }

/** DANE needs a resolver that validates: a signed name is secure there, and one with false signatures is refused. */
export async function checkResolver({ stub, validation }: SetupContext): Promise<Checked> {
  const { isNamed, trusted, signed, bogus } = validation
  const expected = [nameResolved(signed, "secure"), nameResolved(bogus, "refused")]
  if (!isNamed) return { state: "wrong", code: "not_set", expected, found: [noResolver] }
  const [good, bad] = await Promise.all([stub.ask("A", signed), stub.ask("A", bogus)])
  if (good.kind === "error") return { state: "unknown", code: "lookup_failed", expected, found: [good.reason] }
  const isSecure = trusted && good.kind === "found" && good.secure
  const isRefused = bad.kind === "error" && bad.reason === "server-failure"
  const found = [
    nameResolved(signed, isSecure ? "secure" : "insecure"),
    nameResolved(bogus, isRefused ? "refused" : bad.kind === "error" ? bad.reason : "accepted"),
  ]
  return isSecure && isRefused
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "not_validating", expected, found }
}

function nameResolved(name: string, result: EvidenceFacts<"name_resolved">["result"]): Evidence {
  return { code: "name_resolved", facts: { name, result } }
}

/** Every list has this address (RFC 5782 section 5): one that does not say so answers nobody like us. */
const alwaysListed = "127.0.0.2"

/** Asked through the own resolver alone: lists refuse resolvers that many share. */
export async function checkBlockLists(context: SetupContext, { source }: SetupSubject): Promise<Checked> {
  const address = source?.address ?? ""
  const expected = context.blockLists.map((list) => blockList(list, "clear"))
  if (!context.validation.isNamed) return { state: "unknown", code: "not_set", expected, found: [noResolver] }
  if (address === "") return { state: "waiting", code: "no_address", expected, found: [] }
  const answers = await Promise.all(context.blockLists.map((list) => askList(context, list, address)))
  const found = context.blockLists.map((list, at) => blockList(list, answers[at] ?? "refuses"))
  if (answers.includes("listed")) return { state: "wrong", code: "listed", expected, found }
  return answers.includes("clear")
    ? { state: "ok", expected, found }
    : { state: "unknown", code: "list_refuses", expected, found }
}

type ListAnswer = EvidenceFacts<"block_list">["answer"]

function blockList(list: string, answer: ListAnswer): Evidence {
  return { code: "block_list", facts: { list, answer } }
}

async function askList({ stub }: SetupContext, list: string, address: string): Promise<ListAnswer> {
  const [probe, answer] = await Promise.all([
    stub.ask("A", `${reversed(alwaysListed)}.${list}`),
    stub.ask("A", `${reversed(address)}.${list}`),
  ])
  if (probe.kind !== "found" || answer.kind === "error") return "refuses"
  if (answer.kind === "missing") return "clear"
  // 127.255.255.x says that the resolver may not ask.
  return answer.values.every((value) => value.startsWith("127.255.255.")) ? "refuses" : "listed"
}

/** Under which the name of an address is (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reverseNameOf(address: string): string {
  return `${reversed(address)}.${isIPv4(address) ? "in-addr" : "ip6"}.arpa`
}

/** The octets of an IPv4 address or the hexadecimal digits of another, last first. */
function reversed(address: string): string {
  if (isIPv4(address)) return address.split(".").toReversed().join(".")
  const [head = "", tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split("::")
  const groups = (text: string | undefined) => (text ? text.split(":") : [])
  const [front, back] = [groups(head), groups(tail)]
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - front.length - back.length }, () => "0")
  const digits = [...front, ...zeros, ...back].map((group) => group.padStart(4, "0")).join("")
  return [...digits].toReversed().join(".")
}
