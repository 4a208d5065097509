import { postCurl } from "@/components/data/post-curl"

/** The command that suppresses an address, for the page that has none yet. */
export function addSuppressionCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/suppressions`, { email: "ada@example.com" })
}
