export { DocsFrame as default } from "@/components/docs/docs-frame"
