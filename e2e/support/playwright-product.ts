import { randomBytes } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"
import { identityProvider, testClient } from "@/e2e/support/access/identity-provider"
import { startProduct } from "@/e2e/support/product"
import { startRelay } from "@/e2e/support/relay"

const portsOfSuite = {
  web: 4310,
  smtp: 4325,
  inbound: 4327,
  submission: 4387,
  submissionTls: 4365,
  dns: 4353,
  metrics: 4364,
  identity: 4368,
}
/** The tests of the other mount run beside the others. */
const portsOnNext = {
  web: 4311,
  smtp: 4326,
  inbound: 4328,
  submission: 4388,
  submissionTls: 4366,
  dns: 4354,
  metrics: 4367,
  identity: 4369,
}

/**
 * One product for the whole browser suite, unless E2E_BASE_URL names one that runs already. Its projects send through the
 * sandbox; system email leaves by a relay in the one region that no test sends from.
 */
export default async function setup() {
  if (process.env.E2E_BASE_URL) return
  const [password, clientSecret] = [secret(), secret()]
  const relay = await startRelay(password)
  const ports = process.env.API_MOUNT === "next" ? portsOnNext : portsOfSuite
  const identity = await identityProvider(ports.identity)
  const product = await startProduct(ports, {
    // What holds over several processes must not hang on the machine's cores.
    WEB_PROCESSES: "2",
    SECURITY_CONTACT: "security@mailroom.test",
    // The receivers of webhooks are servers of the tests.
    ALLOW_PRIVATE_WEBHOOKS: "127.0.0.1/32",
    SMTP_URL_AP_SOUTHEAST_1: relay.url,
    // Nothing listens there: the button is shown, and a sign-in with it fails.
    ...{ GITHUB_CLIENT_ID: "mailroom-e2e", GITHUB_CLIENT_SECRET: clientSecret, GITHUB_URL: "http://127.0.0.1:9" },
    ...{ OIDC_ISSUER: identity.origin, OIDC_CLIENT_ID: testClient.id, OIDC_CLIENT_SECRET: testClient.secret },
    OIDC_NAME: "Acme ID",
  })
  await untilQuick(`${product.baseUrl}/sign-in`)
  Object.assign(process.env, {
    E2E_BASE_URL: product.baseUrl,
    E2E_SETUP_URL: product.setupUrl,
    E2E_DATA_DIR: product.dataDir,
    E2E_INBOUND_PORT: String(ports.inbound),
    E2E_SUBMISSION_PORT: String(ports.submission),
    E2E_METRICS_URL: `http://127.0.0.1:${ports.metrics}/metrics`,
    E2E_SYSTEM_EMAILS: relay.folder,
    E2E_RELAY_PASSWORD: password,
    E2E_CLIENT_SECRET: clientSecret,
    E2E_IDENTITY_URL: identity.origin,
  })
  return async () => {
    await product.stop()
    await relay.stop()
    await identity.close()
  }
}

const quickMs = 200
const quickWithinMs = 60_000

/** A product that has just started loads its pages for some time: what asks it meanwhile waits for a core, not for the product. */
async function untilQuick(url: string) {
  const startedAt = performance.now()
  for (let quick = 0; quick < 10 && performance.now() - startedAt < quickWithinMs;) {
    const askedAt = performance.now()
    await (await fetch(url)).text()
    quick = performance.now() - askedAt < quickMs ? quick + 1 : 0
    await sleep(100)
  }
}

function secret(): string {
  return randomBytes(24).toString("base64url")
}
