import { createSocket } from "node:dgram"
import { createServer } from "node:net"
import {
  AUTHENTIC_DATA,
  decode,
  encode,
  streamDecode,
  streamEncode,
  TRUNCATED_RESPONSE,
  type Answer,
  type Packet,
} from "dns-packet"

type Type = "A" | "AAAA" | "TXT" | "MX" | "CNAME" | "NS" | "TLSA"
type Fault = "SERVFAIL" | "REFUSED" | "silence"
const rcodes = { SERVFAIL: 2, REFUSED: 5 }

export type TestDnsServer = Awaited<ReturnType<typeof startDnsServer>>

/** A real name server on loopback, UDP and TCP, that says what a test tells it to, faults included. */
export async function startDnsServer() {
  const records = new Map<string, Answer[]>()
  const faults = new Map<string, Fault>()
  const signed: string[] = []
  const questions: string[] = []
  let tcpQuestions = 0

  const udp = createSocket("udp4")
  const tcp = createServer((socket) => {
    socket.on("error", () => socket.destroy())
    socket.on("data", (data) => {
      tcpQuestions++
      const reply = replyTo(streamDecode(data))
      if (reply) socket.end(streamEncode(reply))
    })
  })
  udp.on("message", (message, from) => {
    const reply = replyTo(decode(message))
    if (!reply) return
    const bytes = encode(reply)
    const fits = bytes.length <= 1200
    udp.send(
      fits ? bytes : encode({ ...reply, flags: (reply.flags ?? 0) | TRUNCATED_RESPONSE, answers: [] }),
      from.port,
    )
  })
  const port = await bindBoth()

  return {
    host: "127.0.0.1",
    port,
    questions,
    get tcpQuestions() {
      return tcpQuestions
    },
    answer(name: string, type: Type, values: unknown[]) {
      const others = (records.get(name) ?? []).filter((record) => record.type !== type)
      records.set(name, [...others, ...values.map((data) => ({ name, type, ttl: 0, data }) as Answer)])
    },
    forgetAll() {
      records.clear()
      faults.clear()
    },
    fault(name: string, fault: Fault) {
      faults.set(name, fault)
    },
    /** Answers about this name and those below it are secured by DNSSEC. */
    sign(zone: string) {
      signed.push(zone)
    },
    heal(name: string) {
      faults.delete(name)
    },
    async close() {
      await Promise.all([new Promise<void>((done) => udp.close(done)), new Promise((done) => tcp.close(done))])
    },
  }

  function replyTo(query: Packet): Packet | null {
    const question = query.questions?.[0]
    if (!question) return null
    const name = question.name.toLowerCase()
    questions.push(`${question.type} ${name}`)
    const base = { type: "response" as const, id: query.id, questions: query.questions }
    const fault = faults.get(name)
    if (fault === "silence") return null
    if (fault) return { ...base, flags: rcodes[fault] }
    const isSigned = signed.some((zone) => name === zone || name.endsWith(`.${zone}`))
    const flags = isSigned ? AUTHENTIC_DATA : 0
    const here = records.get(name)
    if (!here) return { ...base, flags: flags | 3 }
    const alias = here.find((record) => record.type === "CNAME")
    return { ...base, flags, answers: alias ? [alias] : here.filter((record) => record.type === question.type) }
  }

  async function bindBoth(): Promise<number> {
    for (;;) {
      await new Promise<void>((done) => tcp.listen(0, "127.0.0.1", done))
      const address = tcp.address()
      const wanted = typeof address === "object" && address ? address.port : 0
      const bound = await new Promise<boolean>((done) => {
        udp.once("error", () => done(false))
        udp.bind(wanted, "127.0.0.1", () => done(true))
      })
      if (bound) return wanted
      await new Promise((done) => tcp.close(done))
    }
  }
}
