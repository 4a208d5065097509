import { setTimeout as wait } from "node:timers/promises"
import { signInWithoutFactor } from "@/e2e/support/access/withheld"
import { addDestination } from "@/e2e/support/delivery/sample-destination"
import { mail } from "@/e2e/support/inbound/dialogue"
import { writeToPostmaster } from "@/e2e/support/inbound/postmaster"
import { admin } from "@/e2e/support/product"
import { allPages } from "@/e2e/support/pages"
import { productDatabase } from "@/e2e/support/signed-in"
import {
  addImport,
  createSampleOrganization,
  inviteSomebody,
  type SampleOrganization,
} from "@/e2e/support/sample-organization"

export type OpenablePage = { template: string; url: string; cookie: string }

/**
 * Every page of the product with something on it, in a sample organization of its own. Pages for people who are not signed
 * in come without a cookie; `/setup` is left out, because the first run is over.
 */
export async function everyPage(name: string): Promise<OpenablePage[]> {
  const own = await createSampleOrganization(name)
  const invite = await inviteSomebody(own, `${name}-guest@example.com`)
  const withoutFactor = await signInWithoutFactor(own.baseUrl, name)
  const ids = {
    ...own.ids,
    importId: await addImport(own),
    mailId: await addOperatorMail(own),
    destinationId: await addOwnDestination(name),
    inboundId: await addReceivedEmail(own),
    requestId: await loggedRequest(own),
  }
  return allPages(ids)
    .filter(({ template }) => template !== "/setup")
    .map(({ template, path }) => ({
      template,
      url: own.baseUrl + (template === "/invite" ? invite.pathname + invite.search : path),
      cookie: template === "/second-factor" ? withoutFactor : template.startsWith("/projects") ? own.cookie : "",
    }))
}

/** Makes the owner run the installation, to whom a stranger has written; the id of the mail. */
async function addOperatorMail({ baseUrl, cookie, email }: SampleOrganization): Promise<string> {
  await writeToPostmaster("A question", "Is this yours?")
  await admin(process.env.E2E_DATA_DIR ?? "", "operator", "--email", email)
  for (const end = Date.now() + 30_000; Date.now() < end; await wait(250)) {
    const answer = await fetch(`${baseUrl}/v1/operator/mails`, { headers: { cookie } })
    const { data } = (await answer.json()) as { data?: { id: string }[] }
    if (data?.[0]) return data[0].id
  }
  throw new Error("The mail to the postmaster did not arrive.")
}

/** An email to the organization's inbound route; its id. */
async function addReceivedEmail({ baseUrl, apiKey, projectId }: SampleOrganization): Promise<string> {
  const ask = async (path: string) => {
    const headers = { authorization: `Bearer ${apiKey}` }
    const answer = await fetch(`${baseUrl}/v1/projects/${projectId}/${path}`, { headers })
    return ((await answer.json()) as { data: { id: string; address: string }[] }).data[0]
  }
  const address = (await ask("inbound-routes"))?.address ?? ""
  await mail(
    Number(process.env.E2E_INBOUND_PORT),
    address,
    "From: ada@lovelace.example\r\nSubject: Hello\r\n\r\nHi\r\n",
  )
  const received = await ask("inbound")
  if (!received) throw new Error("The email to the inbound route did not arrive.")
  return received.id
}

/** The id of a request that the organization's key has made; it is in the log about a second later. */
async function loggedRequest({ baseUrl, cookie, projectId }: SampleOrganization): Promise<string> {
  for (const end = Date.now() + 20_000; Date.now() < end; await wait(250)) {
    const answer = await fetch(`${baseUrl}/v1/projects/${projectId}/requests`, { headers: { cookie } })
    const { data } = (await answer.json()) as { data: { requestId: string }[] }
    if (data[0]) return data[0].requestId
  }
  throw new Error("No request arrived in the log.")
}

async function addOwnDestination(name: string): Promise<string> {
  const client = await productDatabase()
  try {
    return await addDestination(client, `${name} Mail`)
  } finally {
    await client.end()
  }
}
