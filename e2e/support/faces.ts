import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, expect } from "vitest"
import * as mailgunRoute from "@/app/mailgun/[...path]/route"
import * as postmarkRoute from "@/app/postmark/[...path]/route"
import * as resendRoute from "@/app/resend/[...path]/route"
import * as sendgridRoute from "@/app/sendgrid/[...path]/route"
import { newSubmitter } from "@/e2e/support/submission/clients"
import { api, newKey, type World } from "@/e2e/support/world"
import type { Permission } from "@/lib/access/permissions"
import { pool } from "@/lib/platform/database/db"
import { newId } from "@/lib/platform/ids"
import { createDirectApi } from "@/lib/server/web/direct-api"
import { createWebServer } from "@/lib/server/web/web-server"
import { dispatchAll } from "@/lib/worker/dispatcher"

/** A web server with the APIs of the other services, mounted as `npm start` does, and a project that may send. */
export class FaceServer {
  port = 0
  world = {} as World

  constructor() {
    const answer = createDirectApi([
      ["/mailgun/[...path]", mailgunRoute],
      ["/postmark/[...path]", postmarkRoute],
      ["/resend/[...path]", resendRoute],
      ["/sendgrid/[...path]", sendgridRoute],
    ])
    const web = createWebServer({
      trustedProxyHops: 0,
      handle: (request, response) => answer(request, response) ?? response.end("a page"),
    })
    beforeAll(async () => {
      web.server.listen(0, "127.0.0.1")
      await once(web.server, "listening")
      this.port = (web.server.address() as AddressInfo).port
      this.world = await newSubmitter()
    })
    afterAll(() => web.drain(0))
  }

  get origin(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** A key with these permissions alone. */
  async key(...permissions: Permission[]): Promise<string> {
    return (await newKey(this.world.projectId, permissions)).apiKey
  }

  /** A key of another project. */
  async foreignKey(): Promise<string> {
    return (await newSubmitter()).apiKey
  }

  /** The email as our own API shows it. */
  async email(id: string) {
    const { status, json } = await api("GET /v1/emails/{emailId}", { key: this.world.apiKey, params: { emailId: id } })
    expect(status, JSON.stringify(json)).toBe(200)
    return json
  }

  /** Has the emails with this subject delivered, and says so in the public order of events. */
  async deliver(subject: string): Promise<void> {
    await pool().query(
      `INSERT INTO events (id, project_id, email_id, type, data, occurred_at)
        SELECT $3, project_id, id, 'delivered', '{"to":"ada@lovelace.example"}', now() FROM emails
          WHERE project_id = $1 AND subject = $2`,
      [this.world.projectId, subject, newId()],
    )
    await dispatchAll()
  }

  async suppress(email: string): Promise<void> {
    const params = { projectId: this.world.project }
    await api("POST /v1/projects/{projectId}/suppressions", { key: this.world.apiKey, params, body: { email } })
  }

  /** A published template with a variable, by its id. */
  async template(name: string): Promise<string> {
    const call = { key: this.world.apiKey, params: { projectId: this.world.project } }
    const body = {
      ...{ name, subject: "Hi {{who}}", html: "<p>Hi {{who}}</p>", text: "Hi {{who}}" },
      variables: [{ name: "who" }],
    }
    const { json } = await api("POST /v1/projects/{projectId}/templates", { ...call, body })
    const params = { projectId: this.world.project, templateId: json.id }
    await api("POST /v1/projects/{projectId}/templates/{templateId}/publish", { ...call, params })
    return json.id
  }

  /** A project that has used up what it may send today, by a key. */
  async exhausted(): Promise<string> {
    const { apiKey, organizationId } = await newSubmitter()
    await pool().query("UPDATE organizations SET daily_sends = 0 WHERE id = $1", [organizationId])
    return apiKey
  }
}
