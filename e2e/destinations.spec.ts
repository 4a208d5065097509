import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { addDestination } from "@/e2e/support/delivery/sample-destination"
import { admin } from "@/e2e/support/product"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

test("the operator sees a destination that is paused, why, and resumes, pauses and limits it", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("destinations")
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const client = await productDatabase()
  const id = await addDestination(client, "Paused Mail")
  const stored = async (column: string) =>
    (await client.query(`SELECT ${column} AS value FROM delivery_queues WHERE id = $1`, [id])).rows[0]?.value
  await becomeOwner(context, own)

  await page.goto(`/projects/${own.projectId}/settings/destinations`)
  const row = page.getByRole("row").filter({ hasText: "Paused Mail" })
  await expect(row).toBeVisible()
  await expectAccessible(page)
  await row.getByRole("link", { name: "Paused Mail" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Paused Mail" })).toBeVisible()
  await expectAccessible(page)

  const confirm = async (action: string) => {
    await page.getByRole("button", { name: action, exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: action, exact: true }).click()
    await expect(page.getByRole("alertdialog")).toHaveCount(0)
  }
  // A region of the sandbox has nothing to pace, so the worker may have ended the pause before.
  if (await page.getByRole("button", { name: "Resume", exact: true }).isVisible()) await confirm("Resume")
  await confirm("Pause")
  await expect(page.getByText("Paused by you")).toBeVisible()
  expect(await stored("pause")).toBe("operator")
  await expectAccessible(page)
  await confirm("Resume")
  await expect(page.getByText("Flowing")).toBeVisible()

  // It refuses one of our addresses, and mostly because of one project.
  await client.query(
    `WITH address AS (
        INSERT INTO egress_addresses (id, region, address, ehlo_name, pool)
          VALUES (gen_random_uuid(), 'eu-west-1', '203.0.113.90', 'out90.mail.example', 'paused-mail') RETURNING id
      ), pause AS (
        INSERT INTO egress_pauses (queue_id, address_id, until, reply)
          SELECT $1, id, now() + interval '50 minutes', '550 5.7.1 [203.0.113.90] is on our block list' FROM address
      )
      INSERT INTO destination_refusals (queue_id, hour, project_id, count)
        SELECT $1, date_trunc('hour', now()), p.id, CASE WHEN p.id = $2 THEN 412 ELSE 18 END FROM projects p
          WHERE p.id = $2 OR p.id = (SELECT min(id::text)::uuid FROM projects WHERE id <> $2)`,
    [id, decodeId("proj", own.projectId)],
  )
  const refused = page.getByRole("region", { name: "Addresses it refuses" })
  await expect(refused.getByRole("row", { name: /203\.0\.113\.90/ })).toContainText("is on our block list")
  const whose = page.getByRole("region", { name: "Whose email it refuses" })
  await expect(whose).toContainText("412 of 430 replies")
  await expectAccessible(page)
  const isBlocked = async () =>
    (await client.query("SELECT until > now() AS value FROM egress_pauses WHERE queue_id = $1", [id])).rows[0]?.value
  await page.getByRole("button", { name: "Try now" }).click()
  await expect.poll(isBlocked).toBe(false)
  await confirm("Resume")
  await expect(refused).toHaveCount(0)
  expect(await isBlocked()).toBeUndefined()

  await page.getByLabel("Connections at once").fill("0")
  await page.getByRole("button", { name: "Save" }).click()
  await expect(page.getByRole("region", { name: "Limits" })).toContainText(/at least 1|1 or more|from 1|>= ?1/i)
  await page.getByLabel("Connections at once").fill("3")
  await page.getByRole("button", { name: "Save" }).click()
  await expect.poll(() => stored("limits")).toEqual({ connections: 3 })
  await client.end()
  expect(faults).toEqual([])
})
