import type { Socket } from "node:net"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { figures } from "@/e2e/support/chaos/figures"
import * as mailing from "@/e2e/support/chaos/mailing"
import { size } from "@/e2e/support/chaos/size"
import { faultServer, type FaultServer } from "@/e2e/support/delivery/fault-server"
import { deliverDue, relayAt, type Sending } from "@/e2e/support/delivery/sending"
import type { Relays } from "@/lib/delivery/regions/relays"
import { pool } from "@/lib/platform/database/db"

/** Mails of one round, each with a reply of its own: so few that none is due again before the last was tried. */
const mails = 100
const rounds = size(6, 100)

type Phase = "RCPT" | "DATA" | "DOT"
type Reply = { phase: Phase; octets: Buffer; expected: "delivered" | "bounced" | "waiting"; goesOn?: string }

let server: FaultServer
let relays: Relays
let sender: Sending
let replies: readonly Reply[] = []
const current = new WeakMap<Socket, number>()

beforeAll(async () => {
  server = await faultServer({ RCPT: answering("RCPT"), DATA: answering("DATA"), DOT: answering("DOT") })
  relays = relayAt(server.port)
})

afterAll(async () => {
  await relays.close()
  await server.close()
})

/** Says the reply of the mail that a connection is at, in its phase; all else is well. */
function answering(phase: Phase) {
  return (socket: Socket) => {
    if (phase === "RCPT") current.set(socket, Number(/<m(\d+)-/.exec(server.received.at(-1) ?? "")?.[1]))
    const reply = replies[current.get(socket) ?? -1]
    if (reply?.phase === phase) {
      socket.write(reply.octets)
      // The server takes data once it says so itself.
      return reply.goesOn
    }
    return phase === "DATA" ? "354 go on" : "250 2.0.0 ok"
  }
}

const lineFeed = 0x0a
const octets = fc.oneof(
  fc.uint8Array({ maxLength: 1_200 }).map((bytes) => Buffer.from(bytes)),
  // Around the places where texts are cut there is an emoji, half a character, a NUL or nothing special.
  fc
    .tuple(fc.nat(6), fc.constantFrom("😀", "é", "\0", "\u2028", "x", "👩‍👩‍👧‍👦"), fc.nat(500))
    .map(([ahead, unit, count]) => Buffer.from(`${"a".repeat(ahead)}${unit.repeat(count)}`).subarray(0, 1_500)),
  // A surrogate as CESU-8 writes it, and other octets that are no UTF-8.
  fc
    .constantFrom("eda080", "edb880", "c080", "f8888080", "ff", "e282")
    .map((hex) => Buffer.from(hex.repeat(300), "hex").subarray(0, 1_500)),
)
const line = octets.map((bytes) => Buffer.from(bytes.filter((byte) => byte !== lineFeed)))
const lines = fc.oneof(
  { weight: 3, arbitrary: fc.array(line, { minLength: 1, maxLength: 5 }) },
  { weight: 1, arbitrary: fc.array(line, { minLength: 20, maxLength: 40 }) },
)

function replyOf(code: string, texts: readonly Buffer[]): Buffer {
  return Buffer.concat(
    texts.flatMap((text, at) => [
      Buffer.from(`${code}${at === texts.length - 1 ? " " : "-"}`),
      text,
      Buffer.from("\r\n"),
    ]),
  )
}

const good: Record<Phase, string> = { RCPT: "250", DATA: "354", DOT: "250" }
const phase = fc.constantFrom<Phase>("RCPT", "DATA", "DOT", "DOT", "DOT")
const enhanced = fc.constantFrom("", "5.1.1 ", "5.7.1 ", "4.2.2 ", "2.0.0 ", "5.999.999 ")

const spoken = fc
  .tuple(phase, fc.constantFrom("2", "4", "5"), enhanced, lines)
  .map(([phase, kind, prefix, [first = Buffer.of(), ...more]]): Reply => {
    const code = { "2": good[phase], "4": "450", "5": "550" }[kind] ?? ""
    const expected = { "2": "delivered", "4": "waiting", "5": "bounced" }[kind] as Reply["expected"]
    const octets = replyOf(code, [Buffer.concat([Buffer.from(prefix), first]), ...more])
    if (code !== "354") return { phase, octets, expected }
    return {
      phase,
      octets: Buffer.from(octets.toString("latin1").replaceAll("354 ", "354-"), "latin1"),
      expected,
      goesOn: "354 go on",
    }
  })
const otherCode = fc
  .tuple(phase, fc.constantFrom("299", "399", "421", "251"), lines)
  .map(([phase, code, texts]): Reply => {
    const expected = code.startsWith("2") && phase !== "DATA" ? "delivered" : "waiting"
    return { phase, octets: replyOf(code, texts), expected }
  })
const none = fc.tuple(phase, line).map(([phase, text]): Reply => ({
  phase,
  octets: Buffer.concat([Buffer.from("!"), text, Buffer.from("\r\n")]),
  expected: "waiting",
}))
/** However long it is, its code counts. */
const longLine = fc.tuple(phase, fc.constantFrom("250 ", "550 ", "")).map(([phase, head]): Reply => ({
  phase,
  octets: Buffer.from(`${head}${"😀".repeat(1_000)}\r\n`),
  expected: head === "550 " ? "bounced" : head === "250 " && phase !== "DATA" ? "delivered" : "waiting",
}))
/** Over 1 MB and no end: it is taken as it began, and its connection is given up. */
const endless = phase.map((phase): Reply => ({
  phase,
  octets: Buffer.from(`${good[phase]}-${"😀".repeat(100)}\r\n`.repeat(3_000)),
  expected: phase === "DOT" ? "delivered" : "waiting",
}))

const reply = fc.oneof(
  { weight: 8, arbitrary: spoken },
  { weight: 2, arbitrary: otherCode },
  { weight: 2, arbitrary: none },
  { weight: 1, arbitrary: longLine },
  { weight: 1, arbitrary: endless },
)

test(
  `whatever a server says in ${mails * rounds} replies, each mail leaves at most once and has the status that the reply means`,
  async () => {
    const seed = Date.now()
    for (let round = 1; round <= rounds; round++) {
      replies = fc.sample(reply, { numRuns: mails, seed: seed + round })
      // Each with batches of its own to send.
      sender = await mailing.newMailer()
      server.messages.length = 0
      await mailing.sendTo(
        sender,
        replies.map((_, at) => `m${at}-${round}@x.example`),
      )
      await deliverDue(relays)
      expect(mailing.tally(server).copies).toBe(0)
      const statuses = await statusesOf(round)
      const untrue = replies
        .map((reply, at) => ({ ...shown(reply), status: statuses[at] }))
        .filter(({ expected, status }) => status !== expected)
      expect(untrue, `seed ${seed + round}`).toEqual([])
      await expectWellFormed(round)
    }
    figures("replies", { replies: rounds * mails, "copies too many": 0 })
  },
  size(60_000, 600_000),
)

function shown({ octets, ...reply }: Reply) {
  return { ...reply, octets: octets.toString("latin1").slice(0, 60) }
}

/** By the number of the mail. */
async function statusesOf(round: number): Promise<string[]> {
  const { rows } = await pool().query<{ address: string; status: string; due: boolean }>(
    "SELECT address, status, due_at > now() AS due FROM deliveries WHERE project_id = $1 AND address LIKE $2",
    [sender.projectId, `%-${round}@x.example`],
  )
  const statuses: string[] = []
  for (const { address, status, due } of rows)
    statuses[Number(/^m(\d+)/.exec(address)?.[1])] = status === "sending" && due ? "waiting" : status
  return statuses
}

/** What is kept of the words, in every place that keeps them: whole characters and no more of them than we said. */
async function expectWellFormed(round: number) {
  const { rows } = await pool().query<{
    text: string
    conversation: string
    diagnostic: string | null
    evidence: string | null
  }>(
    `SELECT a.text, a.conversation, d.diagnostic, s.evidence FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id
      LEFT JOIN suppressions s ON s.project_id = d.project_id AND s.email = d.canonical
      WHERE d.project_id = $1 AND d.address LIKE $2`,
    [sender.projectId, `%-${round}@x.example`],
  )
  expect(rows).toHaveLength(mails)
  for (const { text, conversation, diagnostic, evidence } of rows) {
    expect([...text].length).toBeLessThanOrEqual(1_000)
    for (const one of conversation.split("\n")) expect([...one].length).toBeLessThanOrEqual(500)
    for (const one of [text, conversation, diagnostic ?? "", evidence ?? ""]) expect(one).not.toMatch(/\0/)
  }
}
