import { buckets } from "@/lib/access/limits/bucket-table"
import { allow } from "@/lib/access/permissions"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { ProjectPage } from "@/lib/projects/schema"
import * as projects from "@/lib/projects/store"

export const listProjects = organizationEndpoint({
  route: "GET /v1/projects",
  operationId: "listProjects",
  tag: "Projects",
  summary: "List projects",
  description:
    "All projects of the organization, newest first. A signed-in user sees those of all their organizations.",
  access: allow("projects:read"),
  bucket: buckets.projects,
  query: pageQuery(),
  answers: [200, ProjectPage],
  problems: [],

  async run(scope, { query }) {
    const { data, total } = await projects.listProjects(scope, query)
    return page(query, data, total)
  },
})
