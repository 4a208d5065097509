import { expect, test, type Page } from "@playwright/test"
import { expectWithin } from "@/e2e/support/within"
import { expectAccessible, expectLocked, watch } from "@/e2e/support/browser"
import { admin } from "@/e2e/support/product"
import { linkTo } from "@/e2e/support/relay"

const password = "correct horse battery staple"

test("an owner invites, the invited joins in a browser of their own, may what the role may and no more, and is out within 5 s of removal", async ({
  page,
  browser,
}) => {
  test.setTimeout(300_000)
  const { faults } = watch(page)
  const [owner, guest] = [`people-${Date.now()}@example.com`, `guest-${Date.now()}@example.com`]
  const made = await admin(
    process.env.E2E_DATA_DIR ?? "",
    "bootstrap",
    "--email",
    owner,
    "--password",
    password,
    "--organization",
    "People",
    "--project",
    "Newsletters",
    "--region",
    "eu-west-1",
  )
  const project = `/projects/${String(made.projectId)}`

  await test.step("the owner signs in and finds the members", async () => {
    await signIn(page, owner)
    const members = page.getByRole("menuitem", { name: "Members and invites" })
    // Right after signing in the page may still be waking up, and a press before that opens nothing.
    await expect(async () => {
      if (!(await members.isVisible()))
        await page
          .getByRole("button", { name: /Switch project/ })
          .first()
          .click()
      await members.click({ timeout: 2_000 })
    }).toPass()
    await expect(page.getByRole("heading", { name: "1 member of People" })).toBeVisible()
    // What OIDC_ROLES and the operator's commands ask for.
    await expect(page.getByRole("region", { name: "Organization ID" }).getByRole("code")).toHaveText(
      String(made.organizationId),
    )
    await expectAccessible(page)
  })

  const link = await test.step("the owner invites a developer and gets the link to pass on", async () => {
    // As an installation without a mail server answers: with the link that was sent by email here.
    let url = ""
    await page.route("**/invites", async (route) => {
      const answer = await route.fetch()
      if (route.request().method() !== "POST" || answer.status() !== 201) return route.fulfill({ response: answer })
      const earlier = url
      await expect
        .poll(async () => (url = (await linkTo(guest, /You are invited to People/)).href), "the link of this email")
        .not.toBe(earlier)
      await route.fulfill({ response: answer, json: { ...(await answer.json()), mailed: false, url } })
    })
    await page.getByRole("button", { name: "Invite" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByLabel("Email address").fill("not an address")
    await dialog.getByRole("button", { name: "Send invite" }).click()
    await expect(dialog.getByText("Must be one email address.")).toBeVisible()
    await dialog.getByLabel("Email address").fill(guest.toUpperCase())
    await dialog.getByRole("button", { name: "Send invite" }).click()
    const shown = dialog.getByText(/\/invite\?token=/)
    await expect(shown).toBeVisible()
    await expectAccessible(page)
    const address = ((await shown.textContent()) ?? "").trim()
    // The link is gone with the press, not a moment later.
    const left = await dialog.getByRole("button", { name: "Done" }).evaluate(async (done: HTMLElement) => {
      done.click()
      await Promise.resolve()
      return document.body.innerHTML
    })
    expect(left).not.toContain("/invite?token=")
    await expect(page.getByRole("table", { name: "Pending invites" })).toContainText(guest)
    expect(await page.content()).not.toContain(address)
    await expectAccessible(page)

    const again = page.getByRole("button", { name: `Send the invite to ${guest} again` })
    await again.click()
    const renewed = page.getByRole("dialog", { name: "Pass the new link on" })
    const now = renewed.getByText(/\/invite\?token=/)
    await expect(now, "the link that is in place of the first").toBeVisible()
    const last = ((await now.textContent()) ?? "").trim()
    expect(last).not.toBe(address)
    await renewed.getByRole("button", { name: "Done" }).click()
    await expect(again, "the button that was pressed").toBeFocused()
    return last
  })

  const context = await browser.newContext()
  const theirs = await context.newPage()
  const seen = watch(theirs)

  await test.step("opening the link accepts nothing; name and password do", async () => {
    await theirs.goto(link)
    await theirs.reload()
    await expect(theirs.getByRole("heading", { level: 1, name: "Join People" })).toBeVisible()
    await expect(theirs.getByLabel("Email address")).toHaveValue(guest)
    await expectAccessible(theirs)
    await theirs.getByLabel("Your name").fill("Ada Lovelace")
    await theirs.getByLabel("Password").fill(password)
    await theirs.getByRole("button", { name: "Create account and join" }).click()
    await expect(theirs).toHaveURL(new RegExp(`${project}$`))
  })

  await test.step("the link is used up", async () => {
    const again = await (await browser.newContext()).newPage()
    await again.goto(link)
    await expect(again.getByRole("heading", { name: "This invite is not valid" })).toBeVisible()
    await again.context().close()
  })

  await test.step("a developer makes keys and sees the members without managing them", async () => {
    await theirs.goto(`${project}/api-keys`)
    await expect(theirs.getByRole("button", { name: "Create key" }).first()).toBeVisible()
    await theirs.goto(`${project}/settings/members`)
    await expect(theirs.getByRole("heading", { name: "2 members of People" })).toBeVisible()
    await expect(theirs.getByRole("button", { name: "Invite" })).toHaveCount(0)
    await expect(theirs.getByRole("combobox")).toHaveCount(0)
    await expect(theirs.getByRole("button", { name: /^Remove/ })).toHaveCount(0)
    await expectAccessible(theirs)
  })

  await test.step("made a viewer, they see no button that would be refused, and the server refuses the call", async () => {
    await page.reload()
    await page.getByLabel("Role of Ada Lovelace").selectOption("viewer")
    await page.getByRole("alertdialog").getByRole("button", { name: "Change role" }).click()
    await expect(page.getByText("Ada Lovelace is now viewer")).toBeVisible()
    await expect(page.getByLabel("Role of Ada Lovelace")).toHaveValue("viewer")
    await theirs.goto(`${project}/api-keys`)
    await expect(theirs.getByRole("heading", { level: 1, name: "API keys" })).toBeVisible()
    await expect(theirs.getByRole("button", { name: "Create key" })).toHaveCount(0)
    await theirs.goto(`${project}/emails`)
    await expect(theirs.getByRole("heading", { level: 1, name: "Emails" })).toBeVisible()
    await expect(theirs.getByRole("link", { name: "Compose" })).toHaveCount(0)
    await theirs.goto(`${project}/domains`)
    await expect(theirs.getByRole("heading", { level: 1, name: "Domains" })).toBeVisible()
    await expect(theirs.getByRole("button", { name: "Add domain" })).toHaveCount(0)
    // An empty page says what it is for, without a command that would be refused.
    for (const [path, title] of [
      ["topics", "No topics yet"],
      ["webhooks", "Let your application know what happens"],
      ["suppressions", "No suppressed addresses"],
    ] as const) {
      await theirs.goto(`${project}/${path}`)
      await expect(theirs.getByText(title)).toBeVisible()
      await expect(theirs.getByText("curl")).toHaveCount(0)
    }
    expect(await post(theirs, `/v1${project}/domains`, { domain: "viewer.test", region: "eu-west-1" })).toBe(403)
    expect(await post(theirs, `/v1${project}/invites`, { email: "x@example.com", role: "viewer" })).toBe(403)
  })

  await test.step("removed, they are out within 5 s", async () => {
    await page.getByRole("button", { name: "Remove Ada Lovelace" }).click()
    const dialog = page.getByRole("alertdialog")
    await expect(dialog).toContainText("within seconds")
    await dialog.getByRole("button", { name: "Remove member" }).click()
    await expect(page.getByRole("heading", { name: "1 member of People" })).toBeVisible()
    const status = () => theirs.evaluate(async () => (await fetch("/v1/session")).status)
    await expectWithin(5_000, status, 401)
    // Each web process remembers a session for up to five seconds.
    await expect(async () => {
      await theirs.goto(project)
      await expect(theirs.getByRole("heading", { level: 1, name: "Sign in" })).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 20_000 })
  })

  await test.step("the owner renames the organization, and its name follows everywhere at once", async () => {
    await page.goto(`${project}/settings/members`)
    const settings = page.getByRole("navigation", { name: "Settings" })
    await expect(settings.getByRole("group", { name: "Organization" }).getByRole("link")).toHaveText(["Members"])
    await expect(settings.getByRole("group", { name: "Project" }).getByRole("link")).toHaveText(["General", "SMTP"])
    const name = page.getByLabel("Name", { exact: true })
    await name.fill("")
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.getByText("Enter a name.")).toBeVisible()
    await name.fill("Good People")
    await expectAccessible(page)
    await page.getByRole("button", { name: "Save" }).click()
    await expect(page.getByRole("heading", { name: "1 member of Good People" })).toBeVisible()
    await expect(page.getByRole("button", { name: /Switch project/ }).first()).toContainText("Good People")
    await expect(page.getByText("Not saved yet.")).toHaveCount(0)
    await page.getByRole("button", { name: "Invite" }).click()
    await expect(page.getByRole("dialog")).toContainText("Good People")
    await page.keyboard.press("Escape")
    await page.goto(`${project}/settings/account`)
    await expect(page.getByRole("main")).toContainText("Good People")
  })

  await test.step("a key is rotated, with its password again when the sign-in is old", async () => {
    await page.goto(`${project}/api-keys`)
    await page.getByRole("link", { name: "bootstrap" }).click()
    await page.getByRole("button", { name: "Rotate" }).click()
    const dialog = page.getByRole("dialog")
    await expectAccessible(page)
    // The first answer is the one that a session of yesterday gets.
    await page.route(
      "**/rotate",
      (route) => route.fulfill({ status: 403, contentType: "application/problem+json", body: refusal }),
      { times: 1 },
    )
    await dialog.getByRole("button", { name: "Rotate key" }).click()
    const confirm = page.getByRole("dialog", { name: "Confirm your identity" })
    await confirm.getByLabel("Your password").fill("not the password")
    await confirm.getByRole("button", { name: "Confirm" }).click()
    await expect(confirm.getByText(/Incorrect password/)).toBeVisible()
    await expectAccessible(page)
    await confirm.getByLabel("Your password").fill(password)
    await confirm.getByRole("button", { name: "Confirm" }).click()
    await expect(dialog.getByText(/^mr_live_[0-9A-Za-z]{38}$/)).toBeVisible()
    await expectLocked(page, dialog)
    await dialog.getByRole("button", { name: "I have stored it" }).click()
    await expect(
      page.getByText("in 24 hours").or(page.getByText("in 1 day")).or(page.getByText("tomorrow")).first(),
    ).toBeVisible()
  })

  await test.step("rotated without an overlap, the old key ends and the new one is still shown", async () => {
    // The key that has just been replaced cannot be rotated once more: its replacement is, the newest in the list.
    await page.goto(`${project}/api-keys`)
    await page.getByRole("link", { name: "bootstrap" }).first().click()
    await page.getByRole("button", { name: "Rotate" }).click()
    const dialog = page.getByRole("dialog")
    await dialog.getByRole("radio", { name: /^None/ }).check()
    await dialog.getByRole("button", { name: "Rotate key" }).click()
    await expect(dialog.getByText(/^mr_live_[0-9A-Za-z]{38}$/)).toBeVisible()
    await expect(page.getByText("Revoked", { exact: true })).toBeVisible()
    await expect(dialog.getByText(/^mr_live_[0-9A-Za-z]{38}$/)).toBeVisible()
    await dialog.getByRole("button", { name: "I have stored it" }).click()
    await expect(page.getByRole("button", { name: "Rotate" })).toHaveCount(0)
  })

  await test.step("a second project is made from the switcher, on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByRole("button", { name: "Open menu" }).click()
    await page
      .getByRole("dialog", { name: "Menu" })
      .getByRole("button", { name: /Switch project/ })
      .click()
    await page.getByRole("menuitem", { name: "New project" }).click()
    const dialog = page.getByRole("dialog", { name: "New project" })
    await dialog.getByLabel("Name").fill("Parcel post")
    await expect(dialog.getByLabel("Slug")).toHaveValue("parcel-post")
    await dialog.getByLabel("Home region").selectOption("us-east-1")
    await expectAccessible(page)
    await dialog.getByRole("button", { name: "Create project" }).click()
    await expect(page.getByRole("banner").getByText("Parcel post")).toBeVisible()
    expect(page.url()).not.toContain(project)
  })

  await context.close()
  expect([...faults, ...seen.faults]).toEqual([])
})

const refusal = JSON.stringify({
  type: "about:blank",
  title: "Confirm your identity",
  status: 403,
  code: "auth.confirmation_required",
  detail: "Confirm.",
})

async function signIn(page: Page, email: string) {
  await page.goto("/sign-in")
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(password)
  await page.getByRole("button", { name: "Sign in", exact: true }).click()
  await expect(page).toHaveURL(/\/projects\//)
}

function post(page: Page, path: string, body: unknown): Promise<number> {
  return page.evaluate(
    async ([address, json]) =>
      (await fetch(address, { method: "POST", headers: { "Content-Type": "application/json" }, body: json })).status,
    [path, JSON.stringify(body)] as const,
  )
}
