import { QueryClient, QueryClientProvider } from "@tanstack/react-query"
import { renderToStaticMarkup } from "react-dom/server"
import { expect, test } from "vitest"
import { allDomainsQuery, emailsQuery } from "@/components/emails/queries"
import { Overview } from "@/components/overview/overview"
import { keysQuery } from "@/components/overview/queries"

const projectId = "proj_1"
const about = { projectId, region: "us-east-1", baseUrl: "http://localhost:3000", testDomain: "acme.test" }

const neither = { hasNextPage: false, hasPreviousPage: false }

/** What is shown first, with the number of emails as far as it is known. */
function shownWith(emails?: number): string {
  const client = new QueryClient()
  const pageOf = (total: number) => ({ page: { total, page: 1, size: 5, totalPages: 1, ...neither }, data: [] })
  client.setQueryData(allDomainsQuery(projectId).queryKey, pageOf(0))
  client.setQueryData(keysQuery(projectId).queryKey, pageOf(0))
  if (emails !== undefined) client.setQueryData(emailsQuery(projectId, { size: 5 }).queryKey, pageOf(emails))
  return renderToStaticMarkup(
    <QueryClientProvider client={client}>
      <Overview {...about} person={{ email: "ada@example.com" }} />
    </QueryClientProvider>,
  )
}

test("figures are shown to a project that has sent email, and never before it is known that it has", () => {
  expect(shownWith(3), "has sent").toContain("Last 30 days")
  expect(shownWith(0), "has sent nothing").not.toContain("Last 30 days")
  expect(shownWith(), "not known yet").not.toContain("Last 30 days")
})
