import { execFile, type ExecFileException } from "node:child_process"
import { randomUUID } from "node:crypto"
import { expect, test } from "@playwright/test"
import { expectAccessible, watch } from "@/e2e/support/browser"
import { admin } from "@/e2e/support/product"
import { createSampleOrganization } from "@/e2e/support/sample-organization"
import { becomeOwner, productDatabase } from "@/e2e/support/signed-in"

test("the operator sees what each region that sends to others lacks, and where to change it", async ({
  page,
  context,
}) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("sending-setup")
  await becomeOwner(context, own)
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const address = { region: "eu-west-1", address: "203.0.113.6" }
  const record = { title: "Reverse DNS", place: "hoster", key: "reverse_name", kind: "required", ...address }
  const row = {
    ...{ ...record, state: "wrong", code: "missing", checkedAt: new Date().toISOString() },
    expected: ["203.0.113.6 PTR out1.mail.example"],
    found: [],
    message: "There is no such record. Expected 203.0.113.6 PTR out1.mail.example. Found nothing.",
    fix: "Set the reverse DNS (PTR) of the address to the expected name.",
  }
  const sentence = "eu-west-1 sends directly from 1 address. 1 of 1 rows is red: Reverse DNS of 203.0.113.6."
  let isRed = false
  // The product of this run sends to nobody directly: the answer of an installation that does is played.
  await page.route("**/v1/operator/setup-checks", async (route) =>
    isRed
      ? route.fulfill({
          json: {
            ...(await (await route.fetch()).json()),
            checkedAt: new Date().toISOString(),
            ready: false,
            regions: [{ region: "eu-west-1", transport: "direct", addresses: 1, rows: 1, red: 1, message: sentence }],
            rows: [row],
            zoneFile: "out1.mail.example. 300 IN A 203.0.113.6\n",
          },
        })
      : route.continue(),
  )
  // One of its regions has a relay, and its origin is on this machine.
  const required = page.getByRole("region", { name: "Required" })
  const origin = required.getByRole("listitem").filter({ hasText: "Public origin" })
  await expect(async () => {
    await page.goto(`/projects/${own.projectId}/settings/sending`)
    await expect(origin).toContainText("The origin is not https.", { timeout: 5_000 })
  }).toPass()
  const installation = page.getByRole("region", { name: "Installation" })
  await expect(installation).toContainText(/Versions.*Mailroom \d.*Node\.js \d.*PostgreSQL \d.*schema \d/)
  await expect(installation).toContainText(/Disk.*GiB of .* GiB free/)
  await expect(installation).toContainText(/Region us-east-1/)
  await expect(page.getByRole("region", { name: "Test the relay" })).toBeVisible()
  await expectAccessible(page)

  await origin.getByRole("button", { name: "Override" }).click()
  const dialog = page.getByRole("dialog")
  await dialog.getByLabel("Reason").fill("This machine is for tests.")
  await expectAccessible(page)
  await dialog.getByRole("button", { name: "Override" }).click()
  await expect(origin).toContainText(/Overridden by .*: This machine is for tests\./)
  await origin.getByRole("button", { name: "Take back" }).click()
  await expect(origin).toContainText("The origin is not https.")
  const postmaster = page.getByRole("region", { name: "By hand" }).getByRole("listitem").first()
  await postmaster.getByRole("button", { name: "Mark as done" }).click()
  await expect(postmaster).toContainText(/Done by /)

  isRed = true
  await page.getByRole("button", { name: "Check now" }).click()
  await expect(page.getByText(sentence)).toBeVisible()
  const item = required.getByRole("listitem")
  await expect(item).toContainText("203.0.113.6 PTR out1.mail.example")
  await expect(item).toContainText("At the hoster")
  await expect(page.getByRole("region", { name: "Zone file" })).toContainText("300 IN A 203.0.113.6")
  await expectAccessible(page)
  expect(faults).toEqual([])
})

test("the doctor answers with all rows as JSON, and with exit code 1 until a region that sends is ready", async () => {
  expect(await doctor({})).toMatchObject({ code: 0, report: { ready: true, rows: [] } })
  const { code, report } = await doctor({ SMTP_URL_EU_WEST_1: "direct:", DNS_SERVERS: "127.0.0.1:9" })
  expect({ code, ready: report.ready }).toEqual({ code: 1, ready: false })
  expect(report.regions).toMatchObject([{ region: "eu-west-1", transport: "direct" }])
  const origin = report.rows.find(({ key }) => key === "origin")
  expect(origin).toMatchObject({ kind: "required", state: "wrong", code: "not_https" })
})

test("the bell counts what the operator has not read, and the list marks it as read", async ({ page, context }) => {
  const { faults } = watch(page)
  const own = await createSampleOrganization("notices")
  await becomeOwner(context, own)
  await page.goto(`/projects/${own.projectId}`)
  const bell = page.getByRole("complementary").getByRole("button", { name: /^Notices/ })
  await expect(bell).toHaveAccessibleName("Notices")
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", own.email)
  const client = await productDatabase()
  const facts = {
    key: "service_mx",
    code: "missing",
    expected: ["mail.example MX 10 feedback.mail.example"],
    found: [],
  }
  await client.query("INSERT INTO operator_notices (id, kind, facts) VALUES ($1, 'setup_row_red', $2)", [
    randomUUID(),
    JSON.stringify(facts),
  ])
  await client.end()
  await page.reload()
  await expect(bell).toHaveAccessibleName(/^Notices, \d+ unread$/)
  await page.goto(`/projects/${own.projectId}/settings/notices`)
  const notice = page.getByRole("region", { name: "Notices" }).getByRole("listitem").first()
  await expect(notice).toContainText("Wrong: MX of the service domain")
  await expect(notice).toContainText("Expected mail.example MX 10 feedback.mail.example. Found nothing.")
  await expectAccessible(page)
  await page.getByRole("button", { name: "Mark all as read" }).click()
  await expect(notice).not.toContainText("Unread")
  await expect(bell).toHaveAccessibleName("Notices")
  expect(faults).toEqual([])
})

type Report = { ready: boolean; regions: unknown[]; rows: { key: string }[] }

/** Beside the running product, in its folder and with other settings. */
function doctor(settings: Record<string, string>): Promise<{ code: number; report: Report }> {
  const unset = Object.fromEntries(
    Object.keys(process.env).flatMap((name) => (/^SMTP_URL/.test(name) ? [[name, ""]] : [])),
  )
  const env = { ...process.env, ...unset, DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: process.env.E2E_DATA_DIR }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["lib/cli/launch.mjs", "admin", "doctor", "--json"],
      { env: { ...env, ...settings } },
      (error: ExecFileException | null, stdout) => {
        resolve({ code: Number(error?.code ?? 0), report: JSON.parse(stdout) as Report })
      },
    )
  })
}
