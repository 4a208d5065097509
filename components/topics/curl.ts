import { postCurl } from "@/components/data/post-curl"

/** The command that creates a topic, for the page that has none yet. */
export function addTopicCurl(baseUrl: string, projectId: string): string {
  return postCurl(`${baseUrl}/v1/projects/${projectId}/topics`, {
    name: "Product news",
    defaultSubscription: "opt_out",
    visibility: "public",
  })
}
