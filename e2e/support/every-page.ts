import { allPages } from "@/e2e/support/pages"
import { addImport, createSampleOrganization, inviteSomebody } from "@/e2e/support/sample-organization"

export type OpenablePage = { template: string; url: string; cookie: string }

/**
 * Every page of the product with something on it, in a sample organization of its own. Pages for people who are not signed
 * in come without a cookie; `/setup` is left out, because the first run is over.
 */
export async function everyPage(name: string): Promise<OpenablePage[]> {
  const own = await createSampleOrganization(name)
  const invite = await inviteSomebody(own, `${name}-guest@example.com`)
  const ids = { ...own.ids, importId: await addImport(own) }
  return allPages(ids)
    .filter(({ template }) => template !== "/setup")
    .map(({ template, path }) => ({
      template,
      url: own.baseUrl + (template === "/invite" ? invite.pathname + invite.search : path),
      cookie: template.startsWith("/projects") ? own.cookie : "",
    }))
}
