import { queryOptions } from "@tanstack/react-query"
import { call, type CallAnswer } from "@/components/data/call"
import { query, wholeList } from "@/components/data/query"

const listRoute = "GET /v1/projects/{projectId}/templates"
const one = "GET /v1/projects/{projectId}/templates/{templateId}"
const versions = "GET /v1/projects/{projectId}/templates/{templateId}/versions"

export type Template = CallAnswer<typeof one>
export type TemplateVersion = CallAnswer<typeof versions>["data"][number]

export const templateListQuery = (projectId: string, page = 1) =>
  query(listRoute, { params: { projectId }, query: { page, size: 20 } })

/** Those that an email can be made from are published. */
export const allTemplatesQuery = (projectId: string) => wholeList(listRoute, { params: { projectId } })

export const templateQuery = (projectId: string, templateId: string) =>
  query(one, { params: { projectId, templateId } })

export const templateVersionsQuery = (projectId: string, templateId: string) =>
  query(versions, { params: { projectId, templateId }, query: { page: 1, size: 20 } })

/** The template as it was last saved, or as sends use it, with these values. */
export function templatePreviewQuery(
  projectId: string,
  template: Pick<Template, "id" | "updatedAt">,
  variables: Record<string, string>,
  published = false,
) {
  const route = "POST /v1/projects/{projectId}/templates/{templateId}/preview"
  const input = { params: { projectId, templateId: template.id }, body: { variables, published } }
  return queryOptions({
    queryKey: [route, input, template.updatedAt] as const,
    queryFn: ({ signal }) => call(route, input, signal),
    retry: false,
  })
}
