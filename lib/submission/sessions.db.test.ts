import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { openDialogue } from "@/e2e/support/inbound/dialogue"
import {
  announce,
  encrypted,
  newSubmitter,
  openLab,
  plainToken,
  signedIn,
  submit,
  type Lab,
} from "@/e2e/support/submission/clients"
import { api, newKey, type World } from "@/e2e/support/world"
import { flushRequests } from "@/lib/api-keys/usage/record"
import { env } from "@/lib/platform/env/env"
import { encodeId } from "@/lib/platform/ids"
import { pool } from "@/lib/platform/database/db"
import { openSubmission } from "@/lib/submission/server"
import { serve } from "@/lib/api/serve"
import { sendEmail } from "@/lib/emails/send/api"

let lab: Lab
let world: World

beforeAll(async () => {
  lab = await openLab({ limits: { messageBytesMax: 200_000 } })
  world = await newSubmitter()
})
afterAll(() => lab.close())

const ada = "ada@lovelace.example"
const message = (more = "", body = "Hi") =>
  `From: Acme <hello@acme.test>\nTo: ${ada}\nSubject: Hello\n${more}\n${body}\n`

async function sendAs(key: string, raw: string, recipients = [ada]): Promise<string> {
  const dialogue = await signedIn(lab, key)
  const answer = await submit(dialogue, recipients, raw)
  dialogue.end()
  return answer
}

async function emailsOf({ projectId }: World): Promise<{ bcc_headers: string[]; headers: unknown; subject: string }[]> {
  return (await pool().query("SELECT * FROM emails WHERE project_id = $1 ORDER BY id", [projectId])).rows
}

describe("T115: nothing is relayed for who has not signed in", () => {
  const foreign = [ada, "a%b@mailroom.test", "@mailroom.test:ada@lovelace.example", '"a@b"@mailroom.test']

  test("in plain text, after RSET, after TLS and after a failed sign-in", async () => {
    const dialogue = await openDialogue(lab.port)
    await dialogue.hear()
    await dialogue.say("EHLO app.example")
    const refusesAll = async () => {
      expect(await dialogue.say("MAIL FROM:<hello@acme.test>")).toMatch(/^530 /)
      for (const one of foreign) expect(await dialogue.say(`RCPT TO:<${one}>`)).toMatch(/^5\d\d /)
      expect(await dialogue.say("DATA")).toMatch(/^5\d\d /)
    }
    await refusesAll()
    await dialogue.say("RSET")
    await refusesAll()
    await dialogue.say("STARTTLS")
    await dialogue.startTls()
    await dialogue.say("EHLO app.example")
    expect(await dialogue.say(`AUTH PLAIN ${plainToken("mr_live_guessed")}`)).toMatch(/^535 5\.7\.8 /)
    expect(await dialogue.say("MAIL FROM:<hello@acme.test>")).toMatch(/^530 /)
    expect(await dialogue.say(`RCPT TO:<${ada}>`)).toMatch(/^5\d\d /)
    dialogue.end()
  })

  test("and percent signs before a decoded @, literals and quoted local parts are no recipients of anybody", async () => {
    const dialogue = await signedIn(lab, world.apiKey)
    await dialogue.say("MAIL FROM:<hello@acme.test>")
    for (const one of ['"a@b"@x.test', "ada@[127.0.0.1]", "a%40b@x.test", "ada@localhost"])
      expect(await dialogue.say(`RCPT TO:<${one}>`), one).toMatch(/^(?:501|550|553) /)
    expect(await dialogue.say("DATA")).toMatch(/^503 /)
    dialogue.end()
  })
})

describe("T117: attacks on the submission of email", () => {
  test("AUTH is not offered before TLS, and a key that is sent all the same is not looked at", async () => {
    const dialogue = await openDialogue(lab.port)
    await dialogue.hear()
    const offer = await dialogue.say("EHLO app.example")
    expect(offer).toMatch(/STARTTLS/)
    expect(offer).not.toMatch(/AUTH|VRFY|EXPN/)
    for (const command of [`AUTH PLAIN ${plainToken(world.apiKey)}`, "AUTH LOGIN", "VRFY postmaster", "EXPN all"])
      expect(await dialogue.say(command)).toMatch(/^50[0-4] /)
    expect(await dialogue.say("MAIL FROM:<hello@acme.test>")).toMatch(/^530 5\.7\.0 /)
    await dialogue.say("STARTTLS")
    await dialogue.startTls()
    expect(await dialogue.say("EHLO app.example")).toMatch(/250-AUTH PLAIN LOGIN/)
    dialogue.end()
  })

  test("silent connections of one address to the port of TLS leave others their place, and end after the time for the handshake", async () => {
    const narrow = await openLab({ limits: { clientsMax: 20, clientsPerAddressMax: 5, handshakeMs: 3_000 } })
    const connect = (from: string) => openDialogue(narrow.tlsPort, { from })
    const greeting = async (from: string) => {
      const dialogue = await connect(from)
      await dialogue.startTls().catch(() => undefined)
      const heard = await dialogue.hear()
      dialogue.end()
      return heard.slice(0, 3)
    }
    const silent = await Promise.all(Array.from({ length: 40 }, () => connect("127.0.0.8")))
    expect(await greeting("127.0.0.9")).toBe("220")
    expect(await greeting("127.0.0.8"), "its places are taken").toBe("")
    const hello = Buffer.from("1603010200010001", "hex")
    silent.forEach(({ write }) => write(hello))
    const drip = setInterval(() => silent.forEach(({ write }) => write("\0")), 100)
    expect(await Promise.all(silent.map(({ hear }) => hear()))).toEqual(silent.map(() => ""))
    clearInterval(drip)
    await expect.poll(() => greeting("127.0.0.8"), { message: "its places are free" }).toBe("220")
    for (let at = 0; at < 10; at++) expect(await greeting("127.0.0.8"), "a session gives its place back").toBe("220")
    await narrow.close()
  })

  test("what follows STARTTLS in plain text is forgotten", async () => {
    const dialogue = await openDialogue(lab.port)
    await dialogue.hear()
    await dialogue.say("EHLO app.example")
    dialogue.write(
      `STARTTLS\r\nEHLO evil.example\r\nAUTH PLAIN ${plainToken(world.apiKey)}\r\nMAIL FROM:<e@vil.example>\r\n`,
    )
    expect(await dialogue.hear()).toMatch(/^220 /)
    await dialogue.startTls()
    expect(await dialogue.say("NOOP")).toMatch(/^250 /)
    expect(await dialogue.say("MAIL FROM:<hello@acme.test>")).toMatch(/^503 /)
    await dialogue.say("EHLO app.example")
    expect(await dialogue.say("MAIL FROM:<hello@acme.test>")).toMatch(/^530 /)
    dialogue.end()
  })

  test("three wrong keys end the session, another user name is as wrong as a key", async () => {
    const dialogue = await encrypted(lab)
    expect(await dialogue.say(`AUTH PLAIN ${plainToken("mr_live_guessed")}`)).toMatch(/^535 5\.7\.8 auth\.\w+: /)
    expect(await dialogue.say(`AUTH PLAIN ${plainToken(world.apiKey, "hello@acme.test")}`)).toMatch(/^535 5\.7\.8 /)
    expect(await dialogue.say(`AUTH PLAIN ${plainToken("\r\nMAIL FROM:<a@b.example>")}`)).toMatch(/^421 /)
    expect(await dialogue.hear()).toBe("")
  })

  test("from one address 300 wrong keys a minute are answered, as at the API, then the session ends; others sign in meanwhile", async () => {
    const patient = await openLab({ limits: { failedSignInsPerSessionMax: 1_000 } })
    const dialogue = await encrypted(patient, { from: "127.0.0.9" })
    const answers: string[] = []
    for (let at = 0; at <= env().failedCredentialsPerMinute; at++)
      answers.push((await dialogue.say(`AUTH PLAIN ${plainToken("mr_live_guessed")}`)).slice(0, 3))
    expect(answers.slice(0, -1).every((answer) => answer === "535")).toBe(true)
    expect(answers.at(-1)).toBe("421")
    ;(await signedIn(patient, world.apiKey)).end()
    // As at the API, only wrong keys are refused: whoever shares the address goes on.
    ;(await signedIn(patient, world.apiKey, { from: "127.0.0.9" })).end()
    await patient.close()
  })

  test("a message inside a message stays text, whichever line ends surround its dot", async () => {
    const own = await newSubmitter()
    for (const end of ["\n.\n", "\r.\r", "\n.\r\n", "\r\n.\n", "\r.\r\n"]) {
      const dialogue = await signedIn(lab, own.apiKey)
      await announce(dialogue, [ada])
      dialogue.write(message("", "before").replace(/\n/g, "\r\n"))
      dialogue.write(`${end}MAIL FROM:<e@vil.example>\r\nRCPT TO:<${ada}>\r\nDATA\r\n`)
      expect(await dialogue.say("\r\n."), JSON.stringify(end)).toMatch(/^[25]\d\d /)
      expect(await dialogue.say("NOOP"), JSON.stringify(end)).toMatch(/^250 /)
      dialogue.end()
    }
    for (const { subject } of await emailsOf(own)) expect(subject).toBe("Hello")
    expect((await emailsOf(own)).length).toBeLessThanOrEqual(5)
  })

  test("the sender in the header is of a verified domain of the project, or nothing is sent", async () => {
    const own = await newSubmitter()
    const froms = [
      ["ceo@bank.test", "550 5.7.1 email.from_domain_not_verified"],
      ['"hello@acme.test" <x@evil.test>', "550 5.7.1 email.from_domain_not_verified"],
      ["hello@acme.test.evil.test", "550 5.7.1 email.from_domain_not_verified"],
      ["hello@acme.test, b@evil.test", "550 5.6.0 request.invalid: /from "],
      ["hello@acme.test\nFrom: b@evil.test", "550 5.6.0 request.invalid: "],
      ["", "550 5.6.0 request.invalid: /from "],
    ]
    for (const [from = "", answer = ""] of froms)
      expect(await sendAs(own.apiKey, message().replace("Acme <hello@acme.test>", from)), from).toContain(answer)
    expect(await emailsOf(own)).toEqual([])
  })

  test("1,000 recipients are refused as one send, and 1,001 in the session", async () => {
    const own = await newSubmitter()
    const dialogue = await signedIn(lab, own.apiKey)
    await dialogue.say("MAIL FROM:<hello@acme.test>")
    for (let at = 0; at < 1_000; at++) expect(await dialogue.say(`RCPT TO:<r${at}@lovelace.example>`)).toMatch(/^250 /)
    expect(await dialogue.say("RCPT TO:<r1000@lovelace.example>")).toMatch(/^452 /)
    await dialogue.say("DATA")
    dialogue.write(message().replace(/\n/g, "\r\n"))
    expect(await dialogue.say("\r\n.")).toMatch(
      /^550 5\.6\.0 request\.invalid: \/bcc\/\d+ |^550 5\.6\.0 request\.invalid: \/to\/\d+ /,
    )
    expect(await emailsOf(own)).toEqual([])
    dialogue.end()
  })

  test("recipients in a Bcc header are not shown, and get nothing unless the envelope names them", async () => {
    const own = await newSubmitter()
    const raw = message(
      "Bcc: secret@lovelace.example, other@lovelace.example\nReceived: from a by b; today\nSender: x@evil.test\nX-Order: 1\n",
    )
    expect(await sendAs(own.apiKey, raw, [ada, "secret@lovelace.example"])).toMatch(/^250 /)
    const [email] = await emailsOf(own)
    expect(email).toMatchObject({ bcc_headers: ["secret@lovelace.example"], headers: { "X-Order": "1" } })
  })
})

describe("a request for a read receipt", () => {
  test.each([
    ["=?UTF-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@acme.test>", '"Jörg Müller" <joerg@acme.test>'],
    ["=?UTF-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <joerg@acme.test>", '"Müller, Jörg" <joerg@acme.test>'],
    ["joerg@acme.test, <help@acme.test>", "joerg@acme.test, help@acme.test"],
  ])("to %s is accepted with its names", async (written, expected) => {
    const own = await newSubmitter()
    const names = ["Disposition-Notification-To", "Return-Receipt-To"]
    const raw = message(names.map((name) => `${name}: ${written}\n`).join(""))
    expect(await sendAs(own.apiKey, raw), "the reply").toMatch(/^250 /)
    const [email] = await emailsOf(own)
    expect(email?.headers, "the headers that are stored").toEqual(
      Object.fromEntries(names.map((name) => [name, expected])),
    )
  })
})

describe("the reply to a message", () => {
  test("is 451 where the organization has its share of messages under way, in whichever of its projects, and not to others", async () => {
    const narrow = await openLab({ limits: { heldBytesMax: 400_000, organizationBytesMax: 100_000 } })
    const sibling = await newSubmitter()
    await pool().query("UPDATE projects SET organization_id = $2 WHERE id = $1", [
      sibling.projectId,
      world.organizationId,
    ])
    const large = message("", "x\n".repeat(30_000))
    const holding = await signedIn(narrow, world.apiKey)
    await announce(holding, [ada])
    holding.write(large.replace(/\n/g, "\r\n"))
    const answerTo = async (key: string) => {
      const dialogue = await signedIn(narrow, key)
      const answer = await submit(dialogue, [ada], large)
      dialogue.end()
      return answer
    }
    await expect.poll(() => answerTo(sibling.apiKey)).toMatch(/^451 4\.3\.1 /)
    expect(await answerTo((await newSubmitter()).apiKey)).toMatch(/^250 /)
    holding.end()
    await narrow.close()
  })

  test("is 250 while messages of another organization, whose projects are many, take all the time that reading may take", async () => {
    const wide = await openLab({ limits: { messageBytesMax: 2_000_000 } })
    const siblings = await Promise.all(Array.from({ length: 6 }, () => newSubmitter()))
    await pool().query("UPDATE projects SET organization_id = $2 WHERE id = ANY ($1)", [
      siblings.map(({ projectId }) => projectId),
      world.organizationId,
    ])
    const submitTo = async (key: string, raw: string) => {
      const dialogue = await signedIn(wide, key)
      const answer = await submit(dialogue, [ada], raw)
      dialogue.end()
      return answer
    }
    const slow = message("Content-Type: text/plain; format=flowed\n", "a \n".repeat(250_000))
    const others = Promise.all(siblings.map(({ apiKey }) => submitTo(apiKey, slow)))
    await new Promise((resolve) => setTimeout(resolve, 2_000))
    const usual = message("", `${"x".repeat(70)}\n`.repeat(2_000))
    expect(await submitTo((await newSubmitter()).apiKey, usual), "the reply to the other organization").toMatch(/^250 /)
    await others
    await wide.close()
  })

  test("is 552 where it is too large, announced or not", async () => {
    const dialogue = await signedIn(lab, world.apiKey)
    expect(await dialogue.say("MAIL FROM:<hello@acme.test> SIZE=200001")).toMatch(/^552 /)
    expect(await submit(dialogue, [ada], message("", "x\n".repeat(100_000)))).toMatch(/^552 5\.3\.4 /)
    expect(await submit(dialogue, [ada], message())).toMatch(/^250 /)
    dialogue.end()
  })

  test("is 535 where the key is revoked in the middle of the session", async () => {
    const own = await newSubmitter()
    const dialogue = await signedIn(lab, own.apiKey)
    expect(await submit(dialogue, [ada], message())).toMatch(/^250 /)
    await pool().query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [own.keyId])
    await expect.poll(() => submit(dialogue, [ada], message())).toMatch(/^535 5\.7\.8 auth\.\w+: /)
    dialogue.end()
    const later = await encrypted(lab)
    expect(await later.say(`AUTH PLAIN ${plainToken(own.apiKey)}`)).toMatch(/^535 5\.7\.8 /)
    later.end()
  })

  test("is 550 where the key is of a project that has not verified the domain, and none signs in without emails:send", async () => {
    const other = await newSubmitter()
    await pool().query("DELETE FROM domains WHERE project_id = $1", [other.projectId])
    expect(await sendAs(other.apiKey, message())).toMatch(/^550 5\.7\.1 email\.from_domain_not_verified: /)
    const { apiKey } = await newKey(world.projectId, ["emails:read"])
    const dialogue = await encrypted(lab)
    expect(await dialogue.say(`AUTH PLAIN ${plainToken(apiKey)}`)).toMatch(
      /^535 5\.7\.8 auth\.permission_missing: .*emails:send/,
    )
    dialogue.end()
  })

  test("is in the log of the project's requests, also where it never came to the API: why, by which key and from where", async () => {
    const own = await newSubmitter()
    const reader = await newKey(own.projectId, ["emails:read"])
    const dialogue = await encrypted(lab)
    expect(await dialogue.say(`AUTH PLAIN ${plainToken(reader.apiKey)}`)).toMatch(/^535 /)
    dialogue.end()
    expect(await sendAs(own.apiKey, message("X-Mailroom-Category: spam\n"))).toMatch(/^550 /)
    await flushRequests()
    const log = await api("GET /v1/projects/{projectId}/requests", {
      key: own.apiKey,
      params: { projectId: own.project },
    })
    const sent = { method: "POST", route: "/v1/emails", ip: "127.0.0.1" }
    expect(log.json.data).toEqual([
      expect.objectContaining({
        ...{ ...sent, keyId: encodeId("key", own.keyId), statusCode: 400, problemCode: "request.invalid" },
      }),
      expect.objectContaining({
        ...{ ...sent, keyId: encodeId("key", reader.keyId), statusCode: 403, problemCode: "auth.permission_missing" },
      }),
    ])
  })

  test("is 550 of a suspended project, and 451 where the daily quota is used up", async () => {
    const own = await newSubmitter()
    await pool().query("UPDATE projects SET suspended_at = now() WHERE id = $1", [own.projectId])
    await expect.poll(() => sendAs(own.apiKey, message())).toMatch(/^550 5\.7\.1 project\.suspended: /)
    const poor = await newSubmitter()
    await pool().query("UPDATE organizations SET daily_sends = 1 WHERE id = $1", [poor.organizationId])
    expect(await sendAs(poor.apiKey, message())).toMatch(/^250 /)
    expect(await sendAs(poor.apiKey, message())).toMatch(/^451 4\.7\.1 quota\.daily_exceeded: /)
  })

  test("names the field of a header that says what there is not, by the API's pointer", async () => {
    const answers: [string, string][] = [
      ["X-Mailroom-Topic: top_00000000000000000000000000\n", "/topicId "],
      ["X-Mailroom-Category: spam\n", "/sendTimeCategory "],
      ["X-Mailroom-Tags: plan=pro\n", "/tags "],
      ["X-Mailroom-Scheduled-At: yesterday\n", "/scheduledAt "],
      ["X-Mailroom-Unknown: 1\n", "/headers/X-Mailroom-Unknown "],
      ["X-SES-Configuration-Set: a\n", "/headers/X-SES-Configuration-Set "],
      ["Content-Type: multipart/signed; boundary=a\n", "A message that is signed "],
    ]
    for (const [header, pointer] of answers)
      expect(await sendAs(world.apiKey, message(header)), header).toMatch(
        new RegExp(`^550 5\\.6\\.0 request\\.invalid: .*${pointer}`),
      )
  })
})

describe("without a certificate of the operator", () => {
  test("the server encrypts with its own, to loopback alone", async () => {
    const own = await openSubmission({
      ...{ port: 0, tlsPort: 0, listenOn: "127.0.0.1", name: "mailroom.test" },
      send: serve(sendEmail).POST.answer,
    })
    const dialogue = await signedIn(own, world.apiKey)
    expect(await submit(dialogue, [ada], message())).toMatch(/^250 2\.0\.0 email_/)
    dialogue.end()
    await own.close()
  })
})
