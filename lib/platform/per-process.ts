const all = globalThis as typeof globalThis & { mailroom?: Map<string, unknown> }

/**
 * The one value of this name in the process, made when it is asked for first. A web process evaluates a module up to three
 * times: the web server, Next's pages and its route handlers are bundles of their own, and share the global object alone.
 */
export function perProcess<T>(name: string, make: () => T): T {
  const values = (all.mailroom ??= new Map<string, unknown>())
  if (!values.has(name)) values.set(name, make())
  return values.get(name) as T
}
