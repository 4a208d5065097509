/** The address of `Name <address>`; anything else as it is. */
export function bareAddress(header: string): string {
  return /<([^<>]+)>\s*$/.exec(header)?.[1] ?? header
}
