import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { mail } from "@/e2e/support/inbound/dialogue"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

test("a test address is made, takes a reply, and the page shows what the person wrote and which email it answers", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("inbound")
  await becomeOwner(context, own)
  const ask = async (path: string) =>
    (await fetch(`${own.baseUrl}/v1${path}`, { headers: { authorization: `Bearer ${own.apiKey}` } })).json()
  const port = Number(process.env.E2E_INBOUND_PORT)
  await page.goto(`/projects/${own.projectId}/emails`)
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Inbound" }).click()
  const routes = page.getByRole("table", { name: "Routes" })
  await expect(routes).toContainText("Works at once")
  await expect(page.getByText("No email yet")).toBeVisible()
  await expectAccessible(page)

  const { data } = await ask(`/projects/${own.projectId}/inbound-routes`)
  const sent = await ask(`/emails/${own.ids.emailId}`)
  const raw = [
    ...["From: Ada Lovelace <ada@lovelace.example>", `To: ${data[0].address}`, "Subject: Re: Your receipt"],
    ...[`In-Reply-To: ${sent.messageId}`, "Content-Type: multipart/mixed; boundary=b", ""],
    ...["--b", "Content-Type: text/plain", "", "Thank you, it arrived.", ""],
    ...["On Fri, 27 Nov 2026 at 12:00, Acme wrote:", "> Thank you.", ""],
    ...[
      "--b",
      "Content-Type: text/html",
      "Content-Disposition: attachment; filename=page.html",
      "",
      "<script>1</script>",
    ],
    ...["--b--", ""],
  ].join("\r\n")
  expect(await mail(port, data[0].address, raw, "ada@lovelace.example")).toMatch(/^250/)
  await page.getByRole("table", { name: "Received email" }).getByRole("link", { name: "Ada Lovelace" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Re: Your receipt" })).toBeVisible()
  await expect(page.getByRole("tabpanel")).toHaveText(/^Thank you, it arrived\.$/)
  await expect(page.getByRole("region", { name: "Attachments" })).toContainText("page.html")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Deliver again" }).click()
  await expect(page.getByText("The email was not delivered")).toBeVisible()

  await page.getByRole("link", { name: own.ids.emailId ?? "" }).click()
  const replies = page.getByRole("region", { name: "Replies" })
  await expect(replies).toContainText("from Ada Lovelace")
  await expectAccessible(page)
  // The browser says so of every answer that is refused.
  expect(faults.filter((fault) => !fault.includes("409"))).toEqual([])
})

test("a route of one's own domain shows the MX record it needs, is changed and deleted", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("routes")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/inbound`)
  await page.getByRole("button", { name: "Create route" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Domain").fill("other.test")
  await dialog.getByRole("button", { name: "Create route" }).click()
  await expect(dialog.getByText("Must be a verified domain of this project, or a name below one.")).toBeVisible()
  await dialog.getByLabel("Domain").fill("reply.routes.test")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Create route" }).click()
  await expect(page.getByRole("heading", { level: 1 })).toContainText("reply+*@reply.routes.test")
  const record = page.getByRole("region", { name: "MX record" })
  await expect(record).toContainText("feedback.eu-west-1.")
  const settings = page.getByRole("region", { name: "Settings" })
  await settings.getByLabel("Keep for (days)").fill("90")
  await expectAccessible(page)
  await settings.getByRole("button", { name: "Save" }).click()
  await expect(page.getByText("Saved")).toBeVisible()
  const address = page.url()

  // Of a webhook that does not get the event any more, too.
  const asked = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${own.apiKey}`, "content-type": "application/json" }
    const url = `${own.baseUrl}/v1/projects/${own.projectId}${path}`
    const answer = await fetch(url, { method, headers, body: JSON.stringify(body) })
    expect(answer.ok, `${method} ${path}`).toBe(true)
  }
  const hook = `/webhooks/${own.ids.endpointId}`
  await asked("PATCH", hook, { events: ["email.received"] })
  await asked("PATCH", `/inbound-routes/${address.split("/").at(-1)}`, { webhookId: own.ids.endpointId })
  await page.reload()
  await expect(settings.getByLabel("Webhook")).toHaveValue(own.ids.endpointId ?? "")
  await asked("PATCH", hook, { events: ["email.delivered"] })
  await page.reload()
  await expect(settings.getByLabel("Webhook"), "the webhook that is stored").toHaveValue(own.ids.endpointId ?? "")
  await expect(settings.getByLabel("Webhook")).toContainText("not subscribed to email.received")

  await page.goto(`/projects/${own.projectId}/domains/${own.ids.domainId}`)
  const ofDomain = page.getByRole("region", { name: "MX record of reply.routes.test" })
  await expect(ofDomain).toContainText("Missing")
  await expect(ofDomain).toContainText("reply.routes.test has no MX record. Publish the one shown here.")
  await expect(ofDomain).toContainText("feedback.eu-west-1.")
  await expectAccessible(page)
  await ofDomain.getByRole("link", { name: "reply+*@reply.routes.test" }).click()
  await page.waitForURL(address)
  await page.getByRole("button", { name: "Delete route" }).click()
  await page.getByRole("alertdialog").getByRole("textbox").fill("reply+*@reply.routes.test")
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete route" }).click()
  await expect(page.getByText("reply+*@reply.routes.test was deleted")).toBeVisible()
  await expect(page.getByRole("table", { name: "Routes" })).not.toContainText("reply.routes.test")
  expect(faults.filter((fault) => !fault.includes("400"))).toEqual([])
})
