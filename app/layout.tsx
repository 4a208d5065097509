import type { Metadata, Viewport } from "next"
import { cookies } from "next/headers"
import type { ReactNode } from "react"
import "@fontsource-variable/inter/wght.css"
import { Providers } from "@/components/layout/providers"
import { themeClass, themeCookie } from "@/components/layout/theme-cookie"
import "@/app/globals.css"

export const metadata: Metadata = {
  title: { default: "Mailroom", template: "%s · Mailroom" },
  description: "Self-hosted email delivery: send, watch and understand every message.",
  robots: { index: false, follow: false },
  referrer: "no-referrer",
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  colorScheme: "light dark",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f4f4f2" },
    { media: "(prefers-color-scheme: dark)", color: "#151514" },
  ],
}

export default async function RootLayout({ children }: { children: ReactNode }) {
  const theme = themeClass((await cookies()).get(themeCookie)?.value)
  return (
    <html lang="en" className={theme}>
      <body>
        <Providers renderedAt={Date.now()}>{children}</Providers>
      </body>
    </html>
  )
}
