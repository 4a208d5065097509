import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, beforeAll, expect, test } from "vitest"
import { size } from "@/e2e/support/chaos/size"
import { announce, newSubmitter, openLab, signedIn, submit, type Lab } from "@/e2e/support/submission/clients"
import { newKey, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"

const emails = size(40, 500)
const lanes = 8

let lab: Lab
let world: World
/** A key may ask 300 times a minute, and an email is sent up to three times, with the same key. */
let keys: string[] = []
const keysMax = 10

beforeAll(async () => {
  lab = await openLab()
  world = await newSubmitter()
  const made = Array.from({ length: keysMax }, () => newKey(world.projectId, ["emails:send"]))
  keys = (await Promise.all(made)).map(({ apiKey }) => apiKey)
  await pool().query("UPDATE projects SET per_second_sends = 1000 WHERE id = $1", [world.projectId])
})
afterAll(() => lab.close())

const messageOf = (id: string, body = "Hi") =>
  `From: hello@acme.test\r\nTo: ada@lovelace.example\r\nSubject: ${id}\r\nMessage-ID: <${id}@client.example>\r\n\r\n${body}\r\n`

/** The places at which the connection breaks; a client that reads no reply sends again. */
const cuts = ["within the message", "before the dot", "after the dot", "later after the dot"] as const

async function cutOff(id: string, cut: (typeof cuts)[number], key = world.apiKey): Promise<void> {
  const dialogue = await signedIn(lab, key)
  expect(await announce(dialogue, ["ada@lovelace.example"])).toMatch(/^354 /)
  const message = messageOf(id)
  const sent = { "within the message": message.slice(0, -6), "before the dot": message }
  dialogue.write(cut in sent ? sent[cut as keyof typeof sent] : `${message}.\r\n`)
  // What is written has left before the socket ends; the server is then anywhere between the dot and its reply.
  await sleep(Math.random() * (cut === "later after the dot" ? 40 : 4))
  dialogue.end()
}

async function subjects(): Promise<string[]> {
  const { rows } = await pool().query("SELECT subject FROM emails WHERE project_id = $1 ORDER BY id", [world.projectId])
  return rows.map((row: { subject: string }) => row.subject)
}

test(
  `${emails} emails whose connection breaks at random around the dot, and which are sent again until the reply arrives, are ${emails} emails`,
  { timeout: 600_000 },
  async () => {
    const ids = Array.from({ length: emails }, (_, at) => `email-${at}`)
    const waiting = [...ids]
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        for (let id = waiting.pop(); id; id = waiting.pop()) {
          const key = keys[waiting.length % keysMax] ?? ""
          for (let left = Math.floor(Math.random() * 3); left > 0; left--)
            await cutOff(id, cuts[Math.floor(Math.random() * cuts.length)] ?? "after the dot", key)
          const dialogue = await signedIn(lab, key)
          await expect
            .poll(() => submit(dialogue, ["ada@lovelace.example"], messageOf(id)))
            .toMatch(/^250 2\.0\.0 email_/)
          dialogue.end()
        }
      }),
    )
    expect((await subjects()).toSorted()).toEqual(ids.toSorted())
  },
)

test("a message that is sent again is answered as before, also after other content; other recipients, senders or keys make another email", async () => {
  const dialogue = await signedIn(lab, world.apiKey)
  const to = ["ada@lovelace.example", "bob@lovelace.example"]
  const first = await submit(dialogue, to, messageOf("again"))
  expect(first).toMatch(/^250 2\.0\.0 email_/)
  expect(await submit(dialogue, to.toReversed(), messageOf("again"))).toBe(first)
  expect(await submit(dialogue, to, messageOf("again", "Written anew"))).toBe(first)
  const others = [
    await submit(dialogue, to.slice(1), messageOf("again")),
    await submit(dialogue, to, messageOf("once")),
  ]
  dialogue.end()
  const { apiKey } = await newKey(world.projectId, ["emails:send"])
  const other = await signedIn(lab, apiKey)
  others.push(await submit(other, to, messageOf("again")))
  other.end()
  expect(new Set([first, ...others]).size).toBe(4)
})

test("a message that ends with its connection, before the dot, is no email", async () => {
  const before = (await subjects()).length
  await cutOff("cut", "within the message")
  await cutOff("cut", "before the dot")
  const dialogue = await signedIn(lab, world.apiKey)
  expect(await submit(dialogue, ["ada@lovelace.example"], messageOf("after"))).toMatch(/^250 /)
  dialogue.end()
  expect((await subjects()).slice(before)).toEqual(["after"])
})
