import type { Bucket } from "@/lib/platform/http/endpoint"

/** The limits of the API, per key: the table of the specification. */
export const buckets = {
  emailSend: { policy: "email-send", requests: 300, seconds: 60 },
  emailBatch: { policy: "email-batch", requests: 30, seconds: 60 },
  contacts: { policy: "contacts", requests: 200, seconds: 60 },
  contactProperties: { policy: "contact-properties", requests: 60, seconds: 60 },
  projects: { policy: "projects", requests: 60, seconds: 60 },
  segments: { policy: "segments", requests: 60, seconds: 60 },
  domains: { policy: "domains", requests: 30, seconds: 300 },
  suppressions: { policy: "suppressions", requests: 120, seconds: 60 },
  topics: { policy: "topics", requests: 120, seconds: 60 },
  webhooks: { policy: "webhooks", requests: 60, seconds: 60 },
  metrics: { policy: "metrics", requests: 120, seconds: 60 },
} as const satisfies Record<string, Bucket>

/** A signed-in user has one bucket for all operations. */
export const sessionBucket: Bucket = { policy: "session", requests: 1_200, seconds: 60 }
