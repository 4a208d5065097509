import { beforeAll, beforeEach } from "vitest"
import { addBelongings, examples, type Belongings } from "@/e2e/support/examples"
import { api, newSession, newWorld, type Answer, type Call, type World } from "@/e2e/support/world"
import { pool } from "@/lib/platform/database/db"
import { pathOf, type Endpoint } from "@/lib/platform/http/endpoint"

/** Somebody who may call every operation of a project that has one of each kind; its limits are out of the way. */
export class Caller {
  world = {} as World
  own = {} as Belongings
  private cookie = ""

  constructor() {
    beforeAll(async () => {
      this.world = await newWorld()
      this.cookie = await newSession(this.world.userId)
      await pool().query(
        "UPDATE projects SET max_api_keys = 100000, max_domains = 100000, max_webhooks = 100000 WHERE id = $1",
        [this.world.projectId],
      )
      this.own = await addBelongings(this.world, this.cookie)
    })
    // How often one may ask is not what these tests are about.
    beforeEach(() => this.forgetLimits())
  }

  async forgetLimits() {
    await pool().query("DELETE FROM rate_windows")
  }

  example({ operationId }: Endpoint) {
    return examples[operationId]?.(this.own) ?? {}
  }

  async call(endpoint: Endpoint, change: Partial<Call> = {}): Promise<Answer> {
    const { params, ...rest } = this.example(endpoint)
    const { credential } = endpoint.access
    const who =
      credential === "none" ? {} : credential === "session" ? { cookie: this.cookie } : { key: this.world.apiKey }
    const inPath: Record<string, string> = pathOf(endpoint).includes("{projectId}")
      ? { projectId: this.world.project }
      : {}
    const answer = await api(endpoint.route, {
      ...{ ...rest, ...who, ...change },
      params: { ...inPath, ...params, ...change.params },
    })
    // An export holds one of its project's places until its client has gone.
    if (endpoint.answers[2] === "text/csv") await answer.response.body?.cancel()
    return answer
  }
}
