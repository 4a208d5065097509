import { allowOperator } from "@/lib/access/permissions"
import { readHeaders } from "@/lib/delivery/setup/header-reading"
import { HeaderReading, NewHeaderReading } from "@/lib/delivery/setup/header-schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { pathNotFound } from "@/lib/platform/http/problems"

export const readReceivedHeaders = organizationEndpoint({
  route: "POST /v1/operator/header-readings",
  operationId: "readReceivedHeaders",
  tag: "Operator",
  access: allowOperator(),
  bucket: null,
  additive: true,
  summary: "Read the headers of a received email",
  description: `Reads what the server that received an email recorded about it: SPF, DKIM, DMARC, the signatures, and the way it took. Nothing is looked
up and nothing is stored. For who runs the installation; to everybody else nothing lives here.`,
  body: NewHeaderReading,
  answers: [200, HeaderReading],
  problems: [pathNotFound],

  run: async (_, { body: { headers } }) => readHeaders(headers),
})

export const headerOperations = [readReceivedHeaders] as const
