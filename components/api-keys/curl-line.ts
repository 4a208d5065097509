type CurlLine = {
  key: string
  permissions: Record<string, string[]>
  baseUrl: string
  projectId: string
  recipient: string
  domain?: string
}

/** A command that works with the key as it is: a first email, or else something that it may read. */
export function curlLine({
  key,
  permissions,
  baseUrl,
  projectId,
  recipient,
  domain = "your-domain.com",
}: CurlLine): string | null {
  const authorization = `-H "Authorization: Bearer ${key}"`
  if (permissions.emails?.includes("send")) {
    const mail = { from: `hello@${domain}`, to: [recipient], subject: "Hello", text: "It works." }
    return [
      `curl ${baseUrl}/v1/emails \\`,
      `  ${authorization} \\`,
      `  -H "Content-Type: application/json" \\`,
      `  -d '${JSON.stringify(mail)}'`,
    ].join("\n")
  }
  const readable = reads.find(([area]) => permissions[area]?.includes("read"))
  return readable ? `curl ${baseUrl}/v1/projects/${projectId}${readable[1]} \\\n  ${authorization}` : null
}

const reads = [
  ["emails", "/emails"],
  ["domains", "/domains"],
  ["projects", ""],
  ["usage", "/api-keys"],
] as const
