import { ApiProblem } from "@/components/data/problem"
import { addressOf, type ApiRoute, type CallAnswer, type CallInput } from "@/components/data/route"

/** Calls the API as the signed-in person. @throws ApiProblem when it refuses, TypeError when it cannot be reached */
export async function call<R extends ApiRoute>(
  route: R,
  input: CallInput<R>,
  signal?: AbortSignal,
): Promise<CallAnswer<R>> {
  const { method, address } = addressOf(route, input)
  const body = input.body === undefined ? undefined : JSON.stringify(input.body)
  const response = await fetch(address, {
    method,
    credentials: "same-origin",
    headers: { Accept: "application/json", ...(body === undefined ? {} : { "Content-Type": "application/json" }) },
    ...(body === undefined ? {} : { body }),
    ...(signal ? { signal } : {}),
  })
  if (!response.ok) throw new ApiProblem(await response.json())
  // A 202 may have no body either.
  const text = await response.text()
  return (text === "" ? null : JSON.parse(text)) as CallAnswer<R>
}
