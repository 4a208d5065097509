import { expect, it } from "vitest"
import { handedOver } from "@/lib/explanation/words"

const direct = { remote: "gmail-smtp-in.l.google.com 192.0.2.1:25", source: "203.0.113.5" }

it.each([
  [{ tls: "TLSv1.3", tlsLevel: "valid", tlsPolicy: "mta-sts" }, "over verified TLS (MTA-STS)"],
  [{ tls: "TLSv1.3", tlsLevel: "dane", tlsPolicy: "dane" }, "over verified TLS (DANE)"],
  [{ tls: "TLSv1.3", tlsLevel: "valid", tlsPolicy: "sender" }, "over verified TLS"],
  [{ tls: "TLSv1.3", tlsLevel: "encrypted" }, "over TLS"],
  [{ tlsLevel: "none" }, "without TLS"],
])("an attempt that was accepted names server, TLS and address: %o", (security, how) => {
  expect(handedOver({ ...direct, ...security })).toBe(`Handed to gmail-smtp-in.l.google.com ${how} from 203.0.113.5.`)
})
