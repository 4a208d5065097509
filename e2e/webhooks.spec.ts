import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, expectLocked, watch } from "@/e2e/support/browser"
import { createSampleOrganization, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase, sendEmail } from "@/e2e/support/signed-in"
import { decodeId } from "@/lib/platform/ids"
import { newReceiver, verified, type Receiver } from "@/e2e/support/webhooks/http-receiver"

let own: SampleOrganization
let receiver: Receiver
let status = 200

const name = `webhooks-${Date.now()}`

test.beforeAll(async () => {
  own = await createSampleOrganization(name)
  receiver = await newReceiver(
    (_, response) => void response.writeHead(status).end(status === 200 ? "taken" : "no order"),
  )
})
test.afterAll(() => receiver.close())

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true })
const got = async (type: string, count: number) => {
  const of = () => receiver.received.filter(({ body }) => (JSON.parse(body) as { type: string }).type === type)
  await expect.poll(() => of().length, { timeout: 20_000 }).toBe(count)
  return of()
}

test("a webhook is created, tested, fails, is replayed, rotated, verified and deleted, all in the browser", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const root = `/projects/${own.projectId}/webhooks`
  const domain = `${name}.test`
  await becomeOwner(context, own)

  await test.step("the list shows what there is", async () => {
    await page.goto(root)
    await expect(page.getByRole("table", { name: "Webhooks" })).toContainText("https://8.8.8.8/hooks")
    await expectAccessible(page)
    await page.getByRole("link", { name: "Create webhook" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Create webhook" })).toBeVisible()
  })

  await test.step("past events show what filters and transformations make of them", async () => {
    const tried = region(page, "Try it on past events")
    await expect(tried).toContainText("It would be sent.")
    await expect(tried).toContainText('"to": "ada@lovelace.example"')
    await page.getByText("email.sent", { exact: true }).click()
    await page.getByRole("button", { name: "Add filter" }).click()
    await page.getByLabel("Value").fill("@nobody.example")
    await expect(tried).toContainText("Filter 1 excludes it. Check data.to in the event.")
    await page.getByLabel("Value").fill("@lovelace.example")
    await page.getByRole("button", { name: "Add transformation" }).click()
    await page.getByLabel("Old field").fill("data.to")
    await page.getByLabel("New field").fill("data.recipient")
    await expect(tried).toContainText('"recipient": "ada@lovelace.example"')
    await expectAccessible(page)
  })

  const first =
    await test.step("a refused URL is said at its field; the secret is shown once, and only its button closes it", async () => {
      await page.getByLabel("Name").fill("Order service")
      await page.getByLabel("Endpoint URL").fill("http://10.0.0.1/hook")
      await page.getByRole("button", { name: "Create webhook" }).click()
      await expect(page.getByText(/must/i).filter({ hasText: "URL" }).first()).toBeVisible()
      await page.getByLabel("Endpoint URL").fill(receiver.url)
      await page.getByRole("button", { name: "Create webhook" }).click()
      return storedSecret(page, "The signing secret")
    })

  await test.step("a test event arrives and verifies", async () => {
    await expect(page.getByRole("heading", { level: 1, name: "Order service" })).toBeVisible()
    await expect(page.getByText("No deliveries yet")).toBeVisible()
    await expect(region(page, "Try it on past events")).toContainText('"recipient": "ada@lovelace.example"')
    await expectAccessible(page)
    await page.getByRole("button", { name: "Send test event" }).click()
    const [received] = await got("webhook.test", 1)
    expect(received && verified(first, received).type).toBe("webhook.test")
    await expect(region(page, "Delivery")).toContainText("webhook.test")
    await expect(region(page, "Delivery")).toContainText("The endpoint answered 200.")
    await expect(region(page, "Response")).toContainText("taken")
  })

  await test.step("a send produces its deliveries, transformed", async () => {
    const emailId = await sendEmail(own, { from: `hello@${domain}`, subject: "An order" })
    const [delivered] = await got("email.delivered", 1)
    await got("email.sent", 1)
    expect(delivered && verified(first, delivered).data).toMatchObject({ emailId, recipient: "ada@lovelace.example" })
    const table = page.getByRole("table", { name: "Deliveries" })
    await expect(table.getByRole("row").filter({ hasText: "email." })).toHaveCount(2, { timeout: 30_000 })
    await table.getByRole("row").filter({ hasText: "email.delivered" }).click()
    await expect(page).toHaveURL(/delivery=whd_/)
    await expect(region(page, "Payload")).toContainText(emailId)
    await expect(region(page, "Health")).toContainText("100%", { timeout: 30_000 })
    await expectAccessible(page)
  })

  await test.step("a failing endpoint shows its attempts and when the next one is", async () => {
    status = 500
    await sendEmail(own, { from: `hello@${domain}`, subject: "Another order" })
    const waiting = page.getByRole("table", { name: "Deliveries" }).getByRole("row").filter({ hasText: "500" })
    await expect(waiting).toHaveCount(2, { timeout: 30_000 })
    await waiting.first().click()
    const attempts = page.getByRole("list", { name: "Attempts" })
    await expect(attempts.getByRole("listitem")).toHaveCount(3, { timeout: 30_000 })
    await expect(attempts).toContainText("The endpoint answered 500.")
    await expect(attempts).toContainText(/next, in \d/)
    await expect(region(page, "Response")).toContainText("no order")
    await page
      .getByRole("group", { name: /^Deliveries by hour/ })
      .getByRole("button")
      .last()
      .click()
    await expect(page).toHaveURL(/hour=\d{4}-\d\d-\d\dT\d\d/)
    await expect(region(page, "Deliveries")).toContainText(/Created from \d\d:00 to \d\d:00 UTC/)
    await page
      .getByRole("group", { name: /^Deliveries by hour/ })
      .getByRole("button")
      .first()
      .click()
    await expect(region(page, "Deliveries")).toContainText("No delivery matches.")
    await page.getByRole("button", { name: "All hours" }).click()
    await page.getByRole("combobox", { name: "Status" }).selectOption("pending")
    await expect(page).toHaveURL(/status=pending/)
    await expect(page.getByRole("table", { name: "Deliveries" }).getByRole("row")).toHaveCount(3)
    await waiting.first().click()
    await expect(page).toHaveURL(/delivery=whd_/)
  })

  await test.step("one is retried now, and a range is counted before it is replayed", async () => {
    // The other one waits longer than this test takes: what is tried by itself meanwhile would be replayed as well.
    const database = await productDatabase()
    await database.query(
      "UPDATE webhook_deliveries SET due_at = now() + interval '1 hour' WHERE project_id = $1 AND status = 'pending'",
      [decodeId("proj", own.projectId)],
    )
    await database.end()
    status = 200
    const before = receiver.received.length
    await region(page, "Delivery").getByRole("button", { name: "Retry now" }).click()
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    await expect(region(page, "Delivery")).toContainText("Delivered")
    await region(page, "Deliveries").getByRole("button", { name: "Replay a range" }).click()
    const dialog = page.getByRole("dialog", { name: "Replay a range" })
    await expect(dialog).toContainText("No event in this range can be replayed.")
    await dialog.getByRole("radio", { name: /^All/ }).check()
    await expect(dialog.getByRole("button", { name: "Replay 3 events" })).toBeEnabled()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Replay 3 events" }).click()
    await expect.poll(() => receiver.received.length, { timeout: 20_000 }).toBe(before + 4)
  })

  await test.step("j and k go through the list, the open delivery follows, Enter goes to it and r replays it", async () => {
    const rows = page.getByRole("table", { name: "Deliveries" }).locator("tbody").getByRole("row")
    // What was replayed comes on top of the list as it was known.
    const fresh = page.waitForResponse(
      (answer) => /\/deliveries(\?|$)/.test(answer.url()) && !answer.url().includes("status="),
    )
    await page.getByRole("combobox", { name: "Status" }).selectOption("")
    const { data } = (await (await fresh).json()) as { data: unknown[] }
    await expect(rows).toHaveCount(data.length)
    await expect(rows.last()).toContainText("webhook.test")
    await page.getByRole("heading", { level: 1 }).click()
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await expect(rows.nth(1)).toBeFocused()
    await expect(rows.nth(1)).toHaveAttribute("aria-current", "true")
    await page.keyboard.press("k")
    await expect(rows.first()).toHaveAttribute("aria-current", "true")
    await page.keyboard.press("Enter")
    await expect(rows.first()).not.toBeFocused()
    await expect(region(page, "Delivery")).toHaveAttribute("aria-busy", "false")
    const before = receiver.received.length
    await page.keyboard.press("r")
    await expect.poll(() => receiver.received.length).toBe(before + 1)
    await expect(region(page, "Delivery").getByRole("button", { name: "Replay" })).toBeEnabled()
  })

  const second = await test.step("after a rotation both secrets verify", async () => {
    await page.getByRole("button", { name: "Rotate secret" }).click()
    const question = page.getByRole("alertdialog")
    await expect(question).toContainText("For 24 hours")
    await question.getByRole("button", { name: "Rotate secret" }).click()
    const secret = await storedSecret(page, "The new signing secret")
    expect(secret).not.toBe(first)
    await expect(region(page, "Signing secret")).toContainText(/2[34] h \d+ min left/)
    await page.getByRole("button", { name: "Send test event" }).click()
    const received = (await got("webhook.test", 2)).at(-1)
    expect(received && [first, secret].map((one) => verified(one, received).type)).toEqual([
      "webhook.test",
      "webhook.test",
    ])
    // The delivery that was open before stays until this one is there.
    await expect(region(page, "Payload")).toContainText(String(received?.headers["webhook-id"]))
    await expect(region(page, "Delivery")).toContainText("The endpoint answered 200.")
    return secret
  })

  await test.step("the verifier says valid, and what was changed", async () => {
    // Its code is loaded when somebody asks for it.
    await region(page, "Verify signatures").getByRole("button", { name: "Show code" }).click()
    await page.getByRole("tab", { name: "Python" }).click()
    await expect(region(page, "Verify signatures")).toContainText("hmac.compare_digest")
    await page.getByRole("button", { name: "Check a request" }).click()
    const dialog = page.getByRole("dialog", { name: "Check a request" })
    await expect(dialog.getByLabel("Headers")).toHaveValue(/webhook-signature: v1,/)
    await dialog.getByLabel("Secret").fill(second)
    await dialog.getByRole("button", { name: "Check", exact: true }).click()
    await expect(dialog.getByRole("heading", { name: "Valid", exact: true })).toBeVisible()
    await dialog.getByLabel("Secret").fill(first)
    await dialog.getByRole("button", { name: "Check", exact: true }).click()
    await expect(dialog).toContainText("this is the old secret")
    await dialog.getByLabel("Body").fill(`${await dialog.getByLabel("Body").inputValue()}\n\n`)
    await dialog.getByRole("button", { name: "Check", exact: true }).click()
    await expect(dialog.getByRole("heading", { name: "The body was changed" })).toBeVisible()
    await expectAccessible(page)
    await page.keyboard.press("Escape")
    await expect(dialog).toBeHidden()
  })

  await test.step("it is edited, paused, and says why it was disabled", async () => {
    await page.getByRole("link", { name: "Edit", exact: true }).click()
    await expect(page.getByLabel("Old field")).toHaveValue("data.to")
    await page.getByLabel("Name").fill("Orders")
    await page.getByRole("button", { name: "Remove filter 1" }).click()
    await page.getByRole("button", { name: "Save changes" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Orders" })).toBeVisible()
    await expect(region(page, "Events")).toContainText("No filters")
    await page.getByRole("button", { name: "Pause" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Pause webhook" }).click()
    await expect(page.getByRole("heading", { name: "This webhook is paused" })).toBeVisible()
    await page.getByRole("button", { name: "Enable" }).click()
    await expect(page.getByRole("heading", { name: "This webhook is paused" })).toBeHidden()
    const id = /whk_[0-9a-z]{26}/.exec(page.url())?.[0]
    const database = await productDatabase()
    await database.query("UPDATE webhooks SET disabled_at = now(), disabled_reason = 'gone' WHERE id = $1", [
      decodeId("whk", id ?? ""),
    ])
    await database.end()
    await page.reload()
    await expect(page.getByText("The endpoint answered 410 Gone").first()).toBeVisible()
    await expectAccessible(page)
  })

  await test.step("it is deleted by its name, and the list says nothing of it", async () => {
    await page.getByRole("button", { name: "Delete webhook" }).click()
    const question = page.getByRole("alertdialog")
    await expect(question.getByRole("button", { name: "Delete webhook" })).toBeDisabled()
    await expectAccessible(page)
    await question.getByRole("textbox").fill("Orders")
    await question.getByRole("button", { name: "Delete webhook" }).click()
    await expect(page).toHaveURL(new RegExp(`${root}$`))
    await expect(page.getByRole("table", { name: "Webhooks" })).not.toContainText(receiver.url)
  })
  expect(faults).toEqual([])
})

/** What the dialog shows, which only its button closes. */
async function storedSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole("dialog", { name: title })
  const secret =
    (await dialog
      .getByText(/^whsec_/)
      .first()
      .textContent()) ?? ""
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  await expectLocked(page, dialog)
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "I have stored it" }).click()
  await expect(dialog).toBeHidden()
  return secret
}
