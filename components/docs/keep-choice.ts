const maxAgeSeconds = 365 * 24 * 3_600

/** Keeps a choice for the docs in this browser. */
export function keepChoice(cookie: string, value: string) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  document.cookie = `${cookie}=${encodeURIComponent(value)}; Path=/docs; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`
}
