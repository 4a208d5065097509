import { expect, test } from "vitest"
import { createDeliveryClaim } from "@/lib/delivery/queue/claims/data"
import { createSuspects } from "@/lib/delivery/queue/prepare"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { pool } from "@/lib/platform/database/db"

const options = { region: "eu-west-1" as const, limit: 40, leaseMs: 60_000 }

test("of deliveries whose claims ended without a word again and again, one is claimed and the others keep their count", async () => {
  const sender = await newSending()
  const bad = await sendMail(sender, { to: ["a@x.example", "b@x.example", "c@x.example"] })
  const good = await sendMail(sender, { to: ["d@x.example", "e@x.example"] })
  await pool().query(
    "UPDATE deliveries SET unfinished = CASE WHEN email_id = ANY ($1) THEN 3 ELSE 2 END WHERE project_id = $2",
    [bad, sender.projectId],
  )
  await comeDue(sender.projectId)
  const suspects = createSuspects()
  const claim = createDeliveryClaim()

  const first = await suspects.admit(await claim(options))
  expect(
    first
      .map(({ emailId }) => emailId)
      .filter((id) => good.includes(id))
      .sort(),
  ).toEqual(good.sort())
  const [chosen] = first.filter(({ emailId }) => bad.includes(emailId))
  expect(first).toHaveLength(3)
  const { rows } = await pool().query(
    "SELECT unfinished FROM deliveries WHERE email_id = ANY ($1) ORDER BY unfinished",
    [bad],
  )
  expect(rows.map(({ unfinished }) => unfinished)).toEqual([3, 3, 4])

  await comeDue(sender.projectId)
  expect((await suspects.admit(await claim(options))).filter(({ unfinished }) => unfinished > 3)).toEqual([])
  if (chosen) suspects.left(chosen)
  await comeDue(sender.projectId)
  expect((await suspects.admit(await claim(options))).filter(({ unfinished }) => unfinished > 3)).toHaveLength(1)
})

test("one that has been claimed for long no longer holds back the next", async () => {
  const sender = await newSending()
  await sendMail(sender, { to: ["a@x.example", "b@x.example"] })
  await pool().query("UPDATE deliveries SET unfinished = 3 WHERE project_id = $1", [sender.projectId])
  const claim = createDeliveryClaim()
  const suspects = createSuspects(0)
  for (let round = 0; round < 2; round += 1) {
    await comeDue(sender.projectId)
    expect(await suspects.admit(await claim(options))).toHaveLength(1)
  }
})

async function comeDue(projectId: string) {
  await pool().query("UPDATE deliveries SET due_at = now() - interval '1 second' WHERE project_id = $1", [projectId])
}
