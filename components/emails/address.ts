/** The address of `Name <address>`; anything else as it is. */
export function addressWithoutName(header: string): string {
  return /<([^<>]+)>\s*$/.exec(header)?.[1] ?? header
}

/** The name of `Name <address>`, without quotes; empty where there is none. */
export function nameOf(header: string): string {
  const at = /<[^<>]+>\s*$/.exec(header)?.index ?? 0
  const name = header.slice(0, at).trimEnd()
  return name.replace(/^"(.*)"$/, "$1").replaceAll(/\\(.)/g, "$1")
}
