import { codeTokens, type TokenKind } from "@/components/docs/code-tokens"

/** A sample with its parts in colour, written by the server: no script comes with it. */
export function Highlighted({ code, lang }: { code: string; lang: string }) {
  return codeTokens(code, lang).map(({ kind, text }, at) =>
    kind ? (
      <span key={at} className={colours[kind]}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

const colours: Record<TokenKind, string> = {
  comment: "text-faint",
  string: "text-good",
  keyword: "text-accent",
  number: "text-warn",
  name: "text-text",
}
