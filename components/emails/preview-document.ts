type PreviewDocument = { html: string; /** Remote images that were removed. */ blocked: number }

/** Nothing is loaded and nothing runs: not even what slips through the cleaning below. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'"

/**
 * An email's HTML as a document for a frame with `sandbox=""`. Inline parts (`cid:`) come from `parts`, keyed by content
 * id; remote pictures are taken out and counted. Needs a browser.
 */
export function previewDocument(html: string, parts: ReadonlyMap<string, string>, dark: boolean): PreviewDocument {
  const page = new DOMParser().parseFromString(html, "text/html")
  for (const element of page.querySelectorAll("script, base, meta[http-equiv], link, iframe, frame, object, embed"))
    element.remove()
  // A link has nowhere to go in the frame; following it would replace the email by a foreign page.
  for (const link of page.querySelectorAll("a, area")) {
    const href = link.getAttribute("href")
    if (href && !href.startsWith("#")) link.setAttribute("title", href)
    link.removeAttribute("href")
    link.classList.add("mailroom-link")
  }
  const blocked = withoutRemotePictures(page, parts)
  page.head.prepend(style(page, dark), meta(page, { charset: "utf-8" }))
  page.head.prepend(meta(page, { "http-equiv": "Content-Security-Policy", content: policy }))
  return { html: `<!doctype html>${page.documentElement.outerHTML}`, blocked }
}

function withoutRemotePictures(page: Document, parts: ReadonlyMap<string, string>): number {
  let blocked = 0
  for (const element of page.querySelectorAll("[src], [srcset], [background], [poster]")) {
    element.removeAttribute("srcset")
    for (const name of ["src", "background", "poster"]) {
      const address = element.getAttribute(name)?.trim()
      if (!address || address.startsWith("data:")) continue
      const part = address.startsWith("cid:") ? parts.get(decodeURIComponent(address.slice(4))) : undefined
      if (part) element.setAttribute(name, part)
      else element.removeAttribute(name)
      if (/^(https?:)?\/\//i.test(address)) blocked += 1
    }
  }
  for (const element of page.querySelectorAll("style, [style]")) {
    const inStyle = element.tagName === "STYLE" ? element.textContent : element.getAttribute("style")
    blocked += inStyle?.match(/url\(\s*["']?(https?:)?\/\//gi)?.length ?? 0
  }
  return blocked
}

function style(page: Document, dark: boolean): Element {
  const element = page.createElement("style")
  element.textContent =
    `:root{color-scheme:${dark ? "dark" : "light"}}body{margin:16px;overflow-wrap:anywhere}` +
    `.mailroom-link{text-decoration:underline;cursor:default}:where(.mailroom-link){color:LinkText}` +
    `img:not([src]){outline:1px dashed currentColor;opacity:.6}`
  return element
}

function meta(page: Document, attributes: Record<string, string>): Element {
  const element = page.createElement("meta")
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}
