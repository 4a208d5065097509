import { expect, test, type Page } from "@playwright/test"
import { expectWithin } from "@/e2e/support/within"
import { expectAccessible, takenOver, watch } from "@/e2e/support/browser"
import { inviteSomebody, signIn } from "@/e2e/support/sample-organization"
import { admin } from "@/e2e/support/product"
import { linkTo } from "@/e2e/support/relay"

const password = "correct horse battery staple"
const newPassword = "an entirely different sentence"

test("a person with an account joins by an invite through a mailed link, gives themselves a name and a password, and signs out everywhere", async ({
  page,
  baseURL,
}) => {
  const { faults } = watch(page)
  const [email, other] = [`account-${Date.now()}@example.com`, `elsewhere-${Date.now()}@example.com`]
  const [own = "", elsewhere = ""] = await Promise.all([found(email, "Account"), found(other, "Elsewhere")])

  await test.step("the sign-in page offers what is configured, and says no to a wrong password in plain words", async () => {
    await page.goto("/sign-in")
    await expect(page.getByRole("button", { name: "Continue with GitHub" })).toBeVisible()
    await expect(page.getByRole("button", { name: "Continue with Google" })).toHaveCount(0)
    await page.getByLabel("Email address").fill(email)
    await page.getByLabel("Password").fill("not the password")
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect(page.getByText("Incorrect email or password")).toBeVisible()
    await expect(page.getByLabel("Password")).toHaveValue("")
    await expectAccessible(page)
    await page.goto("/sign-in?refused")
    await expect(page.getByText("No account or invite matches the verified email address")).toBeVisible()
  })

  await test.step("an invite leads by the link in an email to joining", async () => {
    const inviter = { baseUrl: baseURL ?? "", projectId: elsewhere, cookie: await cookieOf(other, password) }
    await page.goto((await inviteSomebody(inviter, email)).href)
    await expect(page.getByRole("heading", { level: 1, name: "Join Elsewhere" })).toBeVisible()
    await page.getByRole("button", { name: "Email me a sign-in link" }).click()
    await expect(page.getByLabel("Email address")).toHaveValue(email)
    await page.getByRole("button", { name: "Email me a link" }).click()
    await expect(page.getByText("Check your email")).toBeVisible()
    await expectAccessible(page)

    await page.goto((await linkTo(email, /sign-in link/)).href)
    await expect(page.getByRole("heading", { level: 1, name: "Sign in by link" })).toBeVisible()
    await expectAccessible(page)
    await page.getByRole("button", { name: "Sign in", exact: true }).click()
    await expect(page.getByRole("button", { name: "Join Elsewhere" })).toBeVisible()
    await takenOver(page, "main button")
    await page.getByRole("button", { name: "Join Elsewhere" }).click()
    await expect(page).toHaveURL(/\/projects\//)
    const { organizations } = await page.evaluate(async () => (await fetch("/v1/session")).json())
    expect(organizations.map(({ name }: { name: string }) => name).sort()).toEqual(["Account", "Elsewhere"])
  })

  await test.step("they give themselves a name, and the shell has it at once", async () => {
    await page.goto(`/projects/${own}/settings/account`)
    const name = page.getByLabel("Your name")
    await expect(name).toHaveValue("")
    await name.fill("   ")
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.getByText("Must not be empty.")).toBeVisible()
    await expectAccessible(page)
    await name.fill("Ada Lovelace")
    await page.getByRole("button", { name: "Save" }).click()
    await expect(accountMenu(page, "Ada Lovelace")).toBeVisible()
    await page.reload()
    await expect(name).toHaveValue("Ada Lovelace")
  })

  await test.step("a new password needs no old one after a link, and ends the session elsewhere", async () => {
    const before = await cookieOf(email, password)
    expect(await statusOf(before)).toBe(200)
    await expect(page.getByLabel("Current password")).toHaveCount(0)
    await page.getByLabel("New password").fill("too short")
    await page.getByRole("button", { name: "Change password" }).click()
    await expect(page.getByText("Must have at least 12 characters.")).toBeVisible()
    await page.getByLabel("New password").fill(newPassword)
    await page.getByRole("button", { name: "Change password" }).click()
    await expect(page.getByText("Your password is changed")).toBeVisible()
    await expectWithin(5_000, () => statusOf(before), 401)
    await expect(cookieOf(email, password)).rejects.toThrow("auth.sign_in_refused")
  })

  await test.step("signed out everywhere, they are out here and there", async () => {
    const there = await cookieOf(email, newPassword)
    await page.getByRole("button", { name: "Sign out everywhere" }).click()
    const dialog = page.getByRole("alertdialog")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Sign out everywhere" }).click()
    await expect(page.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible()
    for (const cookie of [there, cookiesOf(await page.context().cookies())]) {
      await expectWithin(5_000, () => statusOf(cookie), 401)
    }
  })
  expect(faults).toEqual([])

  async function statusOf(cookie: string): Promise<number> {
    return (await fetch(`${baseURL}/v1/session`, { headers: { cookie } })).status
  }

  function cookieOf(address: string, secret: string): Promise<string> {
    return signIn(baseURL ?? "", "password", { email: address, password: secret })
  }
})

/** An organization of that name; the id of its project. */
async function found(email: string, organization: string): Promise<string> {
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    "bootstrap",
    "--email",
    email,
    "--password",
    password,
    "--organization",
    organization,
    "--project",
    organization,
    "--region",
    "eu-west-1",
  )
  return String(made.projectId)
}

function accountMenu(page: Page, name: string) {
  return page
    .getByRole("button", { name: `Account of ${name}` })
    .filter({ visible: true })
    .first()
}

function cookiesOf(cookies: { name: string; value: string }[]): string {
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
}
