import { existsSync, readdirSync, readFileSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { readReturnedMail } from "@/lib/returns/read-returned-mail"
import { outcomeFor } from "@/lib/returns/recipient-outcome"
import type { ReturnedMail } from "@/lib/returns/returned-mail"

/** Debian's python3-flufl.bounce: 115 mails that mailing lists got back between 2000 and 2020. LGPL, read where it is. */
const corpus = "/usr/lib/python3/dist-packages/flufl/bounce"
const folder = `${corpus}/tests/data`
const isThere = existsSync(folder)

/** Two that its authors do not judge, and two that are no bounces. */
const judgedHere = new Map([
  ["bounce_01.txt", "failed"],
  ["dumbass_01.txt", "failed"],
  ["groupwise_03.txt", "personal"],
  ["qmail_08.txt", "automatic_answer"],
])

/** In these the server itself says that a mailbox is missing or disabled. Read by hand. */
const namesMissingMailbox =
  "dsn_11 dsn_12 dsn_14 exim_01 groupwise_01 groupwise_02 microsoft_01 postfix_01 qmail_03 qmail_04 qmail_05 simple_05 simple_06 simple_15 simple_19 simple_23 simple_29 simple_30 simple_33 simple_34 simple_36 simple_39 smtp32_04 smtp32_06 yahoo_10 yahoo_11 yahoo_13"
    .split(" ")
    .map((name) => `${name}.txt`)

/** What its authors expect of each file: the action, and the recipients that they find. */
function expectations(): Map<string, { action: string; addresses: string[] }> {
  const found = new Map<string, { action: string; addresses: string[] }>()
  const table = readFileSync(`${corpus}/testing/helpers.py`, "utf8")
  for (const [, file = "", list = "", late] of table.matchAll(/\('\w+', '(\w+\.txt)',\s*\[([^\]]*)\](, True)?\)/g)) {
    const addresses = [...list.matchAll(/b'([^']+)'/g)].map(([, address = ""]) => address.toLowerCase())
    if (addresses.length > 0 || !found.has(file)) found.set(file, { action: late ? "delayed" : "failed", addresses })
  }
  for (const [file, action] of judgedHere) found.set(file, { action, addresses: [] })
  return found
}

/** Bounces come from the null sender; the two others from whoever wrote them. */
function read(file: string): ReturnedMail {
  const mailFrom = ["personal", "automatic_answer"].includes(judgedHere.get(file) ?? "") ? "someone@example.com" : ""
  return readReturnedMail(readFileSync(`${folder}/${file}`), {
    door: "return_path",
    mailFrom,
    rcptTo: "b@send.acme.test",
  })
}

function actionOf(mail: ReturnedMail): string {
  if (mail.kind !== "delivery_status") return mail.kind
  return [...new Set(mail.recipients.map(({ action }) => action))].join(" and ")
}

const files = isThere ? readdirSync(folder).filter((name) => name.endsWith(".txt")) : []

describe.skipIf(!isThere)("Debian's corpus of bounces (apt-get install python3-flufl.bounce)", () => {
  test("is read with the right action in at least 113 of 115 mails, and names the recipients in 110", () => {
    const expected = expectations()
    const wrong = files.filter((file) => actionOf(read(file)) !== expected.get(file)?.action)
    const unnamed = files.filter((file) => {
      const mail = read(file)
      const got = mail.kind === "delivery_status" ? mail.recipients.flatMap(({ addresses }) => addresses) : []
      const lower = got.map((address) => address.toLowerCase())
      return !expected.get(file)?.addresses.every((address) => lower.includes(address))
    })
    process.stdout.write(
      `figures: ${files.length - wrong.length} of ${files.length} returned mails read by action, ${files.length - unnamed.length} by recipient\n`,
    )
    expect(files.length).toBe(115)
    expect(wrong.length, `read with another action: ${wrong.join(", ")}`).toBeLessThanOrEqual(2)
    expect(unnamed.length, `recipients not named: ${unnamed.join(", ")}`).toBeLessThanOrEqual(5)
  })

  test("has no hard bounce but where the server's words name a missing or disabled mailbox", () => {
    const hard = files.filter((file) => {
      const mail = read(file)
      if (mail.kind !== "delivery_status") return false
      return mail.recipients.some(({ address }) => {
        const ours = {
          recipient: address ?? "ada@example.com",
          returnPath: "b@send.acme.test",
          route: "exists" as const,
        }
        const outcome = outcomeFor(mail, ours)
        return outcome.kind === "failed" && outcome.bounceType === "hard"
      })
    })
    expect(hard.filter((file) => !namesMissingMailbox.includes(file))).toEqual([])
    expect(hard.length).toBeGreaterThanOrEqual(25)
  })

  test("never suppresses a recipient that a mail does not name", () => {
    const ours = {
      recipient: "someone.else@lovelace.example",
      returnPath: "b@send.acme.test",
      route: "exists" as const,
    }
    for (const file of files) {
      const mail = read(file)
      if (mail.kind !== "delivery_status") continue
      expect(outcomeFor(mail, ours), file).not.toMatchObject({ bounceType: "hard" })
    }
  })
})
