import { addOwnOperatorAudit, type NewAuditEntry } from "@/lib/access/audit/data"
import { allowOperator } from "@/lib/access/permissions"
import { confirmRow } from "@/lib/delivery/setup/data"
import { checkSetup, lastSetup, setupAfterChange } from "@/lib/delivery/setup/report"
import { SetupConfirmation, SetupReport } from "@/lib/delivery/setup/schema"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { pathNotFound, serviceUnavailable } from "@/lib/platform/http/problems"
import { SlotsBusy } from "@/lib/platform/jobs/slots"
import { readHeaders } from "@/lib/delivery/setup/header-reading"
import { HeaderReading, NewHeaderReading } from "@/lib/delivery/setup/header-schema"

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."

export const getSendingSetup = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/setup-checks",
  operationId: "getSendingSetup",
  summary: "Get the sending set-up",
  description: `What the regions that send to others need, as it was checked last, and the zone file that the operator publishes. ${onlyForOperators}`,
  answers: [200, SetupReport],
  problems: [pathNotFound],

  run: () => lastSetup(),
})

export const checkSendingSetup = organizationEndpoint({
  ...shared,
  route: "POST /v1/operator/setup-checks",
  operationId: "checkSendingSetup",
  summary: "Check the sending set-up",
  description: `Checks what the regions that send to others need: records, reverse names, certificate, outbound port, the way back. It takes seconds, and
one check runs at a time. A row that gets no answer keeps the state that it had, and says when that was. ${onlyForOperators}`,
  answers: [200, SetupReport],
  problems: [pathNotFound],

  run: () =>
    checkSetup().catch((error: unknown) => {
      if (!(error instanceof SlotsBusy)) throw error
      throw serviceUnavailable("Another check is running.", { retryAfterSeconds: 5 })
    }),
})

export const confirmSetupRow = organizationEndpoint({
  ...shared,
  route: "PUT /v1/operator/setup-confirmations",
  operationId: "confirmSetupRow",
  summary: "Confirm a row of the sending set-up",
  description: `Marks what is done by hand as done, and any other row as fine as it is, with a reason: what its check finds no longer counts, until
that is taken back. ${onlyForOperators}`,
  body: SetupConfirmation,
  answers: [200, SetupReport],
  problems: [pathNotFound],
  example: {
    body: {
      key: "reverse_generic",
      region: "eu-west-1",
      address: "203.0.113.5",
      confirmed: true,
      reason: "The hoster sets no other name.",
    },
  },

  async run(scope, { body: { key, region = "", address = "", confirmed, reason } }) {
    const action = confirmed ? "setup_row.confirmed" : "setup_row.unconfirmed"
    const entry: NewAuditEntry = {
      action,
      target: [key, address || region].filter(Boolean).join(" "),
      ...(confirmed && { changes: { reason } }),
    }
    const by = scope.principal.kind === "session" ? scope.principal.userId : null
    await confirmRow({ key, region, address }, confirmed ? { by, reason } : null, (tx) =>
      addOwnOperatorAudit(scope, entry, tx),
    )
    return setupAfterChange()
  },
})

export const setupOperations = [getSendingSetup, checkSendingSetup, confirmSetupRow] as const

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
