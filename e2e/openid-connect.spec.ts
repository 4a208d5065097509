import { expect, test } from "@playwright/test"
import type { Claimed, Misdeed } from "@/e2e/support/access/identity-provider"
import { expectAccessible } from "@/e2e/support/browser"
import { createSampleOrganization } from "@/e2e/support/sample-organization"

test("a person signs in by the installation's own identity provider, and the sign-in page says when it refuses or is silent", async ({
  page,
}) => {
  const { email, projectId } = await createSampleOrganization("openid")
  const account = `/projects/${projectId}/settings/account`
  const button = page.getByRole("button", { name: "Continue with Acme ID" })
  const person = { subject: `openid-${Date.now()}`, email, verified: true }

  await test.step("an address that the provider has not verified is refused", async () => {
    await next({ ...person, verified: false })
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(account)}`)
    await expectAccessible(page)
    await button.click()
    await expect(page.getByText(/No account or invite matches the verified email address/)).toBeVisible()
    await expectAccessible(page)
  })

  await test.step("a provider that does not answer is named as the reason", async () => {
    await next(person, "silent")
    await button.click()
    await expect(page.getByText(/The identity provider did not answer/)).toBeVisible()
  })

  await test.step("the person gets to the page that they wanted, and the session has the provider's name", async () => {
    await next(person)
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(account)}`)
    await button.click()
    await expect(page).toHaveURL(new RegExp(`${account}$`))
    await expect(page.getByRole("row").filter({ hasText: "This one" })).toContainText("with Acme ID")
  })
})

/** Sets who comes to the provider next, and what it does wrong. */
async function next(person: Claimed, misdeed?: Misdeed) {
  const body = JSON.stringify({ person, misdeed })
  const answer = await fetch(`${process.env.E2E_IDENTITY_URL}/next`, { method: "PUT", body })
  expect(answer.ok).toBe(true)
}
