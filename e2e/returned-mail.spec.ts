import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { writeToPostmaster } from "@/e2e/support/inbound/postmaster"
import { admin } from "@/e2e/support/product"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, sendEmail } from "@/e2e/support/signed-in"

test("a bounce that comes back by mail is on the email's page with what was read, and its suppression is undone by a click", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("came-back")
  await becomeOwner(context, own)
  const later = "bounced-later+back@simulator.mailroom.test"
  const id = await sendEmail(own, { from: "hello@came-back.test", subject: "Comes back", to: [later] })
  await page.goto(`/projects/${own.projectId}/emails/${id}`)

  const returned = page.getByRole("region", { name: "What came back" })
  await expect(returned.getByText("Delivery report")).toBeVisible({ timeout: 60_000 })
  await expect(returned.getByRole("listitem")).toContainText(/^Bounced/)
  await expect(returned.getByText("Matched by its return path")).toBeVisible()
  await expectAccessible(page)
  const undo = returned.getByRole("button", { name: "Undo suppression" })
  await undo.click()
  await expect(page.getByText(`${later} was removed from the suppression list`)).toBeVisible()
  await expect(undo).toHaveCount(0)
  expect(faults).toEqual([])
})

test("an open page of a delivered email shows the complaint that comes later without a reload, and asks for nothing more then", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("turns")
  await becomeOwner(context, own)
  const asked: string[] = []
  page.on("request", (request) => asked.push(request.url()))
  const reads = (what: string) => asked.filter((url) => url.endsWith(what)).length
  const to = ["complained+later@simulator.mailroom.test"]
  const id = await sendEmail(own, { from: "hello@turns.test", subject: "Turns", to })
  await page.goto(`/projects/${own.projectId}/emails/${id}`)
  const heading = page.getByRole("heading", { name: "Turns" }).locator("..")
  await expect(heading.getByText("Complained", { exact: true })).toBeVisible({ timeout: 60_000 })
  const returned = page.getByRole("region", { name: "What came back" })
  await expect(returned.getByText("Complaint report")).toBeVisible()
  const counts = () => [reads("/returned-mails"), reads("/explanation")]
  let before: number[] = []
  // The complaint may be shown before its event has come, which is read once more.
  await expect(async () => {
    before = counts()
    await page.waitForTimeout(3_000)
    expect(counts()).toEqual(before)
  }).toPass({ timeout: 30_000 })
  await page.waitForTimeout(16_000)
  expect(counts()).toEqual(before)
  expect(faults).toEqual([])
})

test("what the sandbox received from a domain is on the domain's page as a DMARC report that came by mail", async ({
  page,
  context,
}) => {
  test.setTimeout(180_000)
  const { faults } = watch(page)
  const own = await createSampleOrganization("reported")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}/domains/${own.ids.domainId}`)
  const card = page.getByRole("region", { name: "DMARC reports" })
  await card.scrollIntoViewIfNeeded()
  const mail = card.getByRole("list", { name: "DMARC by mail" })
  await expect(mail).toContainText(/Last report .* from simulator\.mailroom\.test/, { timeout: 120_000 })
  await expect(mail.getByText("Sender verified")).toBeVisible()
  await expect(card).toContainText("100%", { timeout: 30_000 })
  await expect(card.getByRole("table", { name: "Sources" }).getByRole("row").nth(1)).toContainText("This service")
  const tls = page.getByRole("region", { name: "TLS reports" })
  await tls.scrollIntoViewIfNeeded()
  await expect(tls.getByText("_smtp._tls.reported.test")).toBeVisible()
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the operator reads what a stranger writes to the postmaster; an owner of a project does not see the page", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("desk")
  await becomeOwner(context, own)
  const settings = `/projects/${own.projectId}/settings`
  await page.goto(settings)
  await expect(page.getByRole("link", { name: "Members", exact: true })).toBeVisible()
  await expect(page.getByRole("link", { name: "Operator mailbox" })).toHaveCount(0)

  expect(await writeToPostmaster("Is this yours?", "We get mail from your address.")).toMatch(/^250 /)
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  await expect(async () => {
    await page.goto(settings)
    await page.getByRole("link", { name: "Operator mailbox" }).click({ timeout: 2_000 })
  }).toPass()
  const row = page.getByRole("row", { name: /Is this yours\?/ })
  await expect(row).toBeVisible({ timeout: 60_000 })
  await expectAccessible(page)
  await row.getByRole("link").click()
  await expect(page.getByText("We get mail from your address.")).toBeVisible()
  await expect(page.getByRole("link", { name: "Reply" })).toHaveAttribute(
    "href",
    "mailto:ada%40lovelace.example?subject=Re%3A%20Is%20this%20yours%3F",
  )
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the operator tests the way back of a region, and sees that the email came back", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("way-back")
  await becomeOwner(context, own)
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const row = page.getByRole("row", { name: /EU \(Ireland\)/ })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/settings/mail`)
    await row.getByRole("button", { name: "Test EU (Ireland)" }).click({ timeout: 2_000 })
  }).toPass()
  await expect(row).toContainText(/Came back in \d+\.\d s/, { timeout: 60_000 })
  const steps = row.getByRole("list", { name: "Steps" }).getByRole("listitem")
  await expect(steps).toHaveText([
    // It may be back before the reply of the sandbox is noted.
    /^Handed to sandbox/,
    /^Reached the listener from 127\.0\.0\.1, \d+\.\d s$/,
    /^(?:Encrypted by STARTTLS|Without TLS)/,
    "Stored, and recognised as this test",
  ])
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the operator sends a test through a relay, reads what it said, and what to do where it refuses", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("relay-test")
  await becomeOwner(context, own)
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const card = page.getByRole("region", { name: "Test the relay" })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/settings/mail`)
    await expect(card).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(card.getByLabel("Send to")).toHaveValue(own.email)
  // The one region of the suite that sends through a relay comes first.
  await expect(card.getByLabel("Region")).toHaveValue("ap-southeast-1")
  await card.getByLabel("Send to").fill("relay-test@lovelace.example")
  await card.getByRole("button", { name: "Send test" }).click()
  const result = card.getByRole("region", { name: "Result" })
  await expect(result).toContainText(/127\.0\.0\.1:\d+ took the email to relay-test@lovelace\.example/)
  await expect(result).toContainText("C: RCPT TO:<relay-test@lovelace.example>")
  await expectAccessible(page)

  await card.getByLabel("Region").selectOption("eu-west-1")
  await card.getByLabel("Send to").fill("bounced@simulator.mailroom.test")
  await card.getByRole("button", { name: "Send test" }).click()
  await expect(result).toContainText(/refused bounced@simulator/)
  await expectAccessible(page)

  const reader = page.getByRole("region", { name: "Read the headers" })
  await reader.getByLabel("Headers").fill(received)
  await reader.getByRole("button", { name: "Read headers" }).click()
  await expect(reader).toContainText("The SPF record of mail.acme.example does not allow 203.0.113.9.")
  await expect(reader.getByRole("list", { name: "Results" }).getByRole("listitem")).toHaveCount(3)
  await expectAccessible(page)
  expect(faults).toEqual([])
})

const received = `Received: from out1.mail.acme.example (out1.mail.acme.example [203.0.113.9])
 by mx.lovelace.example with ESMTPS; Fri, 27 Nov 2026 09:00:09 +0000
Authentication-Results: mx.lovelace.example; dkim=pass header.d=mail.acme.example header.s=mailroom;
 spf=softfail (domain of mail.acme.example does not designate 203.0.113.9 as permitted sender) smtp.mailfrom=postmaster@mail.acme.example;
 dmarc=pass header.from=mail.acme.example
DKIM-Signature: v=1; d=mail.acme.example; s=mailroom; bh=a; b=b
From: postmaster@mail.acme.example
`
