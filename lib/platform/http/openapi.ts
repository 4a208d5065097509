import { z } from "zod"
import { codeSamplesOf } from "@/lib/platform/http/code-samples"
import { methodOf, pathOf, type Access, type Endpoint } from "@/lib/platform/http/endpoint"
import { mergedSchemas, schemaOf, type Json } from "@/lib/platform/http/json-schema"
import { problemResponse, responsesOf, type ImpliedProblems } from "@/lib/platform/http/openapi-responses"
import { sharedProblems } from "@/lib/platform/http/problems"

export type About = {
  title: string
  version: string
  description: string
  serverUrl: string
  /** What each tag is about. */ tags: Readonly<Record<string, string>>
  implied: ImpliedProblems
}

/** The OpenAPI 3.1 document of these operations, generated from their declarations alone. */
export function openApiDocument(endpoints: readonly Endpoint[], about: About): Json {
  const [requests, answers]: [Json, Json] = [{}, {}]
  schemaOf(ApiProblem, answers)
  const responses = endpoints.map((endpoint) => responsesOf(endpoint, about.implied, answers))
  const operations = endpoints.map((endpoint) => operationOf(endpoint, about, requests))
  const { schemas, opened } = mergedSchemas(requests, answers)
  const paths: Record<string, Json> = {}
  for (const [index, endpoint] of endpoints.entries()) {
    const path = (paths[pathOf(endpoint)] ??= {})
    const samples = codeSamplesOf(endpoint, about.serverUrl, requests)
    path[methodOf(endpoint).toLowerCase()] = {
      ...operations[index],
      responses: opened(responses[index]),
      "x-codeSamples": samples,
    }
  }
  return {
    openapi: "3.1.0",
    info: {
      title: about.title,
      version: about.version,
      description: about.description,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: about.serverUrl }],
    security: [{ apiKey: [] }],
    tags: [...new Set(endpoints.map(({ tag }) => tag))].map((name) => ({ name, description: about.tags[name] })),
    paths,
    components: {
      schemas,
      responses: { Default: problemResponse(sharedProblems, "Any operation can also return these.") },
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer mr_live_…`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "mailroom.session",
          description: "The session of a user who is signed in to the dashboard (prefixed with `__Host-` over https).",
        },
        streamTokenAuth: { type: "apiKey", in: "query", name: "token", description: "A one-time stream token." },
      },
    },
  }
}

const FieldProblem = z.strictObject({ pointer: z.string(), detail: z.string() }).meta({ id: "FieldProblem" })

const ApiProblem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int32(),
    code: z.string(),
    detail: z.string().optional(),
    instance: z.string().optional(),
    requestId: z.string().optional(),
    errors: z.array(FieldProblem).optional(),
  })
  .meta({ id: "ApiProblem" })

function operationOf(endpoint: Endpoint, about: About, schemas: Json): Json {
  const { access, body, bodyStream, bucket } = endpoint
  const content = body
    ? { "application/json": { schema: schemaOf(body, schemas) } }
    : bodyStream && {
        [bodyStream]: { schema: bodyStream === "multipart/form-data" ? oneFile : { type: "string", format: "binary" } },
      }
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: [
      endpoint.description,
      accessSentence(access),
      bucket && bucketSentence(bucket),
      endpoint.additive && "Additive: offered beyond the published contract.",
    ]
      .filter(Boolean)
      .join("\n\n"),
    security: securityOf(access),
    parameters: [...pathParameters(endpoint), ...queryParameters(endpoint, schemas)],
    ...(content ? { requestBody: { required: true, content } } : {}),
  }
}

const oneFile = {
  type: "object",
  required: ["file"],
  properties: {
    file: { type: "string", contentMediaType: "application/octet-stream", description: "Exactly one file." },
  },
}

function securityOf(access: Access): Json[] {
  if (access.credential === "none") return access.scheme ? [{ streamTokenAuth: [] }] : []
  if (access.credential === "key") return [{ apiKey: [] }]
  return access.credential === "session" ? [{ session: [] }] : [{ apiKey: [] }, { session: [] }]
}

function accessSentence(access: Access): string {
  if (access.credential === "none") return ""
  const wanted = access.anyOf.map((permission) => `\`${permission}\``).join(" or ")
  return [
    access.credential === "session" && "For signed-in users.",
    access.credential === "key" && "For API keys, whatever their permissions.",
    wanted && `Needs ${wanted}.`,
    access.roles && `Signed-in users need the role ${access.roles.join(" or ")}.`,
  ]
    .filter(Boolean)
    .join(" ")
}

function bucketSentence({ policy, requests, seconds }: NonNullable<Endpoint["bucket"]>): string {
  return `Bucket \`${policy}\`: ${requests} requests in ${seconds} s per key.`
}

function pathParameters(endpoint: Endpoint): Json[] {
  return [...pathOf(endpoint).matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }))
}

function queryParameters(endpoint: Endpoint, schemas: Json): Json[] {
  const declared = Object.entries(endpoint.query ?? {}).map(([name, schema]) => {
    const { description, required, ...rest } = schemaOf(schema, schemas) as Json
    const absent = schema.safeParse(undefined)
    const mandatory = required === true || !absent.success
    // zod omits the default of a schema that decodes text into another type.
    const fallback = absent.data === undefined ? {} : { default: absent.data }
    return {
      name,
      in: "query",
      required: mandatory,
      ...(description ? { description } : {}),
      schema: { ...rest, ...fallback },
    }
  })
  const named = pathOf(endpoint).includes("{projectId}") || endpoint.query?.projectId !== undefined
  const ofSession = endpoint.reach === "project" && !["none", "key"].includes(endpoint.access.credential) && !named
  return ofSession ? [...declared, projectOfSession] : declared
}

const projectOfSession = {
  name: "projectId",
  in: "query",
  required: false,
  description: "The project, for signed-in users. An API key always uses its own project.",
  schema: { type: "string" },
}
