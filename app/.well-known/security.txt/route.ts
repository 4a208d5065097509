import { securityText } from "@/lib/platform/http/security-text"

export const dynamic = "force-dynamic"

/** Whom to tell of a security fault (RFC 9116); 404 unless SECURITY_CONTACT names somebody. */
export function GET() {
  return securityText(new Date())
}
