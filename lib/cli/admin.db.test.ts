import { expectProblem } from "@/e2e/support/expect-problem"
import { randomUUID } from "node:crypto"
import { describe, expect, test } from "vitest"
import { newSending, sendMail } from "@/e2e/support/delivery/sending"
import { api, newSession, newWorld } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { decodeId, encodeId, newId } from "@/lib/platform/ids"
import { ProjectLimits } from "@/lib/projects/schema"
import { adminCommands } from "@/lib/cli/admin-commands"

describe("the operator's commands", () => {
  test("bootstrap makes an owner, an organization, a project and a key that may do everything", async () => {
    const made = await bootstrap()
    expect(made.organizationId).toMatch(/^org_/)
    const { status, json } = await api("GET /v1/projects/{projectId}", {
      key: made.apiKey,
      params: { projectId: made.projectId },
    })
    expect({ status, name: json.name, region: json.region }).toEqual({
      status: 200,
      name: "Main project",
      region: "eu-west-1",
    })
  })

  test("bootstrap refuses an address that has an account", async () => {
    const { email } = await bootstrap()
    await expect(bootstrap(email)).rejects.toMatchObject({ code: "user.already_exists" })
  })

  test("create-key gives what is asked for, beyond the project's limit of keys", async () => {
    const world = await newWorld()
    await pool().query("UPDATE projects SET max_api_keys = 1 WHERE id = $1", [world.projectId])
    const made = await run("create-key", "--project", world.project, "--permissions", "projects:read,usage:read")
    const keyId = made.keyId as string
    const { json } = await api("GET /v1/projects/{projectId}/api-keys/{keyId}", {
      key: made.apiKey as string,
      params: { projectId: world.project, keyId },
    })
    expect(json.permissions).toEqual({ usage: ["read"], projects: ["read"] })
  })

  test("create-project takes a name that is there already, under a slug of its own", async () => {
    const world = await newWorld()
    const organization = encodeId("org", world.organizationId)
    const flags = ["--organization", organization, "--name", "Shop", "--region", "us-east-1"]
    const projects = [await run("create-project", ...flags), await run("create-project", ...flags)]
    expect(new Set(projects.map(({ projectId }) => projectId)).size).toBe(2)
    const { rows } = await pool().query(
      "SELECT slug FROM projects WHERE organization_id = $1 AND name = 'Shop' ORDER BY id",
      [world.organizationId],
    )
    expect(rows.map(({ slug }) => slug)).toEqual(["shop", "shop-2"])
  })

  test("set-limits moves limit and ceiling, entitle opens other regions; both are in the audit log", async () => {
    const world = await newWorld()
    await run("set-limits", "--project", world.project, "--per-second", "50", "--per-day", "900000")
    await run("entitle", "--organization", encodeId("org", world.organizationId), "--multi-region", "true")
    const { json } = await api("GET /v1/projects/{projectId}/settings", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(json.limits).toMatchObject({
      perSecondSends: { value: 50, ceiling: 50 },
      dailySends: { value: 900000, ceiling: 900000, used: 0 },
    })
    const { rows } = await pool().query(
      "SELECT action FROM audit_entries WHERE organization_id = $1 AND actor_kind = 'operator' ORDER BY id",
      [world.organizationId],
    )
    expect(rows.map(({ action }) => action)).toEqual(["project.limits_set", "organization.entitled"])
  })

  test("with the highest rate that set-limits takes, a project sends and its settings are shown", async () => {
    const sender = await newSending()
    await run("set-limits", "--project", sender.project, "--per-second", "999999999")
    expect(await sendMail(sender)).toHaveLength(1)
    const { status, json } = await api("GET /v1/projects/{projectId}/settings", {
      key: sender.apiKey,
      params: { projectId: sender.project },
    })
    expect({ status, perSecondSends: json.limits?.perSecondSends.value, burst: json.burst }).toEqual({
      status: 200,
      perSecondSends: 999_999_999,
      burst: { size: 2 ** 31 - 1, used: expect.any(Number) },
    })
  })

  test("egress adds, lists, pauses, resumes and removes an address, and assigns a project a pool", async () => {
    const world = await newWorld()
    await pool().query("UPDATE users SET operator_since = now() WHERE id = $1", [world.userId])
    const address = `198.51.100.${1 + (Number.parseInt(newId().slice(-4), 16) % 250)}`
    const at = ["--region", "us-east-1"]
    const added = await run("egress", "add", address, "--ehlo", "Out1.Mail.example", ...at, "--warm-up", "2999-01-01")
    const own = { region: "us-east-1", pool: "default", address, ehloName: "out1.mail.example" }
    expect(added).toMatchObject({ ...own, paused: false, warmUp: { day: 1, on: "2999-01-01" } })
    await expect(run("egress", "add", address, "--ehlo", "out1.mail.example", ...at)).rejects.toMatchObject({
      code: "egress_address.already_exists",
    })
    expect(await run("egress", "pause", address, ...at)).toMatchObject({ paused: true })
    expect(await run("egress", "resume", address)).toMatchObject({ paused: false })
    expect((await run("egress", "list")).addresses).toContainEqual(added)
    expect(await run("egress", "remove", address)).toMatchObject({ id: added.id, removed: true })
    await expect(run("egress", "remove", address)).rejects.toMatchObject({ code: "egress_address.not_found" })
    await run("egress", "assign", "--project", world.project, "--pool", "news")
    const { rows } = await pool().query(
      "SELECT action FROM audit_entries WHERE organization_id = $1 AND actor_kind = 'operator' ORDER BY id",
      [world.organizationId],
    )
    expect(rows.map(({ action }) => action)).toEqual([
      "egress_address.added",
      "egress_address.changed",
      "egress_address.changed",
      "egress_address.removed",
      "project.pool_set",
    ])
  })

  test.each([
    ["an address that is none", ["add", "203.0.113", "--ehlo", "out.mail.example", "--region", "us-east-1"]],
    ["a name of one part", ["add", "203.0.113.9", "--ehlo", "out", "--region", "us-east-1"]],
    [
      "a warm-up in the past",
      ["add", "203.0.113.9", "--ehlo", "o.x.example", "--region", "us-east-1", "--warm-up", "2020-01-01"],
    ],
    [
      "a date that is none",
      ["add", "203.0.113.9", "--ehlo", "o.x.example", "--region", "us-east-1", "--warm-up", "2026-02-30"],
    ],
    ["no region while none sends directly", ["add", "203.0.113.9", "--ehlo", "out.mail.example"]],
    ["an unknown command", ["rename", "203.0.113.9"]],
  ])("egress refuses %s", async (_, args) => {
    await expect(run("egress", ...args)).rejects.toMatchObject({ code: "admin.usage" })
  })

  test("set-limits moves what a project may store and how many projects its organization may own", async () => {
    const world = await newWorld()
    await run("set-limits", "--project", world.project, "--stored-gib", "50", "--projects", "1")
    const { json } = await api("GET /v1/projects/{projectId}/settings", {
      key: world.apiKey,
      params: { projectId: world.project },
    })
    expect(json.storage).toEqual({ usedBytes: 0, limitBytes: 50 * 2 ** 30 })
    const body = { name: "Second", slug: "second", region: "eu-west-1" }
    const refused = await api("POST /v1/projects", { cookie: await newSession(world.userId), body })
    expectProblem(refused, 403, "project.limit_reached")
    await run("set-limits", "--project", world.project, "--projects", "2")
    expect((await api("POST /v1/projects", { cookie: await newSession(world.userId), body })).status).toBe(201)
  })

  test("set-limits raises each limit that a problem names, by the problem's name or the flag's", async () => {
    const world = await newWorld()
    const params = { projectId: world.project }
    const settings = async () =>
      (await api("GET /v1/projects/{projectId}/settings", { key: world.apiKey, params })).json.limits as Record<
        string,
        { value: number; ceiling: number }
      >
    const cookie = await newSession(world.userId)
    const named = Object.keys(ProjectLimits.shape)
    expect(named).toEqual(
      expect.arrayContaining(["maxDomains", "maxWebhooks", "maxApiKeys", "maxRecipientsPerMessage"]),
    )
    for (const [index, name] of named.entries()) {
      const limits = Object.entries(await settings()).map(([other, { value }]) => [other, value])
      const body = { limits: { ...Object.fromEntries(limits), [name]: 1_000_000 } }
      const { json } = await api("PATCH /v1/projects/{projectId}", { cookie, params, body })
      expect(json.errors[0].pointer).toBe(`/limits/${name}`)
      const [, flag = ""] = /set-limits --([a-z-]+)\.$/.exec(json.errors[0].detail) ?? []
      await run("set-limits", "--project", world.project, `--${flag}`, String(2_000 + index))
      expect((await settings())[name]).toMatchObject({ value: 2_000 + index, ceiling: 2_000 + index })
      await run("set-limits", "--project", world.project, `--${name}`, String(3_000 + index))
      expect((await settings())[name]).toMatchObject({ value: 3_000 + index, ceiling: 3_000 + index })
    }
    await expect(run("set-limits", "--project", world.project)).rejects.toMatchObject({ code: "admin.usage" })
  })

  test("service-dns prints the record of the key with which system mail is signed, the same each time", async () => {
    const first = await run("service-dns")
    expect(first).toEqual({
      records: [
        {
          purpose: "dkim",
          type: "TXT",
          name: "mailroom._domainkey.mailroom.test",
          value: expect.stringMatching(/^v=DKIM1; k=rsa; p=MII[\w+/]+=*$/),
        },
      ],
    })
    expect(await run("service-dns")).toEqual(first)
    expect(await run("undelivered-mail")).toEqual({ mails: [] })
  })

  test("operator makes a user run the installation, at once and in the audit log, and never takes away the last one", async () => {
    await pool().query("UPDATE users SET operator_since = NULL")
    const { email, organizationId } = await bootstrap()
    const other = await bootstrap()
    expect(await run("operator", "--email", email)).toEqual({ email, operator: true, changed: true })
    expect(await run("operator", "--email", email)).toEqual({ email, operator: true, changed: false })
    await expect(run("operator", "--email", email, "--remove", "yes")).rejects.toMatchObject({ code: "operator.last" })
    await run("operator", "--email", other.email)
    expect(await run("operator", "--email", email, "--remove", "yes")).toMatchObject({ operator: false, changed: true })
    const { rows } = await pool().query(
      "SELECT action FROM audit_entries WHERE organization_id = $1 AND action LIKE 'operator.%' ORDER BY id",
      [decodeId("org", organizationId)],
    )
    expect(rows.map(({ action }) => action)).toEqual(["operator.added", "operator.removed"])
  })

  test("sign-in-link makes a link into an account, which the audit log of its organizations says, without the link", async () => {
    const { email, organizationId } = await bootstrap()
    const { url } = await run("sign-in-link", "--email", email)
    const { rows } = await pool().query(
      "SELECT actor_kind, changes FROM audit_entries WHERE organization_id = $1 AND action = 'user.sign_in_link_created'",
      [decodeId("org", organizationId)],
    )
    expect(rows).toEqual([{ actor_kind: "operator", changes: { targetName: email } }])
    expect(JSON.stringify(rows)).not.toContain(new URL(String(url)).searchParams.get("token"))
  })

  test.each([
    ["create-key", ["--project", encodeId("proj", newId()), "--permissions", "all"], "project.not_found"],
    ["create-key", ["--project", "proj_x", "--permissions", "all"], "project.not_found"],
    ["create-key", ["--project", encodeId("proj", newId()), "--permissions", "emails:delete"], "admin.usage"],
    [
      "create-project",
      ["--organization", encodeId("org", newId()), "--name", "A", "--region", "eu-west-1"],
      "organization.not_found",
    ],
    ["create-project", ["--organization", encodeId("org", newId()), "--name", "A", "--region", "mars"], "admin.usage"],
    ["set-limits", ["--project", encodeId("proj", newId())], "admin.usage"],
    ["set-limits", ["--project", encodeId("proj", newId()), "--per-day", "-1"], "admin.usage"],
    ["entitle", ["--organization", encodeId("org", newId()), "--multi-region", "yes"], "admin.usage"],
    ["sign-in-link", ["--email", "nobody@example.com"], "user.not_found"],
    ["reset-second-factor", ["--email", "nobody@example.com"], "user.not_found"],
    ["operator", ["--email", "nobody@example.com"], "user.not_found"],
    ["operator", ["--email", "nobody@example.com", "--remove", "no"], "admin.usage"],
    ["sign-in-link", ["--mail", "nobody@example.com"], "admin.usage"],
    ["bootstrap", ["--email", "a@example.com"], "admin.usage"],
  ])("%s %j is refused as %s", async (name, args, code) => {
    await expect(run(name, ...args)).rejects.toMatchObject({ code })
  })
})

async function bootstrap(email = `owner-${randomUUID()}@example.com`) {
  const people = ["--email", email, "--password", "correct horse battery", "--organization", "Acme"]
  const made = await run("bootstrap", ...people, "--project", "Main project", "--region", "eu-west-1")
  return { email, ...made } as { email: string; organizationId: string; projectId: string; apiKey: string }
}

async function run(name: string, ...args: string[]): Promise<Record<string, unknown>> {
  const command = adminCommands[name]
  if (!command) throw new Error(`There is no command ${name}.`)
  const work = await command(args)
  return work()
}
