/** Cookies that keep what a reader chose in the docs, so that the server writes the next page for it. */
export const projectCookie = "docs-project"
export const languageCookie = "docs-language"

/** Languages of samples as people call them, by the name that a sample has. */
const languageNames: Readonly<Record<string, string>> = {
  sh: "curl",
  ts: "TypeScript",
  python: "Python",
  php: "PHP",
  go: "Go",
  json: "JSON",
}

export function languageName(lang: string): string {
  return languageNames[lang] ?? lang
}

const maxAgeSeconds = 365 * 24 * 3_600

/** Keeps a choice for the docs in this browser. */
export function keepChoice(cookie: string, value: string) {
  const secure = location.protocol === "https:" ? "; Secure" : ""
  document.cookie = `${cookie}=${encodeURIComponent(value)}; Path=/docs; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure}`
}
