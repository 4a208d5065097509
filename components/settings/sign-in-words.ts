/** How a session was opened, after an address: "192.0.2.1, by password". */
export function signInWayWords(signedInBy: string, provider = "single sign-on"): string {
  if (signedInBy === "password") return "by password"
  if (signedInBy === "link") return "by a sign-in link"
  if (signedInBy === "passkey") return "with a passkey"
  if (signedInBy === "github") return "with GitHub"
  if (signedInBy === "google") return "with Google"
  if (signedInBy === "oidc") return `with ${provider}`
  return ""
}
