import { findProgram } from "@/lib/cli/checks/debian"

const macOs = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

/** The browser for the tests: CHROMIUM_PATH, else one that is installed, else Debian's package. */
export function findChromium(): string {
  return (
    process.env.CHROMIUM_PATH ||
    findProgram({
      names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", macOs],
      debianPackages: ["chromium"],
      purpose: "the browser tests",
      hint: ", or set CHROMIUM_PATH",
    })
  )
}
