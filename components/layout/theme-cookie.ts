/** The cookie that keeps the theme a person chose in this browser. Without it, pages follow the system. */
export const themeCookie = "theme"

/** The class of `html` for what the cookie says, so that the first frame has the right colours without a script. */
export function themeClass(cookie: string | undefined): "light" | "dark" | undefined {
  return cookie === "light" || cookie === "dark" ? cookie : undefined
}
