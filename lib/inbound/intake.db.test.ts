import { beforeAll, describe, expect, test } from "vitest"
import { buildWorker, type WorkerProcess } from "@/e2e/support/chaos/worker-process"
import { size } from "@/e2e/support/chaos/size"
import { newSending, type Sending } from "@/e2e/support/delivery/sending"
import { newDeliveries } from "@/e2e/support/inbound/deliveries"
import { freePort, portsOfMail } from "@/e2e/support/free-port"
import { connected, mail, mailOn, type Dialogue } from "@/e2e/support/inbound/dialogue"
import { bounce } from "@/e2e/support/inbound/returned"
import { verpFor } from "@/lib/delivery/message/proven-ids"
import { perDeliveryMax, storeMails, type InboundMail } from "@/lib/inbound/mails-sql"
import { hmac, sha256 } from "@/lib/platform/crypto"
import { pool } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { newId } from "@/lib/platform/ids"

let sender: Sending

beforeAll(async () => {
  sender = await newSending()
})

const newDelivery = async () => (await newDeliveries(sender, 1))[0]?.id ?? ""

const returnPathOf = (id: string) => `${verpFor(id, hmac)}@${sender.mailFromDomain}`
function returned(deliveryId: string, text = newId()): InboundMail {
  const raw = Buffer.from(
    bounce({ returnPath: returnPathOf(deliveryId), recipient: "ada@lovelace.example", mark: text }),
  )
  return {
    door: "return_path",
    deliveryId,
    mailFrom: "",
    rcptTo: returnPathOf(deliveryId),
    client: "192.0.2.1",
    helo: "mx.example.net",
    digest: sha256(raw).subarray(0, 16),
    raw,
  }
}

async function rowsOf(deliveryIds: readonly string[]) {
  const { rows } = await pool().query<{ delivery_id: string; project_id: string; raw: Buffer; due: boolean }>(
    "SELECT delivery_id, project_id, raw, due_at IS NOT NULL AS due FROM inbound_messages WHERE delivery_id = ANY ($1) ORDER BY id",
    [deliveryIds],
  )
  return rows
}

/** Eight processes store ten mails each; what they answer is what is there. */
async function storeByEightAtOnce(id: string) {
  const groups = Array.from({ length: 8 }, () => storeMails(Array.from({ length: 10 }, () => returned(id))))
  const answers = (await Promise.all(groups)).flat()
  expect(answers.filter((one) => one === "stored")).toHaveLength((await rowsOf([id])).length)
}

describe("the store of returned mail", () => {
  test("keeps a mail byte for byte, for the project of its delivery, and due", async () => {
    const id = await newDelivery()
    const one = { ...returned(id), raw: Buffer.from([0, 255, 13, 10, 128]) }
    expect(await storeMails([one])).toEqual(["stored"])
    expect(await rowsOf([id])).toEqual([{ delivery_id: id, project_id: sender.projectId, raw: one.raw, due: true }])
  })

  test("takes a mail that its sender repeats once, in one commit or in two", async () => {
    const id = await newDelivery()
    const one = returned(id)
    expect(await storeMails([one])).toEqual(["stored"])
    expect(await storeMails([one, returned(id)])).toEqual(["stored", "stored"])
    const twice = returned(id)
    // The second of two equal ones is told to come back, and is recognized then.
    expect(await storeMails([twice, twice])).toContain("stored")
    expect(await storeMails([twice])).toEqual(["stored"])
    expect(await rowsOf([id])).toHaveLength(3)
  })

  test("knows no delivery that does not exist, beside others of the same commit", async () => {
    const id = await newDelivery()
    expect(await storeMails([returned(newId()), returned(id), returned(newId())])).toEqual([
      "unknown",
      "stored",
      "unknown",
    ])
  })

  test(`T108: keeps ${perDeliveryMax} mails of a delivery, however many processes store them at once`, async () => {
    const [id, other] = [await newDelivery(), await newDelivery()]
    await storeByEightAtOnce(id)
    for (let more = 0; more < 5; more++) await storeMails(Array.from({ length: 10 }, () => returned(id)))
    expect(await storeMails([returned(id), returned(other)])).toEqual(["full", "stored"])
    expect(await rowsOf([id])).toHaveLength(perDeliveryMax)
  })

  test("loses no commit to a deadlock, whoever stores mails of one delivery beside it", async () => {
    for (const { id } of await newDeliveries(sender, 20)) await storeByEightAtOnce(id)
  })

  test("answers late, and stores nothing, where others hold what it needs for longer than a statement waits for a lock", async () => {
    const id = await newDelivery()
    const other = await pool().connect()
    await other.query("BEGIN")
    await other.query("LOCK TABLE inbound_messages IN SHARE MODE")
    expect(await storeMails([returned(id), returned(newId())])).toEqual(["late", "late"])
    await other.query("ROLLBACK")
    other.release()
    expect(await rowsOf([id])).toEqual([])
    expect(await storeMails([returned(id)])).toEqual(["stored"])
  })
})

const killed = { mails: size(300, 5_000), kills: size(3, 20), lanes: 8 }

test(
  `G37: of ${killed.mails} bounces from a sender that tries again, while the listener is killed ${killed.kills} times, every one that was answered 250 is stored, once`,
  { timeout: 600_000 },
  async () => {
    const ids = (await newDeliveries(sender, killed.mails)).map(({ id }) => id)
    const built = await buildWorker("inbound-process")
    const port = await freePort()
    const ports = await portsOfMail(port)
    const start = () => built.start({ ...ports, DATABASE_URL: env().databaseUrl, LOG_LEVEL: "warn" })
    let process: WorkerProcess = start()
    const waiting = [...ids]
    const accepted: string[] = []
    let kills = 0
    const every = Math.floor(killed.mails / (killed.kills + 1))

    /** As a mail server: one connection for many mails, and a mail without an answer is sent again. */
    async function lane() {
      let dialogue: Dialogue | undefined
      for (let id = waiting.pop(); id; id = waiting.pop()) {
        dialogue ??= await connected(port)
        const raw = bounce({ returnPath: returnPathOf(id), recipient: "ada@lovelace.example", mark: id })
        const answer = await mailOn(dialogue, returnPathOf(id), raw)
        if (answer.startsWith("250 2.0.0 Stored")) accepted.push(id)
        else {
          waiting.unshift(id)
          dialogue.end()
          dialogue = undefined
        }
        if (accepted.length >= every * (kills + 1) && kills < killed.kills) {
          kills += 1
          await process.end("SIGKILL")
          process = start()
        }
      }
      dialogue?.end()
    }

    try {
      await Promise.all(Array.from({ length: killed.lanes }, lane))
      const rows = await rowsOf(ids)
      expect(kills).toBe(killed.kills)
      expect(new Set(accepted)).toEqual(new Set(ids))
      expect(rows.map(({ delivery_id }) => delivery_id).sort()).toEqual([...ids].sort())
    } finally {
      await process.end("SIGKILL")
      built.remove()
    }
  },
)

test("a listener whose database is away answers 451, and stores again once it is back", async () => {
  const id = await newDelivery()
  const built = await buildWorker("inbound-process")
  const port = await freePort()
  const process = built.start({
    ...(await portsOfMail(port)),
    DATABASE_URL: "postgresql://nobody@127.0.0.1:1/none",
    LOG_LEVEL: "silent",
  })
  try {
    ;(await connected(port)).end()
    expect(await mail(port, returnPathOf(id), "a: b\r\n\r\n")).toMatch(/^451 4\.3\.0 /)
    expect(process.isAlive()).toBe(true)
    expect(await rowsOf([id])).toEqual([])
  } finally {
    await process.end("SIGKILL")
    built.remove()
  }
})
