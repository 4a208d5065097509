import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import type { ReactNode } from "react"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { broadcastQuery } from "@/components/broadcasts/queries"
import { Compose } from "@/components/compose/compose"
import { EngagementCard } from "@/components/contacts/contact-detail"
import { type Contact, scoreQuery } from "@/components/contacts/queries"
import { ApiProblem } from "@/components/data/call"
import { projectDetail } from "@/components/data/query"
import { allDomainsQuery } from "@/components/emails/queries"
import { ProblemsCard } from "@/components/overview/overview"
import { problemQueries } from "@/components/overview/queries"
import { TemplateVersions } from "@/components/templates/template-detail"
import type { Editing } from "@/components/templates/template-editor"
import { type Template, templateVersionsQuery } from "@/components/templates/queries"

const projectId = "proj_1"

const problem = (status: number) =>
  new ApiProblem({ type: "about:blank", code: "test", status, title: "No answer", detail: `Refused with ${status}.` })

type Read = { queryKey: readonly unknown[] }

/** What a part of a page says after these reads have failed, and the others are known. */
async function saidAfter(
  failed: readonly Read[],
  part: ReactNode,
  known: readonly [Read, unknown][] = [],
  status = 503,
) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, retryOnMount: false } } })
  for (const [{ queryKey }, data] of known) client.setQueryData(queryKey, data)
  for (const { queryKey } of failed)
    await client.prefetchQuery({ queryKey: [...queryKey], queryFn: () => Promise.reject(problem(status)) })
  return renderToStaticMarkup(<QueryClientProvider client={client}>{part}</QueryClientProvider>)
}

test("a score that could not be read is not taken for none", async () => {
  const contact = { id: "con_1" } as Contact
  const card = <EngagementCard projectId={projectId} contact={contact} mayWrite={false} />
  const failed = await saidAfter([scoreQuery(projectId, contact.id)], card)
  expect(failed).toContain("Refused with 503.")
  expect(failed).not.toContain("No email has been sent yet.")
  expect(await saidAfter([], card, [[scoreQuery(projectId, contact.id), null]])).toContain(
    "No email has been sent yet.",
  )
})

test("versions that could not be read are not taken for none", async () => {
  const template = { id: "tpl_1" } as Template
  const card = <TemplateVersions projectId={projectId} template={template} editing={{} as Editing} mayWrite={false} />
  const read = templateVersionsQuery(projectId, template.id)
  const failed = await saidAfter([read], card)
  expect(failed).toContain("Refused with 503.")
  expect(failed).not.toContain("Nothing was published yet")
  expect(await saidAfter([], card, [[read, { data: [] }]])).toContain("Nothing was published yet")
})

test("problems that could not be read are not awaited for ever", async () => {
  const said = await saidAfter(problemQueries(projectId), <ProblemsCard projectId={projectId} />)
  expect(said).toContain("Refused with 503.")
  expect(said).not.toContain("Loading the latest problems")
})

test("a draft that could not be read is not said to be deleted", async () => {
  const compose = <Compose projectId={projectId} baseUrl="http://localhost:3000" me="ada@example.com" draft="bc_1" />
  const known = [
    [allDomainsQuery(projectId), { data: [] }],
    [projectDetail(projectId), { limits: { maxRecipientsPerMessage: 50 } }],
  ] satisfies [Read, unknown][]
  const gone = "This draft was sent or deleted"
  expect(await saidAfter([broadcastQuery(projectId, "bc_1")], compose, known)).not.toContain(gone)
  expect(await saidAfter([broadcastQuery(projectId, "bc_1")], compose, known, 404)).toContain(gone)
})
