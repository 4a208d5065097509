import { query } from "@/components/data/query"

/** The project itself. Apart from the calls of its settings, which most pages that ask for it do not need. */
export const projectDetail = (projectId: string) => query("GET /v1/projects/{projectId}", { params: { projectId } })
