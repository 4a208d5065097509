import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { measured } from "@/e2e/support/measured"
import { address, mail, mailOn, openDialogue, type Dialogue } from "@/e2e/support/inbound/dialogue"
import { unsubscribeAddress } from "@/lib/delivery/message/unsubscribe"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import type { Intake, InboundMail } from "@/lib/inbound/mails-sql"
import { inboundLimits, openInbound, type Inbound } from "@/lib/inbound/server"
import { hmac } from "@/lib/platform/crypto"
import { firstIdAt, newId } from "@/lib/platform/ids"
import { selfSigned } from "@/lib/platform/smtp-server/certificate"
import { dayMs } from "@/lib/platform/time"

// Nothing listens at DATABASE_URL here: what the listener decides, it decides without a query.

const service = { serviceDomain: "mailroom.test", reportDomain: "dmarc.mailroom.test" }
const bounceDomain = "send.acme.example"
const returnPath = (id = newId()) => `${verpFor(id, hmac)}@${bounceDomain}`

let inbound: Inbound
let stored: InboundMail[] = []
let answer: () => Promise<Intake> = async () => "stored"
const open = (options: Partial<Parameters<typeof openInbound>[0]> = {}) =>
  openInbound({
    port: 0,
    host: "127.0.0.1",
    service,
    store: async (one) => (stored.push(one), answer()),
    ...options,
    limits: { newPerAddressAndMinuteMax: 10_000, unknownRecipientsMax: 1_000, ...options.limits },
  })

beforeAll(async () => {
  inbound = await open()
})
afterAll(() => inbound.close())

async function greeted(port = inbound.port, options = {}): Promise<Dialogue> {
  const dialogue = await openDialogue(port, options)
  await dialogue.hear()
  await dialogue.say("EHLO mx.example.net")
  return dialogue
}

describe("T107: recipients are decided without a query", () => {
  test("a live return path is accepted in any letter case, and stored under its delivery", async () => {
    stored = []
    const id = newId()
    expect(await mail(inbound.port, returnPath(id).toUpperCase(), "Subject: back\r\n\r\nhi\r\n")).toBe(
      "250 2.0.0 Stored",
    )
    expect(stored).toMatchObject([
      {
        door: "return_path",
        deliveryId: id,
        mailFrom: "",
        rcptTo: returnPath(id),
        helo: "mx.example.net",
        client: "127.0.0.1",
      },
    ])
    expect(stored[0]?.raw.toString()).toBe("Subject: back\r\n\r\nhi\r\n")
  })

  test("guesses, changed characters, tags and return paths of long ago are refused", async () => {
    const [local = ""] = returnPath().split("@")
    const changed = [...local].map((old, at) => local.slice(0, at) + (old === "a" ? "b" : "a") + local.slice(at + 1))
    const old = firstIdAt(new Date(Date.now() - 91 * dayMs))
    const refused = [
      ...changed,
      ...Array.from({ length: 50 }, () => verpFor(randomUUID(), () => Buffer.alloc(32))),
      `${local}+tag`,
      `x${local}`,
      local.slice(1),
      verpFor(old, hmac),
      unsubscribeAddress(newId(), hmac).replace("u-", "v-"),
    ]
    const dialogue = await greeted()
    const answers = await address(
      dialogue,
      refused.map((one) => `${one}@${bounceDomain}`),
    )
    expect(new Set(answers)).toEqual(new Set(["550 5.1.1 No such address here"]))
    dialogue.end()
  })

  test("take a mail in as many copies as fit, and no octet more", async () => {
    const raw = `Subject: back\r\n\r\n${"x".repeat(70)}\r\n`
    const narrow = await open({ limits: { copiesBytesMax: 3 * raw.length } })
    const answerFor = async (count: number) => {
      const dialogue = await greeted(narrow.port)
      const accepted = await address(
        dialogue,
        Array.from({ length: count }, () => returnPath()),
      )
      expect(accepted.filter((one) => one.startsWith("250"))).toHaveLength(count)
      await dialogue.say("DATA")
      dialogue.write(raw)
      const answered = await dialogue.say(".")
      dialogue.end()
      return answered
    }
    expect(await answerFor(3)).toBe("250 2.0.0 Stored")
    expect(await answerFor(4)).toMatch(/^552 5\.3\.4 The mail is too large for so many recipients/)
    await narrow.close()
  })

  test("end the session of who goes on guessing; others, and whoever comes again, are heard", async () => {
    const usual = await open({ limits: { unknownRecipientsMax: inboundLimits.unknownRecipientsMax } })
    const guessing = await greeted(usual.port)
    await guessing.say("MAIL FROM:<eve@evil.test>")
    const guess = () => guessing.say(`RCPT TO:<${randomUUID()}@evil.test>`)
    for (let n = 0; n < 20; n++) expect(await guess()).toBe("550 5.1.1 No such address here")
    expect(await guess()).toBe("421 4.7.0 Too many recipients that nobody has here")
    expect(await guess(), "after the end of the connection").toBe("")
    guessing.end()
    expect(await mail(usual.port, returnPath(), "Subject: back\r\n\r\nhi\r\n")).toMatch(/^250 /)
    await usual.close()
  })

  test("the offices of the service have an address, those of others have none here", async () => {
    const dialogue = await greeted()
    const hosts = ["mailroom.test", "dmarc.mailroom.test", "feedback.eu-west-1.mailroom.test"]
    const ours = hosts.flatMap((host) => ["fbl", "Postmaster", "ABUSE", "tlsrpt"].map((name) => `${name}@${host}`))
    const leave = `${unsubscribeAddress(newId(), hmac)}@feedback.eu-west-1.mailroom.test`
    for (const one of await address(dialogue, [...ours, leave.toUpperCase(), "postmaster"]))
      expect(one).toMatch(/^250 /)
    await dialogue.say("RSET")
    for (const one of await address(dialogue, ["postmaster@acme.example", "abuse@", "info@mailroom.test"]))
      expect(one).toMatch(/^5\d\d /)
    dialogue.end()
  })
})

test("a sender may have an address that the grammar does not allow", async () => {
  for (const from of ["ada.@docomo.example", "a..b@docomo.example", "root@web_01.example"]) {
    stored = []
    expect(await mail(inbound.port, returnPath(), "Subject: hi\r\n\r\nhi\r\n", from), from).toBe("250 2.0.0 Stored")
    expect(stored[0]?.mailFrom, "the sender that is stored").toBe(from)
  }
})

test("an address of 16 kB is not read", async () => {
  const dialogue = await greeted()
  expect(await dialogue.say(`MAIL FROM:<ada@xn--${"a".repeat(16_000)}>`)).toMatch(/^421 /)
  dialogue.end()
})

describe("T115: nothing is relayed", () => {
  const foreign = [
    "ada@lovelace.example",
    "a%b@mailroom.test",
    "@mailroom.test:ada@lovelace.example",
    '"a@b"@mailroom.test',
    "a!b@mailroom.test",
  ]

  test("to foreign recipients, with percent signs and routes, after RSET and after STARTTLS", async () => {
    const dialogue = await greeted()
    for (const one of await address(dialogue, foreign, "ada@mailroom.test")) expect(one).toMatch(/^5\d\d /)
    await dialogue.say("RSET")
    for (const one of await address(dialogue, foreign)) expect(one).toMatch(/^5\d\d /)
    expect(await dialogue.say("STARTTLS")).toMatch(/^220 /)
    await dialogue.startTls()
    await dialogue.say("EHLO mx.example.net")
    for (const one of await address(dialogue, foreign)) expect(one).toMatch(/^5\d\d /)
    expect(await dialogue.say("DATA")).toMatch(/^503 /)
    dialogue.end()
  })

  test("nobody signs in, and nobody learns who exists", async () => {
    const dialogue = await openDialogue(inbound.port)
    await dialogue.hear()
    const offer = await dialogue.say("EHLO mx.example.net")
    expect(offer).toMatch(/STARTTLS/)
    expect(offer).not.toMatch(/AUTH|VRFY|EXPN|DSN/)
    for (const command of ["AUTH PLAIN AGEAYg==", "VRFY postmaster", "EXPN all", "WIZ x", "SHELL", "KILL"])
      expect(await dialogue.say(command)).toMatch(/^50[0-4] /)
    dialogue.end()
  })
})

describe("T108: a flood", () => {
  test("is held to 20 connections a client address and 200 in all", async () => {
    const port = inbound.port
    const opened: Dialogue[] = []
    const greetings = async (count: number, from: string) => {
      const all = await Promise.all(Array.from({ length: count }, () => openDialogue(port, { from })))
      opened.push(...all)
      return Promise.all(all.map((one) => one.hear()))
    }
    const counted = (answers: string[], code: string) => answers.filter((one) => one.startsWith(code)).length
    const first = await greetings(30, "127.0.0.2")
    expect(counted(first, "220")).toBe(20)
    expect(counted(first, "421")).toBe(10)
    let accepted = 20
    for (let at = 3; at < 15; at++) accepted += counted(await greetings(20, `127.0.0.${at}`), "220")
    expect(accepted).toBeLessThanOrEqual(inboundLimits.clientsMax)
    expect(accepted).toBeGreaterThan(inboundLimits.clientsMax - 25)
    for (const one of opened) one.end()
    await expect.poll(async () => (await mail(port, returnPath(), "a: b\r\n\r\n")).slice(0, 3)).toBe("250")
  })

  test("of new connections is held to so many a minute and client address", async () => {
    const limited = await open({ limits: { newPerAddressAndMinuteMax: 3 } })
    const heard = []
    for (let at = 0; at < 5; at++) {
      const dialogue = await openDialogue(limited.port)
      heard.push((await dialogue.hear()).slice(0, 3))
      dialogue.end()
    }
    expect(heard).toEqual(["220", "220", "220", "421", "421"])
    await limited.close()
  })

  test("of single characters ends with the session, however slowly they come", measured, async () => {
    const limited = await open({ limits: { sessionMs: 600 } })
    const dialogue = await greeted(limited.port)
    await address(dialogue, [returnPath()])
    await dialogue.say("DATA")
    const drip = setInterval(() => dialogue.write("a"), 50)
    const startedAt = performance.now()
    expect(await dialogue.hear()).toMatch(/^421 /)
    expect(performance.now() - startedAt).toBeLessThan(2_000)
    clearInterval(drip)
    dialogue.end()
    await limited.close()
  })

  test("of large mails keeps to its memory, asks the senders to come back, and forgets none", async () => {
    stored = []
    const limited = await open({ limits: { heldBytesMax: 3_000_000, messageBytesMax: 2_000_000 } })
    const large = `Subject: large\r\n\r\n${"x".repeat(998)}\r\n`.padEnd(1_000_000, `${"y".repeat(998)}\r\n`)
    let release = () => {}
    answer = () => new Promise((resolve) => (release = ((before) => () => (before(), resolve("stored")))(release)))
    const sent = Array.from({ length: 6 }, () => mail(limited.port, returnPath(), large))
    await expect.poll(() => stored.length).toBe(2)
    const early = await Promise.race(sent)
    expect(early).toMatch(/^452 4\.3\.1 /)
    const loop = setInterval(() => release(), 20)
    const answers = await Promise.all(sent)
    clearInterval(loop)
    answer = async () => "stored"
    expect(answers.filter((one) => one.startsWith("250"))).toHaveLength(stored.length)
    expect(await mail(limited.port, returnPath(), large)).toMatch(/^250 /)
    expect(await mail(limited.port, returnPath(), large + large + large)).toMatch(/^552 /)
    expect(await mail(limited.port, returnPath(), large)).toMatch(/^250 /)
    await limited.close()
  })

  test("of unfinished mails from one address leaves three quarters of the room to others", async () => {
    const { heldBytesMax, addressBytesMax, messageBytesMax } = inboundLimits
    expect(addressBytesMax).toBe(heldBytesMax / 4)
    expect(addressBytesMax, "or the largest mail would never be taken").toBeGreaterThanOrEqual(messageBytesMax)
    const limited = await open({ limits: { heldBytesMax: 4_000_000, addressBytesMax: 1_000_000 } })
    const large = `Subject: large\r\n\r\n${`${"x".repeat(98)}\r\n`.repeat(9_500)}`
    const greedy = await Promise.all(Array.from({ length: 6 }, () => greeted(limited.port, { from: "127.0.0.2" })))
    for (const dialogue of greedy) {
      await address(dialogue, [returnPath()])
      await dialogue.say("DATA")
      dialogue.write(large)
    }
    const mailFrom = async (from: string) => {
      const dialogue = await greeted(limited.port, { from })
      const answer = await mailOn(dialogue, returnPath(), large)
      dialogue.end()
      return answer
    }
    await expect.poll(() => mailFrom("127.0.0.2")).toMatch(/^452 4\.3\.1 /)
    expect(await mailFrom("127.0.0.3")).toBe("250 2.0.0 Stored")
    for (const dialogue of greedy) dialogue.end()
    await limited.close()
  })

  test("of a mail without end is cut off in time, and its room is free although the client does not hang up", async () => {
    const limited = await open({ limits: { dataMs: 500, addressBytesMax: 1_000_000 } })
    const dialogue = await greeted(limited.port)
    await address(dialogue, [returnPath()])
    await dialogue.say("DATA")
    dialogue.write(`${"x".repeat(98)}\r\n`.repeat(9_500))
    const drip = setInterval(() => dialogue.write("a"), 50)
    expect(await dialogue.hear()).toBe("421 4.4.2 The mail has taken too long")
    expect(await mail(limited.port, returnPath(), `a: b\r\n\r\n${`${"y".repeat(98)}\r\n`.repeat(9_500)}`)).toBe(
      "250 2.0.0 Stored",
    )
    clearInterval(drip)
    dialogue.end()
    await limited.close()
  })

  test("of recipients ends at 100", async () => {
    const dialogue = await greeted()
    const answers = await address(
      dialogue,
      Array.from({ length: 102 }, () => returnPath()),
    )
    expect(answers.slice(0, 100).every((one) => one.startsWith("250"))).toBe(true)
    for (const one of answers.slice(100)) expect(one).toMatch(/^452 /)
    dialogue.end()
  })
})

describe("the answer to a mail", () => {
  test.each([
    ["unknown", "550 5.1.1"],
    ["full", "452 4.2.2"],
    ["late", "451 4.3.0"],
  ] as const)("that is %s is %s", async (intake, code) => {
    answer = async () => intake
    expect(await mail(inbound.port, returnPath(), "a: b\r\n\r\n")).toMatch(
      new RegExp(`^${code.replaceAll(".", "\\.")} `),
    )
    answer = async () => "stored"
  })

  test("is 451 where the database is away, and 250 in the same session once it is back", async () => {
    const dialogue = await greeted()
    answer = () => Promise.reject(new Error("connect ECONNREFUSED"))
    expect(await mailOn(dialogue, returnPath(), "a: b\r\n\r\n")).toMatch(/^451 4\.3\.0 /)
    answer = async () => "stored"
    expect(await mailOn(dialogue, returnPath(), "a: b\r\n\r\n")).toMatch(/^250 /)
    dialogue.end()
  })

  test("to several recipients is 250 only if all of them are stored", async () => {
    const dialogue = await greeted()
    const intakes: Intake[] = ["stored", "full", "stored"]
    answer = async () => intakes.shift() ?? "stored"
    await address(dialogue, [returnPath(), returnPath(), returnPath()])
    await dialogue.say("DATA")
    expect(await dialogue.say("a: b\r\n\r\n\r\n.")).toMatch(/^452 /)
    answer = async () => "stored"
    dialogue.end()
  })

  test("T114: is 554 for a mail that has passed more than 50 servers, whatever its body quotes", async () => {
    const hops = (count: number) => "Received: from a by b; today\r\n".repeat(count)
    expect(await mail(inbound.port, returnPath(), `${hops(51)}Subject: x\r\n\r\n`)).toMatch(/^554 5\.4\.6 /)
    expect(await mail(inbound.port, returnPath(), `${hops(50)}Subject: x\r\n\r\n${hops(99)}`)).toMatch(/^250 /)
  })
})

describe("STARTTLS", () => {
  test("works without any certificate of the operator", async () => {
    const dialogue = await greeted()
    await dialogue.say("STARTTLS")
    await dialogue.startTls()
    await dialogue.say("EHLO mx.example.net")
    stored = []
    expect(await mailOn(dialogue, returnPath(), "a: b\r\n\r\n")).toMatch(/^250 /)
    expect(stored[0]?.tls).toBe("TLSv1.3")
    dialogue.end()
  })

  test("uses the operator's, and a renewed one without a restart", { timeout: 30_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), "mailroom-certificate-"))
    const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") }
    const renew = () => {
      const { cert, key } = selfSigned(["mx.acme.example"], {
        from: new Date(Date.now() - dayMs),
        until: new Date(Date.now() + dayMs),
      })
      writeFileSync(files.cert, cert)
      writeFileSync(files.key, key)
    }
    renew()
    const own = await open({ tls: files })
    const shown = async () => {
      const dialogue = await greeted(own.port)
      await dialogue.say("STARTTLS")
      await dialogue.startTls()
      dialogue.end()
      return dialogue.certificate()
    }
    const before = await shown()
    expect(await shown()).toBe(before)
    renew()
    await expect.poll(shown, { timeout: 20_000, interval: 500 }).not.toBe(before)
    await own.close()
    rmSync(folder, { recursive: true })
  })

  test("does not start with files that are no certificate", async () => {
    await expect(open({ tls: { cert: "/missing/cert.pem", key: "/missing/key.pem" } })).rejects.toThrow(
      /TLS_CERT and TLS_KEY cannot be used/,
    )
  })
})
