import { afterEach, beforeAll, expect, test } from "vitest"
import {
  attemptRows,
  deliverDue,
  emailRow,
  newSending,
  passWait,
  relayAt,
  sendMail,
  type Sending,
} from "@/e2e/support/delivery/sending"
import { faultServer, type Faults, type FaultServer } from "@/e2e/support/delivery/fault-server"
import type { Relays } from "@/lib/delivery/regions/relays"

// The failure of one message affects no other, and every attempt is counted.

let sender: Sending
let server: FaultServer
let relays: Relays

beforeAll(async () => {
  sender = await newSending()
})

afterEach(async () => {
  await relays.close()
  await server.close()
})

async function relay(faults: Faults) {
  server = await faultServer(faults)
  relays = relayAt(server.port, "delivered=accept&connections=1")
}

const outcomesOf = async (emailId: string) =>
  (await attemptRows(emailId)).map(({ outcome, phase }) => `${outcome} ${phase}`)

test("of two mails, one with its connection dropped in DATA: that one is deferred once, the other delivered, then both are", async () => {
  await relay({ DATA: (socket, count) => (count === 1 ? void socket.destroy() : "354 go on") })
  const ids = [
    ...(await sendMail(sender, { to: ["one@x.example"] })),
    ...(await sendMail(sender, { to: ["two@x.example"] })),
  ]
  await deliverDue(relays)
  expect((await Promise.all(ids.map(outcomesOf))).flat().sort()).toEqual(["accepted final", "deferred data"])
  for (const id of ids) await passWait(id)
  await deliverDue(relays)
  expect((await Promise.all(ids.map(outcomesOf))).map((one) => one.join()).sort()).toEqual([
    "accepted final",
    "deferred data,accepted final",
  ])
  expect(server.messages).toHaveLength(2)
  for (const id of ids) expect(await emailRow(id)).toMatchObject({ status: "delivered" })
})

test("of five recipients three with 452: only those three are retried", async () => {
  const full = ["b@x.example", "c@x.example", "e@x.example"]
  const refuses = () => full.includes(lastRecipient()) && asked(lastRecipient()) === 1
  await relay({
    RCPT: () => (refuses() ? "452 4.2.2 mailbox full" : "250 ok"),
    DATA: () => (refuses() ? "503 no recipient" : "354 go on"),
  })
  const to = ["a", "b", "c", "d", "e"].map((name) => `${name}@x.example`)
  const ids = await sendMail(sender, { to })
  const statuses = async () => (await Promise.all(ids.map(emailRow))).map(({ status }) => status)
  await deliverDue(relays)
  expect(await statuses()).toEqual(["delivered", "sending", "sending", "delivered", "sending"])
  for (const id of ids) await passWait(id)
  await deliverDue(relays)
  expect(await statuses()).toEqual(Array(5).fill("delivered"))
  expect(to.map((address) => [address[0], asked(address)])).toEqual([
    ["a", 1],
    ["b", 2],
    ["c", 2],
    ["d", 1],
    ["e", 2],
  ])
  expect(server.messages).toHaveLength(5)
})

test("an email is `sending` while its server takes long, and then has its outcome", async () => {
  let answer = () => {}
  await relay({ DOT: (socket) => void (answer = () => void socket.write("250 ok\r\n")) })
  const [id = ""] = await sendMail(sender, { to: ["slow@x.example"] })
  const delivering = deliverDue(relays)
  await expect.poll(async () => (await emailRow(id)).status, { timeout: 10_000 }).toBe("sending")
  answer()
  await delivering
  expect(await emailRow(id)).toMatchObject({ status: "delivered" })
})

function lastRecipient(): string {
  const line = server.received.findLast((one) => one.startsWith("RCPT")) ?? ""
  return /<(.*)>/.exec(line)?.[1] ?? ""
}

function asked(address: string): number {
  return server.received.filter((line) => line === `RCPT TO:<${address}>`).length
}
