import { postCurl } from "@/components/data/post-curl"

/** The command that creates a segment, for the page that has none yet. */
export function addSegmentCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/segments`, {
    name: "Readers",
    filter: { all: [{ field: "engagement", event: "opened", operator: "within_days", days: 30 }] },
  })
}
