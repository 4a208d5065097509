import { postCurl } from "@/components/data/post-curl"

/** The command that defines a property, for the page that has none yet. */
export function addPropertyCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/contact-properties`, {
    key: "plan",
    type: "string",
    fallbackValue: "free",
  })
}
