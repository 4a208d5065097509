import { addressOf } from "@/components/data/route"

/** Emails as a CSV file, chosen by parameters of the API; the browser takes it as a download while it is being read. */
export function exportAddress(projectId: string, query: Record<string, unknown>): string {
  return addressOf("GET /v1/projects/{projectId}/emails/export", { params: { projectId }, query }).address
}
