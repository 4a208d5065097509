import { expect, test, type Page } from "@playwright/test"
import { expectAccessible, overflowPx, watch } from "@/e2e/support/browser"
import { becomeOwner } from "@/e2e/support/signed-in"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { guideNames, headingSlugOf } from "@/lib/docs/guides"
import { regionNames } from "@/lib/regions/regions"

/** Addresses outside the product's own origin that the page asks for. */
function foreignRequests(page: Page, baseURL: string | undefined): string[] {
  const foreign: string[] = []
  page.on("request", (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseURL}/`) && !/^(data|blob):/.test(url)) foreign.push(url)
  })
  return foreign
}

test("the guides are accessible in light and dark and at every width, and ask nothing of another origin", async ({
  page,
  baseURL,
}) => {
  const { faults } = watch(page)
  const foreign = foreignRequests(page, baseURL)
  // The longest code, and the tables; the others have the same parts.
  for (const path of ["/docs", "/docs/webhooks", "/docs/errors"]) {
    await page.goto(path)
    await expectAccessible(page)
  }
  for (const name of [...guideNames, "operating", "hosts"]) {
    await page.goto(`/docs/${name}`)
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible()
  }
  expect(foreign).toEqual([])
  expect(faults).toEqual([])
})

test("the reference leads from its index to an operation with its fields, problems and samples, accessible and without errors", async ({
  page,
  baseURL,
}) => {
  const { faults } = watch(page)
  const foreign = foreignRequests(page, baseURL)
  await page.goto("/docs/reference")
  await expectAccessible(page)
  await page.getByRole("main").getByRole("link", { name: "Send an email", exact: true }).click()
  await expect(page).toHaveURL(/\/docs\/reference\/emails#sendEmail$/)
  const operation = page.getByRole("region", { name: "Send an email", exact: true })
  await expect(operation.getByText("POST /v1/emails", { exact: true })).toBeVisible()
  await expect(operation.getByText("emails:send").first()).toBeVisible()
  const body = operation.getByRole("list", { name: "Body, application/json, Send an email" })
  await expect(body.getByText("attachments[].filename", { exact: true })).toBeVisible()
  await operation.locator("summary", { hasText: "Problems" }).click()
  await expect(operation.getByRole("link", { name: "email.from_domain_not_verified" })).toBeVisible()
  await expect(operation.getByText("Authorization: Bearer $KEY")).toBeVisible()
  await operation.getByRole("tab", { name: "TypeScript" }).click()
  await expect(operation.getByText("Authorization: `Bearer ${process.env.KEY}`")).toBeVisible()
  await expectAccessible(page)
  expect(foreign).toEqual([])
  expect(faults).toEqual([])
})

test("every page of the reference is there, and none scrolls sideways on a phone", async ({ page }) => {
  const { faults } = watch(page)
  await page.setViewportSize({ width: 390, height: 844 })
  const { tags } = (await (await page.request.get("/v1/openapi.json")).json()) as { tags: { name: string }[] }
  for (const { name } of tags) {
    const slug = headingSlugOf(name)
    await page.goto(`/docs/reference/${slug}`)
    await expect(page.getByRole("heading", { level: 1, name, exact: true })).toBeVisible()
    expect(await overflowPx(page), slug).toBeLessThanOrEqual(0)
  }
  expect((await page.goto("/docs/reference/nothing"))?.status()).toBe(404)
  expect(faults.filter((fault) => !fault.includes("404"))).toEqual([])
})

test("a chosen language holds for every sample, and on the pages that come", async ({ page }) => {
  await page.goto("/docs/quickstart")
  await expect(page.getByRole("tab", { name: "curl" })).toHaveAttribute("aria-selected", "true")
  await page.getByRole("tab", { name: "TypeScript" }).click()
  await page.goto("/docs/webhooks")
  await expect(page.getByRole("tab", { name: "TypeScript" })).toHaveAttribute("aria-selected", "true")
  await expect(page.getByText("export function verify(")).toBeVisible()
  // The server has written it so already.
  const html = await (await page.request.get("/docs/webhooks")).text()
  const text = html.replaceAll(/<script[\s\S]*?<\/script>/g, "").replaceAll(/<[^>]*>/g, "")
  expect(text).toContain("timingSafeEqual(given, wanted)")
  expect(text).not.toContain("removeprefix")
  await page.goto("/docs/reference/topics")
  for (const tab of await page.getByRole("tab", { name: "TypeScript" }).all())
    await expect(tab).toHaveAttribute("aria-selected", "true")
})

test("samples are written for the project that the reader chooses, with what its keys may do, and stay so", async ({
  page,
}) => {
  const own = await createSampleOrganization("docs-reader")
  const { ids, cookie, baseUrl } = own
  const made = await fetch(`${baseUrl}/v1/projects`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ name: "Second shop", slug: `docs-${Date.now()}`, region: regionNames[0] }),
  })
  expect(made.status).toBe(201)
  const { id } = (await made.json()) as { id: string }
  await becomeOwner(page.context(), own)
  await page.goto("/docs/contacts")
  await expect(page.getByText(`/v1/projects/${ids.projectId}`).first()).toBeVisible()
  await page.getByRole("combobox", { name: "Samples for" }).selectOption(id)
  await expect(page.getByText(`/v1/projects/${id}`).first()).toBeVisible()
  await expect(page.getByText("No key of the project has them")).toBeVisible()
  await page.goto("/docs/reference/topics")
  await expect(page.getByText(`/v1/projects/${id}/topics`).first()).toBeVisible()
  await expectAccessible(page)
})

test("the search finds a section and an operation by keyboard alone", async ({ page }) => {
  await page.goto("/docs")
  const field = page.getByRole("combobox", { name: "Search the docs" })
  await field.focus()
  await page.keyboard.type("verify signature")
  const results = page.getByRole("listbox", { name: "Results" })
  await expect(results.getByRole("option").first()).toContainText("Verify the signature")
  await page.keyboard.press("Enter")
  await expect(page).toHaveURL(/\/docs\/webhooks#verify-the-signature$/)
  await field.focus()
  await page.keyboard.type("create webhook")
  await page.keyboard.press("ArrowDown")
  await page.keyboard.press("ArrowUp")
  await expect(results.getByRole("option", { selected: true })).toHaveCount(1)
  await expectAccessible(page)
  await page.keyboard.press("Escape")
  await expect(results).toBeHidden()
  await field.fill("nothing of this kind")
  await expect(page.getByRole("status")).toHaveText("Nothing found.")
})

test("on a phone the guides are a list that opens, and no page scrolls sideways", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto("/docs/webhooks")
  await page.getByText("Webhooks", { exact: true }).first().click()
  await page.getByRole("navigation", { name: "Guides" }).getByRole("link", { name: "Limits" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Limits" })).toBeVisible()
  for (const path of ["/docs", "/docs/limits", "/docs/webhooks", "/docs/errors"]) {
    await page.goto(path)
    expect(await overflowPx(page), path).toBeLessThanOrEqual(0)
  }
})

test("problem pages and the dashboard's address lead to the docs, and an unknown guide or problem is not found below their header", async ({
  page,
}) => {
  await page.goto("/problems/request.invalid")
  await expect(page.getByRole("banner").getByRole("link", { name: "Guides" })).toBeVisible()
  await expectAccessible(page)
  await page.getByRole("link", { name: "How errors work" }).click()
  await expect(page.getByRole("heading", { level: 1, name: "Errors" })).toBeVisible()
  for (const [address, title, list] of [
    ["/docs/nothing", "Guide not found", "All guides"],
    ["/problems/nothing.there", "Problem not found", "All problems"],
  ] as const) {
    expect((await page.goto(address))?.status()).toBe(404)
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible()
    await expect(page.getByRole("banner").getByRole("link", { name: "Guides" })).toBeVisible()
    await expect(page.getByRole("link", { name: list })).toBeVisible()
    await expectAccessible(page)
  }
})
