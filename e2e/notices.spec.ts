import { randomUUID } from "node:crypto"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"

/** As the worker records it when an endpoint answers 410. */
async function addNotice({ projectId, ids }: SampleOrganization, webhook: string) {
  const client = await productDatabase()
  await client.query(
    "INSERT INTO notices (id, project_id, kind, facts, page) VALUES ($1, $2, 'webhook-disabled', $3, $4)",
    [
      randomUUID(),
      decodeId("proj", projectId),
      JSON.stringify({ webhook, host: "hooks.example.com", reason: "gone" }),
      `webhooks/${ids.webhookId}`,
    ],
  )
  await client.end()
}

test("the bell counts unread notices, opens them and leads to what they are about, and is calm once they are read", async ({
  page,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("bell")
  await becomeOwner(page.context(), own)
  await page.goto(`/projects/${own.projectId}/settings`)
  const bell = page.getByRole("complementary").getByRole("button", { name: /^Notices/ })
  await bell.click()
  const dialog = page.getByRole("dialog", { name: "Notices" })
  await expect(dialog.getByText("Nothing needs you.")).toBeVisible()
  await page.keyboard.press("Escape")

  await addNotice(own, "Orders")
  await page.reload()
  await expect(bell).toHaveAccessibleName("Notices, 1 unread")
  await bell.click()
  const notice = dialog.getByRole("listitem").first()
  await expect(notice).toContainText("Webhook Orders is disabled")
  await expect(notice).toContainText("because it answered 410 Gone")
  await expect(notice).toContainText("Unread")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Mark all as read" }).click()
  await expect(notice).not.toContainText("Unread")
  await notice.getByRole("link", { name: "Webhook Orders is disabled" }).click()
  await expect(page).toHaveURL(new RegExp(`/webhooks/${own.ids.webhookId}$`))
  await expect(dialog).toBeHidden()
  await expect(bell).toHaveAccessibleName("Notices")
  expect(faults).toEqual([])
})

test("notices that cannot be marked as read for want of a connection say so, and stay unread", async ({ page }) => {
  const own = await createSampleOrganization("unmarked")
  await becomeOwner(page.context(), own)
  await addNotice(own, "Orders")
  await page.goto(`/projects/${own.projectId}/settings`)
  await page
    .getByRole("complementary")
    .getByRole("button", { name: /^Notices/ })
    .click()
  const dialog = page.getByRole("dialog", { name: "Notices" })
  await expect(dialog.getByRole("listitem").first()).toContainText("Unread")
  // What is loaded with the first touch is there.
  await expect(page.locator("main [data-ways]")).toBeAttached()
  await page.context().setOffline(true)
  await dialog.getByRole("button", { name: "Mark all as read" }).click()
  await expect(page.getByText("The notices were not marked as read")).toBeVisible()
  await page.context().setOffline(false)
  await expect(dialog.getByRole("listitem").first()).toContainText("Unread")
})

test("a chat is set, tested and removed in the settings, which say how the last post went", async ({ page }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("chat")
  await becomeOwner(page.context(), own)
  let status = 200
  const bodies: string[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      bodies.push(Buffer.concat(chunks).toString())
      response.writeHead(status).end()
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  try {
    await page.goto(`/projects/${own.projectId}/settings`)
    const card = page.getByRole("region", { name: "Notices in a chat" })
    await card.getByLabel("Webhook URL").fill(`http://127.0.0.1:${port}/services/secret`)
    await card.getByRole("button", { name: "Save URL" }).click()
    await expect(card.getByText(`Posted to 127.0.0.1:${port}`)).toBeVisible()
    await card.getByRole("button", { name: "Send a test" }).click()
    await expect(card.getByText("Last post taken")).toBeVisible()
    expect(JSON.parse(bodies[0] ?? "{}").text).toContain("*A test*")
    // A notice comes by itself.
    await addNotice(own, "Orders")
    await expect.poll(() => bodies.length, { timeout: 20_000 }).toBe(2)
    expect(JSON.parse(bodies[1] ?? "{}").text).toContain("*Webhook Orders is disabled*")
    status = 410
    await card.getByRole("button", { name: "Send a test" }).click()
    await expect(card.getByText("It answered 410.")).toBeVisible()
    await expectAccessible(page)
    expect(await page.content()).not.toContain("services/secret")
    await card.getByRole("button", { name: "Remove" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove chat" }).click()
    await expect(card.getByText(/^Posted to/)).toHaveCount(0)
  } finally {
    server.close()
    server.closeAllConnections()
  }
  expect(faults).toEqual([])
})
