import { z } from "zod"
import { int32, timestamp } from "@/lib/platform/schema"

/** The rows in the order in which they are shown. */
const setupKeys = [
  "origin",
  "service_spf",
  "service_dkim",
  "service_dmarc",
  "service_mx",
  "report_mx",
  "report_wildcard",
  "ehlo_address",
  "reverse_name",
  "reverse_generic",
  "ehlo_spf",
  "region_spf",
  "feedback_address",
  "outbound_port",
  "loop_test",
  "resolver",
  "block_lists",
] as const
export type SetupKey = (typeof setupKeys)[number]

const setupKinds = ["required", "recommended"] as const
export type SetupKind = (typeof setupKinds)[number]

const setupStates = ["ok", "wrong", "unknown", "waiting"] as const
export type SetupState = (typeof setupStates)[number]

/** Why a row is not `ok`. */
const setupCodes = [
  "missing",
  "different",
  "several",
  "lookup_failed",
  "no_address",
  "not_https",
  "unreachable",
  "private_address",
  "certificate_expired",
  "certificate_ending",
  "certificate_untrusted",
  "not_back",
  "generic",
  "not_pass",
  "blocked",
  "never_run",
  "under_way",
  "failed",
  "not_set",
  "not_validating",
  "listed",
  "list_refuses",
] as const
export type SetupCode = (typeof setupCodes)[number]

const setupPlaces = ["dns", "hoster", "env", "server", "page"] as const

const SetupRow = z
  .strictObject({
    key: z.enum(setupKeys),
    kind: z.enum(setupKinds),
    region: z.string().optional().describe("Left out for what is about the installation."),
    address: z.string().optional().describe("The address that the region sends from, for rows about one."),
    state: z
      .enum(setupStates)
      .describe("`unknown` if the lookup failed, `waiting` for what has to be done or found first."),
    code: z.enum(setupCodes).optional().describe("Why the row is not `ok`."),
    title: z.string(),
    expected: z.array(z.string()).describe("The records or values that are right, one a line."),
    found: z.array(z.string()).describe("The records or values that were found, one a line."),
    message: z.string().describe("One sentence that names what is expected and what was found."),
    fix: z.string().optional().describe("What to do about it, for a row that is not `ok`."),
    place: z.enum(setupPlaces).describe("Where it is changed: at the DNS or server provider, in `.env`, or here."),
  })
  .meta({ id: "SetupRow" })

const SetupRegion = z
  .strictObject({
    region: z.string(),
    transport: z.enum(["smtp", "direct"]),
    addresses: int32.describe("How many addresses it sends directly from."),
    rows: int32.describe("Rows about the region and about the installation."),
    red: int32.describe("Those among them that are `wrong`."),
    message: z.string(),
  })
  .meta({ id: "SetupRegion" })

export const SetupReport = z
  .strictObject({
    checkedAt: timestamp,
    ready: z.boolean().describe("Whether all required rows are `ok`. True while no region sends to others."),
    regions: z.array(SetupRegion).describe("The regions that send to others; those of the sandbox need no set-up."),
    rows: z.array(SetupRow),
    zoneFile: z.string().describe("All records that the operator publishes, in BIND's notation."),
  })
  .meta({ id: "SetupReport" })

export type SetupReport = z.infer<typeof SetupReport>
export type SetupRow = z.infer<typeof SetupRow>
