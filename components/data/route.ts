import type { Api } from "@/lib/api/registry"

export type ApiRoute = keyof Api & string
export type GetRoute = Extract<ApiRoute, `GET ${string}`>

type Optional<T> = [keyof T] extends [never] ? true : false

/** What a call of a route takes: path parameters where it has some, query and body. */
export type CallInput<R extends ApiRoute> = {
  query?: Api[R]["query"]
  body?: Api[R]["body"]
} & (Optional<Api[R]["params"]> extends true ? { params?: undefined } : { params: Api[R]["params"] })

export type CallAnswer<R extends ApiRoute> = Api[R]["answer"]

/** Method and address of a route with its braces filled. */
export function addressOf(route: string, input: { params?: Record<string, string>; query?: Record<string, unknown> }) {
  const [method = "GET", template = "/"] = route.split(" ")
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.params?.[name] ?? ""))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== "") search.set(name, String(value))
  }
  return { method, path, search, address: search.size ? `${path}?${search}` : path }
}
