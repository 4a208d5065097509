import { findProgram, onPath } from "@/lib/cli/checks/debian"

const shell = "chromium-headless-shell"
const macOs = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"

export type Browsers = { chromium: string; headlessShell: string }

/**
 * The browsers for the tests: CHROMIUM_PATH, else what is installed, else Debian's packages. The headless shell is the same
 * engine and saves time; without it the browser does its part.
 */
export function findBrowsers(): Browsers {
  const chromium =
    process.env.CHROMIUM_PATH ||
    findProgram({
      names: ["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", macOs],
      debianPackages: ["chromium", shell],
      purpose: "the browser tests",
      hint: ", or set CHROMIUM_PATH",
    })
  return { chromium, headlessShell: process.env.HEADLESS_SHELL_PATH || onPath(shell) || chromium }
}
