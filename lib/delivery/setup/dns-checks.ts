import { isIPv4 } from "node:net"
import type { Evidence, EvidenceFacts } from "@/lib/delivery/setup/evidence"
import type { Checked, SetupContext, SetupSource, SetupSubject } from "@/lib/delivery/setup/checks"
import { evaluateSpf, isSpf, parseSpf, type SpfResult } from "@/lib/domains/check/spf"
import { feedbackHost } from "@/lib/domains/records/records"
import type { Dns, DnsOutcome } from "@/lib/platform/dns/dns"

type RecordsExpected = {
  expected: Evidence[]
  /** Whether a value is of the kind that counts; others at the name are left alone. */
  isOne?: (value: string) => boolean
  isRight: (value: string) => boolean
  line: (value: string) => string
}

/** A name with one record of a kind, or, without `isOne`, with at least one that is right. */
export async function records(asked: Promise<DnsOutcome<string>>, given: RecordsExpected): Promise<Checked> {
  const { expected, isOne, isRight, line } = given
  const answer = await asked
  if (answer.kind === "error") return notAnswered(answer, expected)
  const all = answer.kind === "found" ? answer.values : []
  if (all.length === 0) return { state: "wrong", code: "missing", expected, found: [] }
  const values = all.filter((value) => !isOne || isOne(value))
  const found = (values.length > 0 ? values : all).map(line)
  if (isOne && values.length > 1) return { state: "wrong", code: "several", expected, found }
  return values.some(isRight)
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "different", expected, found }
}

function notAnswered({ reason }: { reason: string }, expected: Evidence[]): Checked {
  return { state: "unknown", code: "lookup_failed", expected, found: [reason] }
}

export async function checkMx(
  context: SetupContext,
  domain: string,
  isRight: (host: string) => boolean,
): Promise<Checked> {
  const { dns, service, regions } = context
  const expected = regions.slice(0, 1).map(({ profile }) => `${domain} MX 10 ${feedbackHost(profile.region, service)}`)
  const answer = await dns.mx(domain)
  if (answer.kind === "error") return notAnswered(answer, expected)
  const hosts = answer.kind === "found" ? answer.values.filter(({ exchange }) => exchange !== "") : []
  const found = hosts.map(({ exchange, priority }) => `${domain} MX ${priority} ${exchange}`)
  if (hosts.length === 0) return { state: "wrong", code: "missing", expected, found }
  return hosts.some(({ exchange }) => isRight(exchange))
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "different", expected, found }
}

/** An address, and the name whose own row says whether it lets it send. */
type SpfSender = { address: string; include?: string }

/**
 * The one SPF record of a name lets these addresses send.
 * @param value the whole record as it should be published
 */
export async function checkSpf(
  { dns }: SetupContext,
  name: string,
  senders: readonly SpfSender[],
  value: string,
): Promise<Checked> {
  const expected = [`${name} TXT ${value}`]
  const [answer, ...judged] = await Promise.all([
    dns.txt(name),
    ...senders.map(async (sender) => ({ ...sender, ...(await evaluateFor(sender, dns, name)) })),
  ])
  if (answer.kind === "error") return notAnswered(answer, expected)
  const texts = answer.kind === "found" ? answer.values.filter(isSpf) : []
  const found = texts.map((text) => `${name} TXT ${text}`)
  if (texts.length === 0) return { state: "wrong", code: "missing", expected, found }
  if (texts.length > 1) return { state: "wrong", code: "several", expected, found }
  if (judged.some(({ result }) => result === "temperror"))
    return { state: "unknown", code: "lookup_failed", expected, found: ["temperror"] }
  const fails = judged.filter(({ result }) => result !== "pass")
  if (fails.length > 0) {
    const results = fails.map(({ address, result }): Evidence => ({ code: "spf_result", facts: { address, result } }))
    return { state: "wrong", code: "not_pass", expected, found: [...found, ...results] }
  }
  return texts.every((text) => parseSpf(text) !== null)
    ? { state: "ok", expected, found }
    : { state: "wrong", code: "different", expected, found }
}

/** A record that includes one which does not let the address send yet is judged as if that one did. */
async function evaluateFor({ address, include }: SpfSender, dns: Dns, name: string): Promise<SpfResult> {
  const judged = await evaluateSpf(dns, name, address)
  if (judged.result === "pass" || judged.result === "temperror" || include === undefined) return judged
  const own = await evaluateSpf(dns, include, address)
  return own.result === "pass" ? judged : evaluateSpf(withPass(dns, include), name, address)
}

/** The DNS with a record at a name that lets everybody send. */
function withPass(dns: Dns, name: string): Dns {
  const pass = { kind: "found" as const, values: ["v=spf1 +all"], askedServers: [] }
  return { ...dns, txt: async (asked) => (asked.toLowerCase() === name ? pass : dns.txt(asked)) }
}

export function addressLine(name: string, address: string): string {
  return `${name} ${isIPv4(address) ? "A" : "AAAA"} ${address}`
}

type Judged = Pick<Checked, "state" | "code"> & Partial<Pick<Checked, "expected" | "found">>

/** Judges the names that the reverse DNS of an address gives it. */
export async function checkReverse(
  { stub }: SetupContext,
  source: SetupSource,
  judge: (names: readonly string[], source: SetupSource) => Judged | Promise<Judged>,
): Promise<Checked> {
  const { address, ehloName } = source
  const expected: Evidence[] = [
    address ? `${address} PTR ${ehloName}` : { code: "reverse_of_each", facts: { name: ehloName } },
  ]
  if (address === "") return { state: "waiting", code: "no_address", expected, found: [] }
  const answer = await stub.ask("PTR", reverseNameOf(address))
  if (answer.kind === "error") return notAnswered(answer, expected)
  if (answer.kind === "missing") return { state: "wrong", code: "missing", expected, found: [] }
  const found = answer.values.map((name) => `${address} PTR ${name}`)
  return { expected, found, ...(await judge(answer.values, source)) }
}

/** Words that hosters and access providers give to the names of addresses that nobody has named. */
const genericWords = /(?:^|[.-])(?:dyn|dynamic|dhcp|dsl|adsl|pool|ppp|dialup|unassigned|generic)(?:[.-]|\d|$)/i

/** A name that is made from the address, or says that nobody has chosen it. */
export function isGeneric(name: string, address: string): boolean {
  if (genericWords.test(name)) return true
  if (!isIPv4(address)) return false
  const numbers: string[] = name.match(/\d+/g) ?? []
  return address.split(".").every((octet) => numbers.includes(octet)) || name.includes(address.replaceAll(".", ""))
}

export function sameAddress(one: string, other: string): boolean {
  return reverseNameOf(one) === reverseNameOf(other)
}

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
function reverseNameOf(address: string): string {
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
