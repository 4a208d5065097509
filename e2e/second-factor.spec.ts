import { expect, test, type Page } from "@playwright/test"
import { appCode } from "@/e2e/support/access/authenticator-app"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { admin } from "@/e2e/support/product"
import { signIn } from "@/e2e/support/sample-organization"
import { expectWithin } from "@/e2e/support/within"

const password = "correct horse battery staple"

test("a person signs out one of their browsers and all others, sets up an authenticator app, and signs in with its code and with a recovery code", async ({
  page,
  baseURL,
}) => {
  const { faults } = watch(page)
  const { email, account } = await newPerson()
  let [secret, recoveryCode] = ["", ""]

  await test.step("the list of sessions shows where one is signed in, and ends one and all others", async () => {
    await firstStep(page, email, account)
    const here = page.getByRole("row").filter({ hasText: "This one" })
    await expect(here).toContainText(/Chrome on Windows.*by password/)
    const there = [await signIn(baseURL ?? "", "password", { email, password })]
    await page.reload()
    const unknown = page.getByRole("row").filter({ hasText: "Unknown browser" })
    await unknown.getByRole("button", { name: "Sign out" }).click()
    await expectAccessible(page)
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out" }).click()
    await expect(unknown).toHaveCount(0)
    there.push(await signIn(baseURL ?? "", "password", { email, password }))
    await page.reload()
    await page.getByRole("button", { name: "Sign out all others" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Sign out all others" }).click()
    await expect(unknown).toHaveCount(0)
    await expect(here).toHaveCount(1)
    for (const cookie of there) {
      await expectWithin(5_000, async () => (await fetch(`${baseURL}/v1/session`, { headers: { cookie } })).status, 401)
    }
  })

  await test.step("the app is set up by QR code or secret, and the recovery codes are shown once", async () => {
    await page.getByRole("button", { name: "Set up" }).click()
    const dialog = page.getByRole("dialog")
    await expect(dialog.getByRole("img", { name: "QR code of the secret" })).toBeVisible()
    await expectAccessible(page)
    secret = (await dialog.getByRole("code").first().innerText()).replaceAll(" ", "")
    await dialog.getByRole("textbox", { name: "Code" }).fill("12345")
    await dialog.getByRole("button", { name: "Turn on" }).click()
    await expect(dialog.getByText("Must be the 6 digits that the app shows.")).toBeVisible()
    await dialog.getByRole("textbox", { name: "Code" }).fill(appCode(secret, "setting up"))
    await dialog.getByRole("button", { name: "Turn on" }).click()
    const codes = page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")
    await expect(codes).toHaveCount(10)
    await expectAccessible(page)
    recoveryCode = await codes.first().innerText()
    await page.getByRole("button", { name: "I have stored them" }).click()
    await expect(page.getByText("10 of 10 left")).toBeVisible()
    await expectAccessible(page)
  })

  await test.step("signing in asks for the code in the same page, and refuses a wrong one", async () => {
    await signOut(page)
    await firstStep(page, email, account)
    await page.getByLabel("Code").fill("nonsense")
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect(page.getByText("Incorrect code", { exact: true })).toBeVisible()
    await expectAccessible(page)
    await page.getByLabel("Code").fill(appCode(secret, "signing in"))
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect(page.getByText("10 of 10 left")).toBeVisible()
  })

  await test.step("a recovery code does in place of the app", async () => {
    await signOut(page)
    await firstStep(page, email, account)
    await page.getByLabel("Code").fill(recoveryCode.toUpperCase())
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect(page.getByText("9 of 10 left")).toBeVisible()
  })

  await test.step("the app can be removed again", async () => {
    await page.getByRole("button", { name: "Remove", exact: true }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove app" }).click()
    await expect(page.getByRole("button", { name: "Set up" })).toBeVisible()
  })
  expect(faults).toEqual([])
})

async function newPerson() {
  const email = `factor-${Date.now()}@example.com`
  const people = ["--email", email, "--password", password, "--organization", "Factor", "--project", "Factor"]
  const { projectId } = await admin(process.env.E2E_DATA_DIR ?? "", "bootstrap", ...people, "--region", "eu-west-1")
  return { email, account: `/projects/${String(projectId)}/settings/account` }
}

/** Enters address and password on the sign-in page, which leads on to `wanted` or to the second step. */
async function firstStep(page: Page, email: string, wanted: string) {
  await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(wanted)}`)
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
}

async function signOut(page: Page) {
  await page.context().clearCookies()
}

test("a person adds a passkey, signs in with it without a password and as the second step, renames it and removes it", async ({
  page,
}) => {
  const { faults } = watch(page)
  const { email, account } = await newPerson()
  const devices = await page.context().newCDPSession(page)
  await devices.send("WebAuthn.enable")
  const device = { protocol: "ctap2", transport: "internal", automaticPresenceSimulation: true } as const
  const { authenticatorId } = await devices.send("WebAuthn.addVirtualAuthenticator", {
    options: { ...device, hasResidentKey: true, hasUserVerification: true, isUserVerified: true },
  })
  const passkeys = page.getByRole("list", { name: "Passkeys" }).getByRole("listitem")

  await test.step("it is added under a name, and brings recovery codes", async () => {
    await firstStep(page, email, account)
    await page.getByRole("button", { name: "Add passkey" }).click()
    const dialog = page.getByRole("dialog")
    await expectAccessible(page)
    await dialog.getByLabel("Name").fill("Laptop")
    await dialog.getByRole("button", { name: "Add passkey" }).click()
    await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveCount(10)
    await page.getByRole("button", { name: "I have stored them" }).click()
    await expect(passkeys).toHaveText([/Laptop.*not used yet/])
    await expectAccessible(page)
  })

  await test.step("it signs in by itself, and as the second step after the password", async () => {
    await signOut(page)
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(account)}`)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect(passkeys).toHaveText([/Laptop.*last used/])
    await expect(page.getByRole("row").filter({ hasText: "This one" })).toContainText("with a passkey")
    await signOut(page)
    await firstStep(page, email, account)
    await expect(page.getByLabel("Code")).toBeVisible()
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect(passkeys).toHaveText([/Laptop.*last used/])
  })

  await test.step("a device that cannot tell who holds it says so", async () => {
    await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false })
    await signOut(page)
    await page.goto(`/sign-in?callbackUrl=${encodeURIComponent(account)}`)
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect(page.getByText("No passkey was used")).toBeVisible()
    await expectAccessible(page)
    await devices.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true })
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect(passkeys).toHaveCount(1)
  })

  await test.step("it can be renamed and removed", async () => {
    await page.getByRole("button", { name: "Rename Laptop" }).click()
    await page.getByRole("dialog").getByLabel("Name").fill("Old laptop")
    await page.getByRole("dialog").getByRole("button", { name: "Rename" }).click()
    await page.getByRole("button", { name: "Remove Old laptop" }).click()
    await page.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click()
    await expect(passkeys).toHaveCount(0)
    await signOut(page)
    await page.goto("/sign-in")
    await page.getByRole("button", { name: "Sign in with a passkey" }).click()
    await expect(page.getByText("This passkey does not sign anybody in here")).toBeVisible()
  })
  expect(faults).toEqual([])
})
