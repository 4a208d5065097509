import { expect, test } from "@playwright/test"
import { appCode } from "@/e2e/support/access/authenticator-app"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { createSampleOrganization, inviteSomebody, type SampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner } from "@/e2e/support/signed-in"

const password = "correct horse battery staple"

test("an owner requires two-factor authentication, and a member is led to set it up before they see the projects again", async ({
  page,
  context,
  browser,
}) => {
  const own = await createSampleOrganization("required")
  await becomeOwner(context, own)
  const member = await (await browser.newContext()).newPage()
  const watched = [watch(page), watch(member)]
  const project = `/projects/${own.projectId}`

  await test.step("a member has a page of the project open", async () => {
    await member.goto((await inviteSomebody(own, `required-${Date.now()}@example.com`)).href)
    await member.getByLabel("Your name").fill("Ada Lovelace")
    await member.getByLabel("Password").fill(password)
    await member.getByRole("button", { name: "Create account and join" }).click()
    await member.waitForURL(`**${project}`)
    await member.goto(`${project}/suppressions`)
  })

  const dialog = page.getByRole("alertdialog")
  await test.step("an owner without a second factor would lock themself out, and cannot require one", async () => {
    await page.goto(`${project}/settings/members`)
    await page.getByRole("button", { name: "Require it" }).click()
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Require it" }).click()
    await expect(dialog.getByText("You would lock yourself out.")).toBeVisible()
  })

  await test.step("an owner who has one requires it, and the log says so", async () => {
    await setUpApp(own)
    await dialog.getByRole("button", { name: "Require it" }).click()
    await expect(page.getByRole("heading", { name: "Two-factor authentication is required" })).toBeVisible()
    await expectAccessible(page)
    await page.goto(`${project}/logs/audit`)
    await expect(page.getByText("changed whether members need a second factor").first()).toBeVisible()
  })

  await test.step("the member's next press leads to the set-up, and from there to where they wanted", async () => {
    const status = () => member.evaluate(async (path) => (await fetch(`/v1${path}`)).status, project)
    await expect.poll(status).toBe(403)
    await member.getByRole("link", { name: "Topics" }).first().click()
    await expect(member.getByRole("heading", { name: "Set up two-factor authentication" })).toBeVisible()
    await expectAccessible(member)
    await expect(member.getByRole("button", { name: "Continue" })).toBeDisabled()
    await member.getByRole("button", { name: "Set up" }).click()
    const setUp = member.getByRole("dialog")
    const secret = (await setUp.getByRole("code").first().innerText()).replaceAll(" ", "")
    await setUp.getByRole("textbox", { name: "Code" }).fill(appCode(secret, "setting up"))
    await setUp.getByRole("button", { name: "Turn on" }).click()
    await member.getByRole("button", { name: "I have stored them" }).click()
    await member.getByRole("button", { name: "Continue" }).click()
    await expect(member.getByRole("heading", { level: 1, name: "Topics" })).toBeVisible()
  })
  expect(watched.flatMap(({ faults }) => faults)).toEqual([])
})

/** Sets up an authenticator app for the owner, as the account page does. */
async function setUpApp({ baseUrl, cookie }: SampleOrganization) {
  const post = async (path: string, body?: unknown) => {
    const headers = { cookie, "sec-fetch-site": "same-origin", "content-type": "application/json" }
    const answer = await fetch(`${baseUrl}/v1/session/${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`The app was not set up: ${await answer.text()}`)
    return (await answer.json()) as { secret: string }
  }
  const { secret } = await post("totp")
  await post("totp/confirm", { code: appCode(secret, "setting up") })
}
