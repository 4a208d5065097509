import { postCurl } from "@/components/data/post-curl"

/** The command that adds a domain, for the page that has none yet. */
export function addDomainCurl(
  baseUrl: string,
  projectId: string,
  regions: { name: string; sandbox: boolean }[],
): string {
  const [home] = regions
  const body = { domain: home?.sandbox ? sandboxExample : "acme.com", region: home?.name }
  return postCurl(`${baseUrl}/v1/projects/${projectId}/domains`, body)
}

/** A name that the built-in sandbox answers for. */
export const sandboxExample = "acme.test"
