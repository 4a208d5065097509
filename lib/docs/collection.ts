/** What the collection needs of the OpenAPI document. */
type Parameter = { name: string; in: string; required?: boolean; description?: string; example?: string; schema?: Json }
type Operation = {
  summary: string
  description?: string
  tags: string[]
  security: Record<string, unknown>[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, { example?: unknown }> }
}
type Document = {
  info: { title: string; version: string; description: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
}
type Json = Record<string, unknown>

const format = "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"

/**
 * The operations that an API key may call as a Postman collection (format 2.1), which Bruno, Insomnia and others read too: a
 * folder for each tag, each request with the example of the document. Its variables are the address, the key and the project.
 */
export function collectionOf(openApi: Json) {
  const { info, servers, tags, paths } = openApi as unknown as Document
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
  const ofKeys = operations.filter(({ operation }) => operation.security.some((one) => "apiKey" in one))
  const folders = tags.map(({ name, description }) => ({
    name,
    description,
    item: ofKeys.filter(({ operation }) => operation.tags[0] === name).map(requestOf),
  }))
  return {
    info: { name: info.title, description: info.description, version: info.version, schema: format },
    auth: { type: "bearer", bearer: [variable("token", "{{apiKey}}")] },
    variable: [variable("baseUrl", servers[0]?.url ?? ""), variable("apiKey", ""), variable("projectId", "")],
    item: folders.filter(({ item }) => item.length > 0),
  }
}

function requestOf({ method, path, operation }: { method: string; path: string; operation: Operation }) {
  const { summary, description, parameters, requestBody } = operation
  const [mediaType, content] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1")
  const query = parameters.filter((one) => one.in === "query").map(queryOf)
  const sent = query.filter(({ disabled }) => !disabled).map(({ key, value }) => `${key}=${value}`)
  return {
    name: summary,
    request: {
      method,
      description,
      header: mediaType && mediaType !== "multipart/form-data" ? [variable("Content-Type", mediaType)] : [],
      url: {
        raw: `{{baseUrl}}/${segments}${sent.length > 0 ? `?${sent.join("&")}` : ""}`,
        host: ["{{baseUrl}}"],
        path: segments.split("/"),
        query,
        variable: parameters
          .filter((one) => one.in === "path")
          .map(({ name, example }) => variable(name, name === "projectId" ? "{{projectId}}" : (example ?? ""))),
      },
      ...(mediaType ? { body: bodyOf(mediaType, content?.example) } : {}),
    },
    response: [],
  }
}

/** What is not required is there to be switched on. */
function queryOf({ name, required, description, schema = {} }: Parameter) {
  const [first] = [schema.examples, schema.enum].find(Array.isArray) ?? []
  return { key: name, value: String(schema.default ?? first ?? ""), description, disabled: !required }
}

function bodyOf(mediaType: string, example: unknown) {
  if (mediaType === "multipart/form-data") return { mode: "formdata", formdata: [{ key: "file", type: "file" }] }
  if (mediaType !== "application/json") return { mode: "file" }
  return { mode: "raw", raw: JSON.stringify(example, null, 2), options: { raw: { language: "json" } } }
}

function variable(key: string, value: string) {
  return { key, value, type: "string" }
}
